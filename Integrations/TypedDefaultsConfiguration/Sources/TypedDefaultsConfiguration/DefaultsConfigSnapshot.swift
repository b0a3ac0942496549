import Configuration
@_spi(TypedDefaults) import DefaultsStore
import TypedDefaults

/// All values of a suite at one moment, by configuration keys.
struct DefaultsConfigSnapshot: ConfigSnapshot {
    let providerName: String
    let suite: DefaultsSuite
    let values: DefaultsSnapshot

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        try result(forKey: key, type: type).get()
    }

    /// Returns the same, or what is wrong, as values that can be compared.
    func result(forKey key: AbsoluteConfigKey, type: ConfigType) -> Result<LookupResult, DefaultsError> {
        let path = SettingPath(key)
        guard let value = values.value(atPath: path.components), !value.isNull else {
            return .success(LookupResult(encodedKey: path.name, value: nil))
        }
        guard let content = ConfigContent(value, as: type) else {
            return .failure(
                DefaultsError(
                    .typeMismatch, suite: suite.name, key: path.name,
                    underlyingDescription: "it is \(value.kind), and was asked for as \(type)"))
        }
        let isSecret = path.names.contains(where: suite.isSecret)
        return .success(
            LookupResult(encodedKey: path.name, value: ConfigValue(content, isSecret: isSecret)))
    }
}
