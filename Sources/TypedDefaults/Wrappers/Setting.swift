/// A property that stands for a container's setting.
///
/// ```swift
/// enum SettingKey: String { case serverTimeout = "server.timeout" }
///
/// struct Client {
///     @Setting(SettingKey.serverTimeout) var timeout: Double
///     @Setting("server.retries") var retries: Int
/// }
/// ```
///
/// The container is asked for at each access, so the setting may be registered after the property is made. Traps where
/// the container's subscript does.
@propertyWrapper
public struct Setting<Value: Codable & Sendable>: Sendable {
    private let key: String
    private let container: @Sendable () -> SettingsContainer

    /// Stands for the setting of a key.
    public init(
        _ key: String,
        container: @autoclosure @escaping @Sendable () -> SettingsContainer = SettingsContainer.shared
    ) {
        self.key = key
        self.container = container
    }

    /// The same with a string enum's case as the key.
    public init<Key: RawRepresentable>(
        _ key: Key,
        container: @autoclosure @escaping @Sendable () -> SettingsContainer = SettingsContainer.shared
    ) where Key.RawValue == String {
        self.init(key.rawValue, container: container())
    }

    /// The value of the setting, as the container's subscript gives it.
    public var wrappedValue: Value {
        get { container()[key] }
        nonmutating set { container()[key] = newValue }
    }
}
