import DefaultsStore
import TypedDefaults

/// One change in place of a container's setting: `container["size"] += 1`, from before the value is read until after it
/// is written.
///
/// It is a read and a write, between which others may write too.
struct SettingChange<Value: Codable & Sendable> {
    /// The value that the body changes.
    var value: Value

    private let container: SettingsContainer
    private let setting: RegisteredSetting
    /// What would have been set for the original value; a failure counts as a change.
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
        // What is not stored leaks into no file.
        objection =
            setting.persistence == .userDefaults
            ? container.suite.context.refusalOfForeignSecret(setting.name) ?? refusal?.ofLostChange : nil
        original = Result { () throws(DefaultsError) in try container.text(of: begun, for: setting) }
    }

    /// Sets what was changed; an unchanged value is not set.
    func finish() {
        container.storing { () throws(DefaultsError) in
            let text = try container.text(of: value, for: setting)
            guard original != .success(text) else { return }
            if let objection { return container.suite.context.report(objection) }
            try container.write(text, to: setting)
        }
    }
}
