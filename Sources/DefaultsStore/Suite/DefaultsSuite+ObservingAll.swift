/// Observation of all keys with their values.
extension DefaultsSuite {
    /// Calls a handler with every change of an effective value, including those of undeclared keys: once for a whole
    /// transaction, with one change for each key.
    ///
    /// ``schemaKey`` is not included.
    ///
    /// For each key, the changes form the chain that ``observe(key:options:on:handler:)`` gives.
    ///
    /// - Cost: while such an observation is active, each change of the suite compares all its values.
    /// - Parameters:
    ///   - options: which values the changes carry, and whether the current ones are delivered at once, by key.
    ///   - delivery: where the handler is called; by default on the writing thread before the write that made the
    ///     change returns, and on a background thread for changes from outside the process.
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
    /// Returns the changes of values that changed texts amount to.
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
