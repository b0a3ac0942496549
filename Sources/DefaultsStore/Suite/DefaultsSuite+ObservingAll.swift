/// Observation of all keys with their values.
extension DefaultsSuite {
    /// Calls a handler with every change of an effective value, those of keys nobody declares included: once for a whole
    /// transaction, with one change for each key.
    ///
    /// ``schemaKey`` is no key of this kind.
    ///
    /// Per key it is the chain that ``observe(key:options:on:handler:)`` gives.
    ///
    /// - Cost: each change of the suite compares all its values while such an observation goes on.
    /// - Parameters:
    ///   - options: which values the changes carry, and whether the present ones are delivered at once, by key.
    ///   - delivery: where the handler is called; by default on the writing thread before the write that made the change
    ///     returns, and on a background thread for changes from outside the process.
    public func observeAllChanges(
        options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable ([DefaultsChange]) -> Void
    ) -> DefaultsObservation {
        let core = core
        return core.observeAll(sendsInitial: options.contains(.initial), delivery: delivery) {
            notice, subscription in
            let changes = core.changes(notice, options)
            guard notice.isInitial || !changes.isEmpty, subscription.isActive else { return }
            handler(changes)
        }
    }
}

extension SuiteCore {
    /// The changes of values that a notice of changed texts stands for.
    fileprivate func changes(
        _ notice: ChangeNotice, _ options: DefaultsObservationOptions
    ) -> [DefaultsChange] {
        let domains = domains.load()
        return notice.entries.compactMap { entry in
            let old = value(of: entry.old, forKey: entry.key, domains)
            let new = entry.old == entry.new ? old : value(of: entry.new, forKey: entry.key, domains)
            guard notice.isInitial || old != new else { return nil }
            return DefaultsChange(
                key: entry.key.string, oldValue: options.contains(.old) ? old : nil,
                newValue: options.contains(.new) ? new : nil, isInitial: notice.isInitial, cause: notice.cause
            )
        }
    }
}
