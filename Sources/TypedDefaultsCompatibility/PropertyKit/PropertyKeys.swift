import DefaultsStore
import TypedDefaults

/// The keys that properties stand for, created at the first use of each.
///
/// They are kept until the suite's last handle goes, which they are none of: a program may make a suite for each user
/// or document, and what it does not name any more closes.
enum PropertyKeys {
    /// Returns the key of a property.
    ///
    /// Its default is nil, because the property itself says what it is without a value. For the suite, a key that is
    /// declared under the name counts, not this one.
    static func key<Value: Codable & Sendable>(
        _ name: String, of type: Value.Type, in suite: DefaultsSuite
    ) -> Defaults.OptionalKey<Value> {
        let belongings = suite.context.belongings
        let keyName = KeyName(name)
        if let known = belongings.object(keyName, type) as? Defaults.OptionalKey<Value> { return known }
        // Created outside the lock, because declaring a key may report.
        let fresh = Defaults.OptionalKey<Value>(name, suite.companion, .codable, isOfProperty: true) { nil }
        // The handle lasts until then, or the key would be kept after the last one.
        let kept = withExtendedLifetime(suite) { belongings.keep(fresh, keyName, type) }
        return kept as? Defaults.OptionalKey<Value> ?? fresh
    }
}
