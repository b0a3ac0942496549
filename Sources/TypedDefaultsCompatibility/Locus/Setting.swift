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
/// Each access goes to the container, so the setting may be registered after the property is created. It
/// traps where the container's subscript does.
@propertyWrapper
public struct Setting<Value: Codable & Sendable>: Sendable {
    private let key: String
    private let container: @Sendable () -> SettingsContainer

    /// Creates a property for the setting of a key.
    public init(
        _ key: String,
        container: @autoclosure @escaping @Sendable () -> SettingsContainer = SettingsContainer.shared
    ) {
        self.key = key
        self.container = container
    }

    /// Creates a property for a setting whose key is a case of a string enum.
    public init<Key: RawRepresentable>(
        _ key: Key,
        container: @autoclosure @escaping @Sendable () -> SettingsContainer = SettingsContainer.shared
    ) where Key.RawValue == String {
        self.init(key.rawValue, container: container())
    }

    /// The value of the setting, as the container's subscript returns it.
    public var wrappedValue: Value {
        get { container()[key] }
        nonmutating set { container()[key] = newValue }
        nonmutating _modify { yield &container()[key] }
    }
}
