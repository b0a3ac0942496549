import DefaultsStore
import TypedDefaults

/// Serialises the notices of several suites for one handler, in the order in which they come.
///
/// Each suite calls its own observers one after the other, but two suites do so at the same time. Without
/// this, one thread could read a property that depends on both, another read it again and deliver it, and the
/// first then deliver the older value.
final class NoticeTurns: Sendable {
    private struct State {
        var waiting = Queue<(ChangeNotice, ObserverSubscription)>()
        /// The thread that is calling the handler; nil for none.
        var caller: UInt?
        var answers = AnswerCount()
    }

    private let state = Locked(State())  // A leaf; nothing is called under it.

    /// Calls the handler for a notice, or leaves that to the thread that is already in it, which may be this
    /// one.
    ///
    /// An observer that has ended by then is not called.
    func call(
        _ handler: @escaping @Sendable (ChangeNotice) -> Void, with notice: ChangeNotice,
        for subscription: ObserverSubscription
    ) {
        let me = SystemCalls.threadID
        let isMine = state.withLock { state in
            state.waiting.append((notice, subscription))
            guard let caller = state.caller else {
                state.caller = me
                return true
            }
            if caller == me { state.answers.recordAnswer() }
            return false
        }
        if isMine { callOn(handler) }
    }

    private func callOn(_ handler: @escaping @Sendable (ChangeNotice) -> Void) {
        while true {
            switch takeNext() {
            case .call(let notice, let subscription):
                if subscription.isActive { handler(notice) }
            case .pause(let subscription, let isNews):
                if isNews { subscription.reportEndless() }
                return WorkerPool.shared.runUserCodeLater { [self] in
                    let isMine = state.withLock { state in
                        guard state.caller == nil else { return false }
                        state.caller = SystemCalls.threadID
                        return true
                    }
                    if isMine { callOn(handler) }
                }
            case .nothing: return
            }
        }
    }

    private enum Step {
        case call(ChangeNotice, ObserverSubscription)
        /// The notices do not end, because the handler causes them.
        case pause(ObserverSubscription, isNews: Bool)
        case nothing
    }

    private func takeNext() -> Step {
        state.withLock { state in
            guard let (notice, subscription) = state.waiting.popFirst() else {
                state.caller = nil
                state.answers.end()
                return .nothing
            }
            let (isEnough, isNews) = state.answers.goOn(state.waiting.count + 1)
            guard isEnough else { return .call(notice, subscription) }
            // Each notice reads the property again, so their order does not matter.
            state.waiting.append((notice, subscription))
            state.caller = nil
            return .pause(subscription, isNews: isNews)
        }
    }
}
