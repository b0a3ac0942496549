import DefaultsStore

/// Calls one handler for the notices of several suites, one at a time and in the order in which they come.
///
/// Each suite calls its own observers one after the other, but two suites do so at the same time: then a property that
/// depends on both could be read by one thread, read anew and delivered by the other, and delivered by the first with
/// the older value.
final class NoticeTurns: Sendable {
    private struct State {
        var waiting = Queue<(ChangeNotice, Subscription)>()
        var isCalling = false
    }

    private let state = Locked(State())  // A leaf; nothing is called under it.

    /// Calls the handler for a notice, or leaves that to the thread that is calling it already, which may be this one.
    ///
    /// Nothing is called for an observer that has ended by then.
    func call(_ handler: (ChangeNotice) -> Void, with notice: ChangeNotice, for subscription: Subscription) {
        let isMine = state.withLock { state in
            state.waiting.append((notice, subscription))
            defer { state.isCalling = true }
            return !state.isCalling
        }
        guard isMine else { return }
        while let (next, subscription) = takeNext() {
            if subscription.isActive { handler(next) }
        }
    }

    private func takeNext() -> (ChangeNotice, Subscription)? {
        state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.isCalling = false }
            return next
        }
    }
}
