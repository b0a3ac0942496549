import DefaultsStore
import TypedDefaults

/// Where a setting's default comes from.
///
/// The idea, and the two names, are those of Locus.
public struct SettingDefault: Sendable {
    /// Declares a key with the default in a suite; nil if a source supplies it.
    let declaration: (@Sendable (String, DefaultsSuite) -> KeyDeclaration)?

    /// A default in code, which is replaced by a source's.
    ///
    /// It is kept as JSON, so it can be read as any type with the same JSON: a `String` as a `URL`, an `Int`
    /// as a `Double`. Its type decides how texts of the command line and the environment are read, and which
    /// values may be set.
    public static func local<Value: Codable & Sendable>(_ value: Value) -> SettingDefault {
        SettingDefault { name, suite in
            Defaults.Key<Value>(name, default: value, suite: suite).declaration(in: suite.context)
        }
    }

    /// A default from the registration domain: of a source of default values, or of `register(defaults:)`.
    ///
    /// Until one of them has it, and nothing is set, the setting has no value.
    public static let userDefaults = SettingDefault(declaration: nil)
}
