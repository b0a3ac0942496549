public import DefaultsStore

/// Back to the defaults.
extension Defaults {
    /// Removes the stored values of some keys, so that their defaults apply: `Defaults.reset(.a, .b)`.
    ///
    /// The keys of one suite are reset together, in one transaction. A locked key loses its stored value too;
    /// its locked value applies as before. A failure is reported to the suite's `failures`, and that suite's
    /// stored values stay.
    ///
    /// - Parameters:
    ///   - keys: the keys to reset.
    ///   - suite: the suite to reset them in; nil for each key's own.
    public static func reset(_ keys: AnyKey..., suite: DefaultsSuite? = nil) { reset(keys, suite: suite) }

    /// Removes the stored values of an array of keys, so that their defaults apply.
    ///
    /// The form with the keys as arguments is ``reset(_:suite:)-(Defaults.AnyKey...,_)``.
    ///
    /// - Parameters:
    ///   - keys: the keys to reset.
    ///   - suite: the suite to reset them in; nil for each key's own.
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

    /// Whether a value is stored for a key, whether or not the key can use it.
    ///
    /// If that could not be read, it is false, and the failure is reported to the suite's `failures`.
    public static func isSet(_ key: AnyKey) -> Bool { key.suite.isSet(key) }

    /// Whether the effective value equals the default: the registered one, else the key's own.
    ///
    /// It is also true if exactly that value is stored. Types without `==` are compared by their text.
    ///
    /// - Cost: decodes the value, and computes the default.
    public static func isDefaultValue(_ key: AnyKey) -> Bool { key.isDefaultValue(in: key.suite.context) }
}
