/// The domain that supplies a key's effective value, open to growth.
public struct DefaultsOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The domain's name: `"stored"`.
    public let description: String

    /// The settings file, or what was set in a suite in memory.
    public static let stored = DefaultsOrigin(description: "stored")
    /// A registered default: `register(defaults:)` or the key's own default.
    public static let registered = DefaultsOrigin(description: "registered")
}
