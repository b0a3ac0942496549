import DefaultsStore

/// The keys that properties stand for, created at the first use of each.
///
/// A key stays, with its suite, as long as the process, like one in a `static let`.
enum PropertyKeys {
    private struct Identity: Hashable {
        let name: KeyName
        let type: ObjectIdentifier
        let suite: DefaultsSuite
    }

    private static let keys = Locked<[Identity: Defaults.AnyKey]>([:])  // A leaf; nothing is called under it.

    /// Returns the key of a property.
    ///
    /// Its default is nil, because the property itself says what it is without a value. For the suite, a key that is
    /// declared under the name counts, not this one.
    static func key<Value: Codable & Sendable>(
        _ name: String, of type: Value.Type, in suite: DefaultsSuite
    ) -> Defaults.OptionalKey<Value> {
        let identity = Identity(name: KeyName(name), type: ObjectIdentifier(type), suite: suite)
        if let known = keys.withLock({ $0[identity] }) as? Defaults.OptionalKey<Value> { return known }
        // Created outside the lock, because declaring a key may report.
        let fresh = Defaults.OptionalKey<Value>(name, suite, .codable, isOfProperty: true) { nil }
        let kept = keys.withLock { keys in
            let kept = keys[identity] ?? fresh
            keys[identity] = kept
            return kept
        }
        return kept as? Defaults.OptionalKey<Value> ?? fresh
    }
}
