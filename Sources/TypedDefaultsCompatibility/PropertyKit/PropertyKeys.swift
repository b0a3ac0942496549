import DefaultsStore
import TypedDefaults

/// The keys of properties, created at the first use of each.
///
/// They are kept until the suite's last handle is released, and are none themselves. A program may create a
/// suite for each user or document, and one that it no longer refers to closes.
enum PropertyKeys {
    /// Returns the key of a property.
    ///
    /// Its default is nil, because the property itself provides a default. A key that is declared under the
    /// name replaces it in the suite's catalogue.
    static func key<Value: Codable & Sendable>(
        _ name: String, of type: Value.Type, in suite: DefaultsSuite
    ) -> Defaults.OptionalKey<Value> {
        let belongings = suite.context.belongings
        let keyName = KeyName(name)
        if let known = belongings.object(keyName, type) as? Defaults.OptionalKey<Value> { return known }
        // Created outside the lock, because declaring a key may report.
        let fresh = Defaults.OptionalKey<Value>(name, suite.companion, .codable, isOfProperty: true) { nil }
        // The handle has to live until then, or the key would be kept after the last one.
        let kept = withExtendedLifetime(suite) { belongings.keep(fresh, keyName, type) }
        return kept as? Defaults.OptionalKey<Value> ?? fresh
    }
}
