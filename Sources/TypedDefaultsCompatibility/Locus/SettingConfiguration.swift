/// A setting to be registered with a ``SettingsContainer``: its key, who may change it, and its default.
///
/// ```swift
/// SettingsContainer(suite: .inMemory()).register {
///     SettingConfiguration("server.url", default: .local("http://localhost"))
///     SettingConfiguration(
///         "server.delay", persistence: .userDefaults, default: .local(1.0))
/// }
/// ```
public struct SettingConfiguration: Sendable {
    /// The destination of a value that the program sets.
    public enum Persistence: Hashable, Sendable {
        /// The program cannot set the setting.
        case none
        /// The transient domain: the value ends with the process.
        case transient
        /// The suite's file.
        case userDefaults
    }

    /// The key, the only one of its name in a container.
    public let key: String
    /// The destination of a value that the program sets.
    public let persistence: Persistence
    /// Whether release builds cannot set it.
    public let releaseLocked: Bool
    /// Where the default comes from.
    public let defaultValue: SettingDefault

    /// Describes a setting; without `persistence`, one that cannot be set.
    ///
    /// Traps if a setting that cannot be set in any build is to be locked in release builds.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - persistence: the destination of a value that the program sets.
    ///   - releaseLocked: whether only debug builds can set it.
    ///   - default: where the default comes from.
    public init(
        _ key: String, persistence: Persistence = .none, releaseLocked: Bool = false,
        default: SettingDefault = .userDefaults
    ) {
        precondition(
            !releaseLocked || persistence != .none,
            "the setting \"\(key)\" cannot be set in any build, so releaseLocked: true has no meaning")
        self.key = key
        self.persistence = persistence
        self.releaseLocked = releaseLocked
        self.defaultValue = `default`
    }

    /// Describes a setting whose key is a case of a string enum.
    ///
    /// Without `persistence` it cannot be set. It traps where
    /// ``init(_:persistence:releaseLocked:default:)-(String,_,_,_)`` does.
    ///
    /// - Parameters:
    ///   - key: the key, a case of a string enum.
    ///   - persistence: the destination of a value that the program sets.
    ///   - releaseLocked: whether only debug builds can set it.
    ///   - default: where the default comes from.
    public init<Key: RawRepresentable>(
        _ key: Key, persistence: Persistence = .none, releaseLocked: Bool = false,
        default: SettingDefault = .userDefaults
    ) where Key.RawValue == String {
        self.init(
            key.rawValue, persistence: persistence, releaseLocked: releaseLocked, default: `default`)
    }
}

extension SettingConfiguration {
    /// Describes a setting that the program cannot set: its value comes from defaults, an administrator, the command
    /// line or the environment.
    public static func readonly(_ key: String, default: SettingDefault = .userDefaults) -> Self {
        SettingConfiguration(key, default: `default`)
    }

    /// Describes a setting whose key is a case of a string enum and that the program cannot set.
    public static func readonly<Key: RawRepresentable>(
        _ key: Key, default: SettingDefault = .userDefaults
    ) -> Self where Key.RawValue == String {
        SettingConfiguration(key, default: `default`)
    }

    /// Describes a setting whose value, once set, ends with the process.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - releaseLocked: whether only debug builds can set it.
    ///   - default: where the default comes from.
    public static func transient(
        _ key: String, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
    ) -> Self {
        SettingConfiguration(
            key, persistence: .transient, releaseLocked: releaseLocked, default: `default`)
    }

    /// Describes a setting whose key is a case of a string enum and whose value, once set, ends with the
    /// process.
    ///
    /// - Parameters:
    ///   - key: the key, a case of a string enum.
    ///   - releaseLocked: whether only debug builds can set it.
    ///   - default: where the default comes from.
    public static func transient<Key: RawRepresentable>(
        _ key: Key, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
    ) -> Self where Key.RawValue == String {
        transient(key.rawValue, releaseLocked: releaseLocked, default: `default`)
    }

    /// Describes a setting whose value, once set, is stored in the suite's file.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - releaseLocked: whether only debug builds can set it.
    ///   - default: where the default comes from.
    public static func userDefault(
        _ key: String, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
    ) -> Self {
        SettingConfiguration(
            key, persistence: .userDefaults, releaseLocked: releaseLocked, default: `default`)
    }

    /// Describes a setting whose key is a case of a string enum and whose value, once set, is stored in the
    /// suite's file.
    ///
    /// - Parameters:
    ///   - key: the key, a case of a string enum.
    ///   - releaseLocked: whether only debug builds can set it.
    ///   - default: where the default comes from.
    public static func userDefault<Key: RawRepresentable>(
        _ key: Key, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
    ) -> Self where Key.RawValue == String {
        userDefault(key.rawValue, releaseLocked: releaseLocked, default: `default`)
    }
}

/// The kinds of settings as free functions, as they read in `SettingsContainer.register`.
///
/// In a type with a member of one of these names, write `SettingConfiguration.readonly(...)`.

/// Describes a setting that the program cannot set.
public func readonly(_ key: String, default: SettingDefault = .userDefaults) -> SettingConfiguration {
    .readonly(key, default: `default`)
}

/// Describes a setting whose key is a case of a string enum and that the program cannot set.
public func readonly<Key: RawRepresentable>(
    _ key: Key, default: SettingDefault = .userDefaults
) -> SettingConfiguration where Key.RawValue == String {
    .readonly(key, default: `default`)
}

/// Describes a setting whose value, once set, ends with the process.
///
/// - Parameters:
///   - key: the key.
///   - releaseLocked: whether only debug builds can set it.
///   - default: where the default comes from.
public func transient(
    _ key: String, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
) -> SettingConfiguration {
    .transient(key, releaseLocked: releaseLocked, default: `default`)
}

/// Describes a setting whose key is a case of a string enum and whose value, once set, ends with the process.
///
/// - Parameters:
///   - key: the key, a case of a string enum.
///   - releaseLocked: whether only debug builds can set it.
///   - default: where the default comes from.
public func transient<Key: RawRepresentable>(
    _ key: Key, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
) -> SettingConfiguration where Key.RawValue == String {
    .transient(key, releaseLocked: releaseLocked, default: `default`)
}

/// Describes a setting whose value, once set, is stored in the suite's file.
///
/// - Parameters:
///   - key: the key.
///   - releaseLocked: whether only debug builds can set it.
///   - default: where the default comes from.
public func userDefault(
    _ key: String, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
) -> SettingConfiguration {
    .userDefault(key, releaseLocked: releaseLocked, default: `default`)
}

/// Describes a setting whose key is a case of a string enum and whose value, once set, is stored in the
/// suite's file.
///
/// - Parameters:
///   - key: the key, a case of a string enum.
///   - releaseLocked: whether only debug builds can set it.
///   - default: where the default comes from.
public func userDefault<Key: RawRepresentable>(
    _ key: Key, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
) -> SettingConfiguration where Key.RawValue == String {
    .userDefault(key, releaseLocked: releaseLocked, default: `default`)
}
