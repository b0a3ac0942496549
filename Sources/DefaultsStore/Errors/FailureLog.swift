import Synchronization

/// Where a suite's failures go if there is no caller to throw them to.
///
/// Streams and the handler receive every failure; standard error gets each distinct one once, and only if nobody else
/// listens.
package final class FailureLog: Sendable {
    private struct Listener {
        let number: Int
        let continuation: AsyncStream<DefaultsError>.Continuation
    }

    /// A failure that has been reported; its key is told from others by its bytes, as everywhere.
    private struct Known: Hashable {
        let error: DefaultsError
        let key: [UInt8]?

        init(_ error: DefaultsError) { (self.error, key) = (error, error.key.map { Array($0.utf8) }) }
    }

    private struct State {
        var nextStream = 0
        var streams: [Listener] = []
        /// Which process the streams belong to: in a forked child the tasks that read the parent's streams do not
        /// exist.
        var fork = Fork.count
        /// The streams of a parent, which a child leaves alone.
        var inherited: [Listener] = []

        mutating func leaveStreamsOfParent() {
            guard fork != Fork.count else { return }
            inherited += streams
            streams = []
            fork = Fork.count
        }
        var handler: (@Sendable (DefaultsError) -> Void)?
        var isHeard: Bool { handler != nil || !streams.isEmpty }
        var printed: Set<Known> = []
        var standing: Set<Known> = [] {
            didSet {
                guard oldValue.isEmpty != standing.isEmpty else { return }
                FailureLog.standing.add(standing.isEmpty ? -1 : 1, ordering: .relaxed)
            }
        }
    }

    /// How many distinct failures are remembered, so that a flood of them takes limited memory.
    private static let remembered = 1_024
    /// How many failures of one kind are reported for one file; if there were more than are remembered, each load
    /// would report all.
    package static let mostOfOneFile = 100

    // Lock L7: protects the listeners; nothing is taken or called under it.
    private let state = Locked(State())

    /// How many logs of this process have reported a lasting failure.
    private static let standing = Atomic<Int>(0)

    /// Whether one has, as far as the caller can know; every write asks.
    static var isAnyStanding: Bool { standing.load(ordering: .relaxed) != 0 }

    private let suite: String

    /// Creates the log of a suite, whose name its failures will carry.
    package init(suite: String) { self.suite = suite }

    deinit { state.withLock { $0.standing = [] } }

    /// The function that receives failures; nil for standard error.
    package var handler: (@Sendable (DefaultsError) -> Void)? {
        get { state.withLock { $0.handler } }
        set {
            // Releasing what the old handler captured may run user code, so it leaves the lock first.
            let old = state.withLock { state in
                defer { state.handler = newValue }
                return state.handler
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Whether somebody has asked for failures.
    var isHeard: Bool { state.withLock { $0.isHeard } }

    /// Returns a new stream of the failures from now on.
    ///
    /// It keeps the newest 256 that have not been taken.
    ///
    /// - Parameter owner: what the log belongs to; kept until the stream is over, because nothing would ever arrive
    ///   if the log went before.
    package func stream(keeping owner: (any AnyObject & Sendable)? = nil) -> AsyncStream<DefaultsError> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DefaultsError.self, bufferingPolicy: .bufferingNewest(256))
        let number = state.withLock { state in
            state.leaveStreamsOfParent()
            state.nextStream += 1
            state.streams.append(Listener(number: state.nextStream, continuation: continuation))
            return state.nextStream
        }
        continuation.onTermination = { [weak self] _ in
            withExtendedLifetime(owner) { self?.forget(number) }
        }
        return stream
    }

    /// Delivers one failure, on the calling thread.
    package func report(_ failure: DefaultsError) {
        let error = failure.inSuite(suite)
        let (streams, handler, prints) = state.withLock { state in
            state.leaveStreamsOfParent()
            let prints = !state.isHeard && FailureLog.remember(error, in: &state.printed)
            return (state.streams, state.handler, prints)
        }
        for stream in streams { stream.continuation.yield(error) }
        handler?(error)
        if prints { SystemCalls.writeToStandardError("TypedDefaults: \(error)") }
    }

    /// Delivers a lasting failure, such as a damaged value, once until ``forgetStanding(where:)``.
    package func reportStanding(_ error: DefaultsError) {
        if noteStanding(error) { report(error) }
    }

    /// Notes a lasting failure, to be reported later.
    ///
    /// - Returns: whether it has to be reported: it was not noted yet, or has been forgotten since.
    func noteStanding(_ error: DefaultsError) -> Bool {
        // A damaged value that moves to another line, or is met where its place is not known, is still the same
        // failure.
        var id = error
        if error.key != nil { (id.path, id.line, id.column) = (nil, nil, nil) }
        return state.withLock { FailureLog.remember(id, in: &$0.standing) }
    }

    /// Forgets that some lasting failures were reported, because their cause is gone.
    package func forgetStanding(where isOver: (DefaultsError) -> Bool) {
        state.withLock { state in
            guard !state.standing.isEmpty else { return }
            state.standing = state.standing.filter { !isOver($0.error) }
        }
    }

    private func forget(_ number: Int) {
        let old = state.withLock { state in
            let old = state.streams
            state.streams.removeAll { $0.number == number }
            return old
        }
        withExtendedLifetime(old) {}
    }

    private static func remember(_ error: DefaultsError, in set: inout Set<Known>) -> Bool {
        if set.count >= remembered { set.removeAll() }
        return set.insert(Known(error)).inserted
    }
}
