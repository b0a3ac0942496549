import TypedDefaults
import TypedDefaultsCompatibility

enum SettingKey: String {
    case serverTimeout = "server.timeout"
    case serverMaxRetries = "server.maxRetries"
    case serverUrl = "server.url"
}

/// What uses the settings.
struct Client: CustomStringConvertible {
    @Setting(SettingKey.serverTimeout) var timeout: Double
    @Setting(SettingKey.serverMaxRetries) var maxRetries: Int
    @Setting(SettingKey.serverUrl) var serverUrl: String

    var description: String { "\(serverUrl), \(timeout) s, \(maxRetries) retries" }
}
