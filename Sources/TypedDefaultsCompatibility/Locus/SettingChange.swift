import DefaultsStore
import TypedDefaults

/// One change in place of a container's setting, from before the value is read until after it is written.
///
/// `container["size"] += 1` is a read and a write; others may write between the two.
struct SettingChange<Value: Codable & Sendable> {
    var value: Value

    private let container: SettingsContainer
    private let setting: RegisteredSetting
    /// The text of the original value; a failure is always a change.
    private let original: Result<StoredValue?, DefaultsError>
    /// Why a change of the value that was read must not be stored.
    private let objection: DefaultsError?

    init(_ key: String, in container: SettingsContainer) {
        self.container = container
        let setting: RegisteredSetting = container.found { () throws(DefaultsError) in
            try container.writable(key)
        }
        self.setting = setting
        var refusal: DefaultsError?
        let begun: Value = container.served(key, refusal: &refusal)
        value = begun
        // A value that is not stored leaks into no file.
        objection =
            setting.persistence == .userDefaults
            ? container.suite.context.refusalOfForeignSecret(setting.name) ?? refusal?.ofLostChange : nil
        original = Result { () throws(DefaultsError) in try container.text(of: begun, for: setting) }
    }

    /// Sets the value if it has changed.
    func finish() {
        container.storing { () throws(DefaultsError) in
            let text = try container.text(of: value, for: setting)
            guard original != .success(text) else { return }
            if let objection { return container.suite.context.report(objection) }
            try container.write(text, to: setting)
        }
    }
}
