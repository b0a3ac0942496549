@_spi(TypedDefaults) import DefaultsStore

/// Which members of a settings file are settings.
extension DefaultsSuite {
    /// Whether a name may be a setting's: four members say something of the file itself.
    static func isSetting(_ name: String) -> Bool {
        name != schemaKey && name != migrationsKey && name != migrationListsKey && name != historyKey
    }
}
