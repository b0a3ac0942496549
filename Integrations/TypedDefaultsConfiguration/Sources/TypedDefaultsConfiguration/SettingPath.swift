import Configuration
import TypedDefaults

/// Where settings have what a configuration key names: in the setting of the whole name, or inside another's object.
struct SettingPath: Sendable {
    private let components: [String]

    init(_ key: AbsoluteConfigKey) { components = key.components }

    /// The whole name, with dots.
    var name: String { components.joined(separator: ".") }

    /// The settings that may have the value, the whole name first.
    var names: [String] {
        components.indices.reversed().map { components[...$0].joined(separator: ".") }
    }

    /// Returns the value, nil if no setting has it.
    ///
    /// Of several the one with the longest name counts, inside objects too, so that `{"http": {"tls.port": 1}}` has
    /// `http.tls.port`, as in swift-configuration's own JSON files.
    /// Those that an administrator has locked are asked first, or a setting of a longer name would hide a member of
    /// one of them.
    func value(in settings: DefaultsSnapshot) -> DefaultsValue? {
        SettingPath.value(components[...]) { settings.isLocked(key: $0) ? settings.value(forKey: $0) : nil }
            ?? SettingPath.value(components[...], in: settings.value)
    }

    private static func value(
        _ components: ArraySlice<String>, in members: (String) -> DefaultsValue?
    ) -> DefaultsValue? {
        for count in stride(from: components.count, to: 0, by: -1) {
            guard let found = members(components.prefix(count).joined(separator: ".")) else { continue }
            let rest = components.dropFirst(count)
            if rest.isEmpty { return found }
            if let object = found.object, let inner = value(rest, in: { object[$0] }) { return inner }
        }
        return nil
    }
}
