/// Delivery of observers' events on the courier's threads.
extension Courier {
    /// Has these observers' mailboxes emptied soon.
    func deliver(_ subscriptions: some Sequence<Subscription>) {
        for subscription in subscriptions { run { subscription.deliver() } }
    }
}
