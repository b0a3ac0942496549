// The shapes of the settings container.
import Foundation
import TypedDefaults
import TypedDefaultsCompatibility

enum SettingKey: String {
    case serverTimeout = "server.timeout"
    case serverUrl = "server.url"
}

struct Client {
    @Setting(SettingKey.serverTimeout) var timeout: Double
    @Setting(SettingKey.serverUrl) var serverUrl: URL
    @Setting("server.retries") var retries: Int

    func retryLess() { retries -= 1 }
}

/// A type with members of the functions' names.
struct Registrar {
    var readonly = true
    var transient = false

    func register() {
        SettingsContainer.shared.register {
            SettingConfiguration.readonly(SettingKey.serverTimeout, default: .local(30.0))
            SettingConfiguration.transient("server.retries", releaseLocked: true, default: .local(5))
        }
    }
}

func registerAll() {
    SettingsContainer.shared.register {
        readonly(SettingKey.serverTimeout, default: .userDefaults)
        transient("server.maxRetries", releaseLocked: true, default: .local(5))
        userDefault(SettingKey.serverUrl)
        userDefault("pageSize")
        SettingConfiguration(SettingKey.serverUrl, default: .local("http://localhost"))
        SettingConfiguration("server.delay", persistence: .userDefaults, default: .local(1.0))
    }
}

func use(_ bundle: SettingsBundleDefaultValueSource, _ remote: JSONDefaultValueSource) async throws {
    SettingsContainer.shared.read(sources: bundle, remote) { error in print(error as Any) }
    try await SettingsContainer.shared.read(sources: bundle, remote)
    let timeout: Double = SettingsContainer.shared[SettingKey.serverTimeout]
    let url = SettingsContainer.shared["server.url"] as URL
    SettingsContainer.shared[SettingKey.serverUrl] = url
    print(timeout, try SettingsContainer.shared.value(SettingKey.serverUrl, as: URL.self))
    for await (key, value) in SettingsContainer.shared.defaultValueUpdates where key == "pageSize" {
        print(value)
    }
}
