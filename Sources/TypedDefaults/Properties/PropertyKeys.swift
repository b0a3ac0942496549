import DefaultsStore

/// The keys that properties stand for, made at the first use of each.
///
/// A key stays, with its suite, as long as the process, as one in a `static let` does.
enum PropertyKeys {
    private struct Identity: Hashable {
        let name: KeyName
        let type: ObjectIdentifier
        let suite: DefaultsSuite
    }

    private static let keys = Locked<[Identity: Defaults.AnyKey]>([:])  // A leaf; nothing is called under it.

    /// The key of a property: its default is nil, since the property says itself what it is without a value.
    static func key<Value: Codable & Sendable>(
        _ name: String, of type: Value.Type, in suite: DefaultsSuite
    ) -> Defaults.OptionalKey<Value> {
        let identity = Identity(name: KeyName(name), type: ObjectIdentifier(type), suite: suite)
        if let known = keys.withLock({ $0[identity] }) as? Defaults.OptionalKey<Value> { return known }
        // Made outside the lock, since declaring a key may report.
        let fresh = Defaults.OptionalKey<Value>(name, suite: suite)
        let kept = keys.withLock { keys in
            let kept = keys[identity] ?? fresh
            keys[identity] = kept
            return kept
        }
        return kept as? Defaults.OptionalKey<Value> ?? fresh
    }
}
