/// The values that an observer was given last, by key, so that its changes form a chain.
///
/// The texts of the domains alone do not tell them: a key may be declared, with a default, after the observer has
/// begun, and a default may differ at each use.
final class DeliveredValues: Sendable {
    let values = Locked<[KeyName: DefaultsValue?]>([:])  // A leaf.
    // Then the names of keys that are gone are not kept, and there may be any number of them.
    /// Whether the observer is told of all keys, from the initial event on, so that one that is not here is missing.
    private let isComplete: Bool

    init(isComplete: Bool = false) { self.isComplete = isComplete }

    func has(_ key: String) -> Bool { values.withLock { ($0[KeyName(key)] ?? nil) != nil } }

    /// Returns the changes that an event amounts to; one of an observer comes after the other.
    func changes(
        _ notice: ChangeNotice, of context: SuiteContext, _ options: DefaultsObservationOptions
    ) -> [DefaultsChange] {
        notice.entries.compactMap { entry in
            let key = entry.key
            let new = context.value(of: entry.new, toldOf: key)
            let isForgotten = new == nil && isComplete
            let last = values.withLock {
                isForgotten ? $0.removeValue(forKey: key) : $0.updateValue(new, forKey: key)
            }
            let old = last ?? firstOld(notice, entry, new) { context.value(of: $0, onceToldOf: key) }
            guard notice.isInitial || old != new else { return nil }
            return DefaultsChange(
                key: key.string, oldValue: options.values.contains(.old) ? old : nil,
                newValue: options.values.contains(.new) ? new : nil, isInitial: notice.isInitial,
                cause: notice.cause,
                isSecret: context.isSecret(key))
        }
    }

    /// The old value of a key that no value was given for yet.
    private func firstOld(
        _ notice: ChangeNotice, _ entry: ChangeNotice.Entry, _ new: DefaultsValue?,
        _ value: (StoredValue?) -> DefaultsValue?
    ) -> DefaultsValue? {
        if entry.old == entry.new { return new }
        return isComplete ? nil : value(entry.old)
    }
}

extension SuiteContext {
    /// Returns the value of a text that an observer is given; in place of one that the declared key cannot use the present
    /// value.
    fileprivate func value(of text: StoredValue?, toldOf key: KeyName) -> DefaultsValue? {
        let domains = domains.load()
        guard !isUsable(text, key, domains) else { return value(of: text, forKey: key, domains) }
        let view = viewReporting()
        return value(of: self.text(key, in: view), forKey: key, view.domains)
    }

    /// Returns the value of a text that counted before; nothing is reported of what may be gone.
    fileprivate func value(of text: StoredValue?, onceToldOf key: KeyName) -> DefaultsValue? {
        let domains = domains.load()
        guard !isUsable(text, key, domains) else { return value(of: text, forKey: key, domains) }
        return value(of: choice(of: key, among: domains.fallbacks(key), domains).value, forKey: key, domains)
    }
}
