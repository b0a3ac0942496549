import TypedDefaults

/// How the window looks when the program starts.
struct Window: Codable, Sendable {
    var width = 800
    var height = 600
}

/// The colours of the window.
enum Theme: String, Codable, Sendable {
    case light, dark
}

extension Defaults.Keys {
    static let quality = Key<Double>("quality", default: 0.8, validation: .range(0...2))
    static let theme = Key<Theme>("theme", default: .light)
    static let window = Key<Window>("window", default: Window())
    static let nickname = OptionalKey<String>("nickname")
}
