public import DefaultsStore

/// Back to the defaults.
extension Defaults {
    /// Removes the stored values of some keys, so that their defaults count: `Defaults.reset(.a, .b)`.
    ///
    /// The keys of one suite are reset together, in one transaction. Of a locked key too what is stored goes, and the locked
    /// value applies as before. A failure is reported to the suite's `failures`,
    /// and what was stored in it stays.
    public static func reset(_ keys: AnyKey..., suite: DefaultsSuite? = nil) { reset(keys, suite: suite) }

    /// Does the same with an array of keys.
    ///
    /// - Parameter suite: the suite to reset them in; nil for each key's own.
    public static func reset(_ keys: [AnyKey], suite: DefaultsSuite? = nil) {
        for (suite, keys) in Dictionary(grouping: keys, by: { suite ?? $0.suite }) {
            do { try suite.reset(keys) } catch { suite.context.report(error) }
        }
    }

    /// Removes all stored values of a suite, including those of undeclared keys.
    ///
    /// A failure is reported to the suite's `failures`, and what was stored stays.
    public static func removeAll(suite: DefaultsSuite = .standard) {
        do { try suite.removeAll() } catch { suite.context.report(error) }
    }

    /// Whether a value is stored for a key, whatever it is; false if that could not be read, which is reported to the
    /// suite's `failures`.
    public static func isSet(_ key: AnyKey) -> Bool { key.suite.isSet(key) }

    /// Whether the effective value equals the default, which is the registered one, else the key's own; also true if
    /// exactly that value is stored.
    ///
    /// Types without `==` are compared by their text.
    ///
    /// - Cost: decodes the value, and computes the default.
    public static func isDefaultValue(_ key: AnyKey) -> Bool { key.isDefaultValue(in: key.suite.context) }
}
