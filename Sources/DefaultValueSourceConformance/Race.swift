import DefaultsStore

/// One result that several tasks may bring; the first one counts, and nobody waits for the others.
final class Race<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case ended(Result<Value, any Error>)
    }

    private let state = Locked(State.open)  // A leaf: nobody is resumed under it.

    func end(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .ended: return nil
            case .open:
                state = .ended(result)
                return nil
            case .awaited(let continuation):
                state = .ended(result)
                return continuation
            }
        }
        waiting?.resume(with: result)
    }

    /// Waits for the first result; to be called once.
    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let ended = state.withLock { state -> Result<Value, any Error>? in
                if case .ended(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let ended { continuation.resume(with: ended) }
        }
    }
}
