import DefaultsStore

/// Whether a followed source has answered; tasks can wait for it.
final class SourceAnswer: Sendable {
    private struct State {
        /// The result of waiting; nil until there is one.
        var outcome: Bool?
        var waiting: [AsyncStream<Bool>.Continuation] = []
    }

    private let state = Locked(State())  // A leaf: nobody is called under it.

    /// A layer of the source is in place.
    func succeed() { end(true) }

    /// A failure of the source ends the wait only if values of it are in place.
    func fail(hasValues: Bool) { if hasValues { end(false) } }

    private func end(_ outcome: Bool) {
        let waiting = state.withLock { state in
            state.outcome = outcome || state.outcome == true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.yield(outcome) }
    }

    /// Waits until there is an outcome, or the time has passed, or the task is cancelled.
    func wait(within limit: Duration) async -> Bool {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let known = state.withLock { state in
            if state.outcome == nil { state.waiting.append(continuation) }
            return state.outcome
        }
        if let known { return known }
        let outcome = await withTaskGroup(of: Bool?.self) { group in
            group.addTask { await stream.first { _ in true } }
            group.addTask {
                do { try await Task.sleep(for: limit) } catch { return nil }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return outcome ?? false
    }
}
