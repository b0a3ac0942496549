import TypedDefaults
import TypedDefaultsCompatibility

/// The lock of a setting is not what the build says.
struct WrongLock: Error {}

/// Sets the setting that is locked in release builds, and ends the program in error where the lock is not as the build
/// says: CI runs this in both.
func checkReleaseLock() throws {
    #if DEBUG
        let isRelease = false
    #else
        let isRelease = true
    #endif
    guard try setMaxRetries() != isRelease else { throw WrongLock() }
}

/// Returns whether the setting could be set.
private func setMaxRetries() throws(DefaultsError) -> Bool {
    do {
        try SettingsContainer.shared.set(SettingKey.serverMaxRetries, to: 9)
    } catch {
        guard error.code == .locked else { throw error }
        print("   \(error)")
        return false
    }
    print("   set, in a debug build: \(Client())")
    return true
}
