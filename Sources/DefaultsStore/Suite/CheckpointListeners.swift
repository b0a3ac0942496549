/// Who is told of the checkpoints that this process makes of one suite.
final class CheckpointListeners: Sendable {
    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<DefaultsCheckpoint>.Continuation] = [:]
    }

    private let state = Locked(State())  // A leaf; nobody is told under it.

    /// Returns a new stream of the checkpoints from now on, which keeps the newest 256 that have not been taken.
    ///
    /// - Parameter owner: kept until the stream is over, because nothing would ever arrive if the suite went before.
    func stream(keeping owner: any AnyObject & Sendable) -> AsyncStream<DefaultsCheckpoint> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DefaultsCheckpoint.self, bufferingPolicy: .bufferingNewest(256))
        let number = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            withExtendedLifetime(owner) { self?.forget(number) }
        }
        return stream
    }

    private func forget(_ number: Int) {
        let gone = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(gone) {}
    }

    /// Tells of a checkpoint that took so many nanoseconds.
    func tell(_ nanoseconds: UInt64) {
        let listeners = state.withLock { $0.listeners }
        let checkpoint = DefaultsCheckpoint(duration: .nanoseconds(Int64(clamping: nanoseconds)))
        for listener in listeners.values { listener.yield(checkpoint) }
    }
}
