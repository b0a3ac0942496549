/// Observation of all keys with their values.
extension DefaultsSuite {
    /// Calls a handler with every change of an effective value, including those of undeclared keys: once for a whole
    /// transaction, with one change for each key.
    ///
    /// ``schemaKey`` is not included.
    ///
    /// For each key, the changes form the chain that ``observe(key:options:on:handler:)`` gives.
    ///
    /// - Cost: while such an observation is active, a change whose keys are not known, such as an edit by hand, compares
    ///   all values of the suite; a write compares its own. The values that it was given are kept; without `.initial`,
    ///   so are the names of those that are gone.
    /// - Parameters:
    ///   - options: which values the changes carry, and whether the current ones are delivered at once, by key.
    ///   - delivery: where the handler is called; by default on the writing thread before the write that made the
    ///     change returns, unless another thread is just calling it, which then does so next; and on a background
    ///     thread for changes from outside the process.
    public func observeAllChanges(
        options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable ([DefaultsChange]) -> Void
    ) -> DefaultsObservation {
        let core = core
        let told = ToldValues(isComplete: options.contains(.initial))
        return core.observeAll(
            sendsInitial: options.contains(.initial), isToldValues: true, delivery: delivery
        ) { notice, subscription in
            var changes = told.changes(notice, of: core, options)
            if notice.isInitial { core.addDeclaredDefaults(to: &changes, notice, told, options) }
            guard notice.isInitial || !changes.isEmpty, subscription.isActive else { return }
            handler(changes)
        }
    }
}

extension SuiteCore {
    /// Adds the declared keys that no domain has, with their own defaults.
    fileprivate func addDeclaredDefaults(
        to changes: inout [DefaultsChange], _ notice: ChangeNotice, _ told: ToldValues,
        _ options: DefaultsObservationOptions
    ) {
        let known = Set(notice.entries.map(\.key) + [.schema])
        let entries = catalogue.all.map(\.name).filter { !known.contains($0) }.map {
            ChangeNotice.Entry(key: $0, old: nil, new: nil)
        }
        guard !entries.isEmpty else { return }
        let rest = ChangeNotice(entries: entries, isInitial: true, cause: notice.cause)
        let others = told.changes(rest, of: self, options).filter { told.has($0.key) }
        changes = (changes + others).sorted { KeyName($0.key) < KeyName($1.key) }
    }
}
