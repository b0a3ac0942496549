import TypedDefaults

enum Theme: String, Codable, CaseIterable, Sendable { case light, dark, auto }
enum Repeat: String, Codable, CaseIterable, Sendable { case off, one, all }

extension Defaults.Keys {
    static let volume = Key<Double>(
        "volume", default: 0.5, validation: .range(0...1), description: "How loud it plays.")
    static let folders = Key<[String]>("folders", default: ["~/Music"], description: "Where the music is.")
    static let order = Key<Repeat>(
        "repeat", default: .off, description: "What is played at the end of a list.")
    static let crossfade = Key<Duration>(
        "crossfade", default: .seconds(3), validation: .range(.zero ... .seconds(12)),
        description: "How long one song goes over into the next one.")
    static let token = OptionalKey<String>("token", secret: true, description: "The account's token.")

    static let theme = Key<Theme>("window.theme", default: .auto, description: "How the window looks.")
    static let width = Key<Int>(
        "window.width", default: 800, validation: .range(320...7_680),
        description: "The window's width, in points.")
    static let onTop = Key<Bool>(
        "window.onTop", default: false, description: "Whether it is above all others.")

    static let bass = Key<Int>(
        "equalizer.bass", default: 0, validation: .range(-12...12),
        description: "How much more bass, in decibels.")
    static let treble = Key<Int>(
        "equalizer.treble", default: 0, validation: .range(-12...12),
        description: "How much more treble, in decibels.")
}

/// Declares all keys, so that the screen knows those that nobody has used yet.
func declareSettings() {
    Defaults.declare(
        .volume, .folders, .order, .crossfade, .token, .theme, .width, .onTop, .bass, .treble)
}
