/// Delivery of observers' events on the pool's threads.
extension WorkerPool {
    /// Has these observers' mailboxes emptied soon.
    func deliver(_ subscriptions: some Sequence<ObserverSubscription>) {
        for subscription in subscriptions { run { subscription.deliver() } }
    }

    /// Has a handler go on after a pause that goes on changing what it observes.
    package func runUserCodeLater(_ body: @escaping @Sendable () -> Void) {
        EventLoop.shared.scheduleAnyway(afterMilliseconds: 100, on: .userCode, body)
    }
}
