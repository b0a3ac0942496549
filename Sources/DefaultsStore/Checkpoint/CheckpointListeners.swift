/// The listeners to the checkpoints that this process makes of one suite.
final class CheckpointListeners: Sendable {
    // A class in an array, because a new process pays for its first dictionary of a type, even an empty one.
    private final class Listener: Sendable {
        let continuation: AsyncStream<DefaultsCheckpoint>.Continuation

        init(_ continuation: AsyncStream<DefaultsCheckpoint>.Continuation) {
            self.continuation = continuation
        }
    }

    private let state = Locked<[Listener]>([])  // A leaf; nobody is told under it.

    /// Returns a new stream of the checkpoints from now on, which keeps the newest 256 that have not been taken.
    ///
    /// - Parameter owner: kept until the stream is over, because nothing would ever arrive if the suite went before.
    func stream(keeping owner: any AnyObject & Sendable) -> AsyncStream<DefaultsCheckpoint> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DefaultsCheckpoint.self, bufferingPolicy: .bufferingNewest(256))
        let listener = Listener(continuation)
        state.withLock { $0.append(listener) }
        // Weakly, because the listener has the continuation, which has this.
        continuation.onTermination = { [weak self, weak listener] _ in
            withExtendedLifetime(owner) { self?.forget(listener) }
        }
        return stream
    }

    private func forget(_ listener: Listener?) {
        let gone = state.withLock { listeners -> Listener? in
            guard let place = listeners.firstIndex(where: { $0 === listener }) else { return nil }
            return listeners.remove(at: place)
        }
        withExtendedLifetime(gone) {}
    }

    func notify(_ nanoseconds: UInt64) {
        let listeners = state.withLock { $0 }
        let checkpoint = DefaultsCheckpoint(duration: .nanoseconds(Int64(clamping: nanoseconds)))
        for listener in listeners { listener.continuation.yield(checkpoint) }
    }
}
