/// The kinds of settings as free functions, as they read in `SettingsContainer.register`.
///
/// In a type with a member of one of these names, write `SettingConfiguration.readonly(...)`.

/// Describes a setting that the program cannot set.
public func readonly(_ key: String, default: SettingDefault = .userDefaults) -> SettingConfiguration {
    .readonly(key, default: `default`)
}

/// Describes a setting that the program cannot set, with a case of a string enum as the key.
public func readonly<Key: RawRepresentable>(
    _ key: Key, default: SettingDefault = .userDefaults
) -> SettingConfiguration where Key.RawValue == String {
    .readonly(key, default: `default`)
}

/// Describes a setting whose value, once set, ends with the process.
public func transient(
    _ key: String, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
) -> SettingConfiguration {
    .transient(key, releaseLocked: releaseLocked, default: `default`)
}

/// Describes a setting whose value ends with the process, with a case of a string enum as the key.
public func transient<Key: RawRepresentable>(
    _ key: Key, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
) -> SettingConfiguration where Key.RawValue == String {
    .transient(key, releaseLocked: releaseLocked, default: `default`)
}

/// Describes a setting whose value, once set, is stored in the suite's file.
public func userDefault(
    _ key: String, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
) -> SettingConfiguration {
    .userDefault(key, releaseLocked: releaseLocked, default: `default`)
}

/// Describes a setting that is stored in the suite's file, with a case of a string enum as the key.
public func userDefault<Key: RawRepresentable>(
    _ key: Key, releaseLocked: Bool = false, default: SettingDefault = .userDefaults
) -> SettingConfiguration where Key.RawValue == String {
    .userDefault(key, releaseLocked: releaseLocked, default: `default`)
}
