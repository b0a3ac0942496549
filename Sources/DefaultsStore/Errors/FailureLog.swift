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

    private struct State {
        var nextStream = 0
        var streams: [Listener] = []
        var handler: (@Sendable (DefaultsError) -> Void)?
        /// Those that read: in a forked child, no task does.
        var readers: [Listener] { Fork.isRefused ? [] : streams }
        var isHeard: Bool { handler != nil || !readers.isEmpty }
        var printed = KnownFailures()
        var standing = DeduplicatedFailures()
    }

    /// How many failures of one kind are reported for one file; if there were more than are remembered, each load
    /// would report all.
    package static let mostOfOneFile = 100

    // Lock L7: protects the listeners; nothing is taken or called under it.
    private let state = Locked(State())

    /// How many logs of this process have reported a lasting failure.
    private static let standing = Atomic<Int>(0)

    /// Whether one has, as far as the caller can know; every write asks.
    static var isAnyLasting: Bool { standing.load(ordering: .relaxed) != 0 }

    private let suite: String

    package init(suite: String) { self.suite = suite }

    deinit { withStanding { $0 = DeduplicatedFailures() } }

    private func withStanding<Result>(_ body: (inout DeduplicatedFailures) -> Result) -> Result {
        state.withLock { state in
            let wasEmpty = state.standing.isEmpty
            defer {
                if wasEmpty != state.standing.isEmpty {
                    FailureLog.standing.add(wasEmpty ? 1 : -1, ordering: .relaxed)
                }
            }
            return body(&state.standing)
        }
    }

    /// Nil for standard error.
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
            state.nextStream += 1
            state.streams.append(Listener(number: state.nextStream, continuation: continuation))
            return state.nextStream
        }
        continuation.onTermination = { [weak self] _ in
            withExtendedLifetime(owner) { self?.forget(number) }
        }
        return stream
    }

    /// On the calling thread.
    package func report(_ failure: DefaultsError) {
        let error = failure.inSuite(suite)
        let (streams, handler, prints) = state.withLock { state in
            let prints = !state.isHeard && state.printed.insert(error)
            return (state.readers, state.handler, prints)
        }
        for stream in streams { stream.continuation.yield(error) }
        handler?(error)
        if prints { SystemCalls.writeToStandardError("TypedDefaults: \(error)") }
    }

    /// Delivers a lasting failure, such as a damaged value, once until it is forgotten.
    ///
    /// - Parameter matter: what has failed; nil for the value of the error's key, or the file if it has none.
    package func reportLasting(_ error: DefaultsError, in matter: DeduplicatedFailures.Matter? = nil) {
        if recordLasting(error, in: matter) { report(error) }
    }

    /// Records a lasting failure, to be reported later.
    ///
    /// - Returns: whether it has to be reported: it was not noted yet, or has been forgotten since.
    func recordLasting(_ error: DefaultsError, in matter: DeduplicatedFailures.Matter? = nil) -> Bool {
        withStanding { $0.record(error, in: matter, of: suite) }
    }

    /// Notes all lasting failures of a matter that was checked as a whole; others of it are over.
    ///
    /// - Returns: those that have to be reported.
    func recordLasting(only errors: [DefaultsError], in matter: DeduplicatedFailures.Matter)
        -> [DefaultsError]
    {
        withStanding { $0.record(only: errors, in: matter, of: suite) }
    }

    /// Forgets that lasting failures of a matter were reported, because their cause is gone.
    package func forgetLasting(
        in matter: DeduplicatedFailures.Matter, where isOver: (DefaultsError) -> Bool = { _ in true }
    ) {
        withStanding { $0.forget(matter, where: isOver) }
    }

    /// Forgets what was wrong with some keys, because they have been written.
    func forgetLasting(ofKeys keys: some Sequence<String>) {
        withStanding { $0.forget(keys: keys.map { Array($0.utf8) }) }
    }

    /// Forgets what was wrong with the values of all keys that have others now.
    ///
    /// - Parameter isReplaced: is asked without a lock.
    @inline(never)
    func forgetLastingOfValues(where isReplaced: (String) -> Bool) {
        let known = withStanding { $0.keys }
        let keys = known.filter { isReplaced(String(decoding: $0, as: UTF8.self)) }
        if !keys.isEmpty { withStanding { $0.forgetValues(ofKeys: keys) } }
    }

    private func forget(_ number: Int) {
        let old = state.withLock { state in
            let old = state.streams
            state.streams.removeAll { $0.number == number }
            return old
        }
        withExtendedLifetime(old) {}
    }
}
