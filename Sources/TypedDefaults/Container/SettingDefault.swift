import DefaultsStore

/// Where a setting's default comes from.
///
/// The idea, and the names of the two, are those of Locus.
public struct SettingDefault: Sendable {
    /// Declares a key with the default in a suite; nil where a source supplies it.
    let declaration: (@Sendable (String, DefaultsSuite) -> KeyDeclaration)?

    /// A default that stands in code, which a source's replaces.
    ///
    /// It is kept as JSON, so it can be read as any type that reads the same JSON: a `String` as a `URL`, an `Int` as
    /// a `Double`. Its type says what the command line's and the environment's texts mean, and what may be set.
    public static func local<Value: Codable & Sendable>(_ value: Value) -> SettingDefault {
        SettingDefault { name, suite in
            Defaults.Key<Value>(name, default: value, suite: suite).declaration(in: suite.core)
        }
    }

    /// A default from the registration domain: of a source of default values, or of `register(defaults:)`.
    ///
    /// Until one of them has it, and nothing is set, the setting has no value.
    public static let userDefaults = SettingDefault(declaration: nil)
}
