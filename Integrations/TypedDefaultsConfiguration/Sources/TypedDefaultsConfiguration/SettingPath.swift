import Configuration
import TypedDefaults

/// Where settings have what a configuration key names: in the setting of the whole name, or inside another's object.
struct SettingPath: Sendable {
    let components: [String]

    init(_ key: AbsoluteConfigKey) { components = key.components }

    /// The whole name, with dots.
    var name: String { components.joined(separator: ".") }

    /// The settings that may have the value, the whole name first.
    var names: [String] {
        components.indices.reversed().map { components[...$0].joined(separator: ".") }
    }
}
