import TypedDefaults
import TypedDefaultsCompatibility

// In memory, so that the example leaves nothing behind; a program of its own uses the standard suite as it is.
try DefaultsSuite.bootstrap(standard: .inMemory())

SettingsContainer.shared.register {
    readonly(SettingKey.serverTimeout, default: .local(30.0))
    transient(SettingKey.serverMaxRetries, releaseLocked: true, default: .local(5))
    userDefault(SettingKey.serverUrl)
}

let shipped = DictionaryDefaultValueSource(
    [SettingKey.serverUrl.rawValue: "http://localhost"], name: "shipped")
try await SettingsContainer.shared.read(sources: shipped)

let client = Client()
print("1. The defaults: \(client)")

client.serverUrl = "https://example.com"
print("2. The user chooses another server: \(client)")

print("3. A mistyped key:")
do { try SettingsContainer.shared.set("server.ulr", to: "") } catch { print("   \(error)") }

print("4. A readonly setting:")
do { try SettingsContainer.shared.set(SettingKey.serverTimeout, to: 1.0) } catch { print("   \(error)") }

print("5. One that only debug builds can set:")
try checkReleaseLock()
