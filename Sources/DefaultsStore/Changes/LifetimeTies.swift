/// The observers that are tied to an object's lifetime, kept here so that nobody else has to keep them.
///
/// Swift does not notify of an object's end, so the housekeeping thread checks twice a second while there are any. No
/// event is delivered in between: a mailbox checks its owner before each call.
final class LifetimeTies: Sendable {
    /// The instance of this process.
    static var shared: LifetimeTies { perProcess.object }
    private static let perProcess = PerProcess { LifetimeTies() }

    private struct State {
        var ties: [ObjectIdentifier: (subscription: Subscription, remove: @Sendable () -> Void)] = [:]
        var isLooking = false
    }

    private let state = Locked(State())  // Lock L7: protects the list; nothing is called under it.

    /// Keeps an observer until its object is gone.
    func add(_ subscription: Subscription, remove: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            state.ties[ObjectIdentifier(subscription)] = (subscription, remove)
            defer { state.isLooking = true }
            return !state.isLooking
        }
        if starts { lookLater() }
    }

    /// Stops keeping an observer.
    func forget(_ subscription: Subscription) {
        _ = state.withLock { $0.ties.removeValue(forKey: ObjectIdentifier(subscription)) }
    }

    private func lookLater() {
        do {
            try Housekeeper.shared.schedule(afterMilliseconds: 500) { [self] in look() }
        } catch {
            state.withLock { $0.isLooking = false }
            SystemCalls.writeToStandardError(
                "TypedDefaults: tied observers are only released at their next event: \(error)")
        }
    }

    private func look() {
        let all = state.withLock { Array($0.ties.values) }
        // Releasing what a handler captured may run user code, which the housekeeping thread must not run.
        Courier.shared.run { [self] in
            for tie in all where tie.subscription.endIfOrphaned() {
                tie.remove()
                forget(tie.subscription)
            }
        }
        let goesOn = state.withLock { state in
            state.isLooking = !state.ties.isEmpty
            return state.isLooking
        }
        if goesOn { lookLater() }
    }
}
