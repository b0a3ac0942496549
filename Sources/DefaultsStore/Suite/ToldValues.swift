/// The values that an observer was given last, by key, so that its changes form a chain.
///
/// The texts of the domains alone do not tell them: a key may be declared, with a default, after the observer has
/// begun, and a default may differ at each use.
final class ToldValues: Sendable {
    private let values = Locked<[KeyName: DefaultsValue?]>([:])  // A leaf.

    /// Whether the last value given for a key was one.
    func has(_ key: String) -> Bool { values.withLock { ($0[KeyName(key)] ?? nil) != nil } }

    /// Returns the changes that an event amounts to; one of an observer comes after the other.
    func changes(
        _ notice: ChangeNotice, of core: SuiteCore, _ options: DefaultsObservationOptions
    ) -> [DefaultsChange] {
        let domains = core.domains.load()
        return notice.entries.compactMap { entry in
            let key = entry.key
            let new = core.value(of: entry.new, forKey: key, domains)
            let last = values.withLock { $0.updateValue(new, forKey: key) }
            let old = last ?? (entry.old == entry.new ? new : core.value(of: entry.old, forKey: key, domains))
            guard notice.isInitial || old != new else { return nil }
            return DefaultsChange(
                key: key.string, oldValue: options.contains(.old) ? old : nil,
                newValue: options.contains(.new) ? new : nil, isInitial: notice.isInitial, cause: notice.cause
            )
        }
    }
}
