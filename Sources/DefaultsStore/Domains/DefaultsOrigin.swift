/// The domain that supplies a key's effective value; more may be added.
public struct DefaultsOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The domain's name: `"stored"`.
    public let description: String

    /// An administrator's file, or a source of default values that locks keys; nobody else may set them.
    public static let managed = DefaultsOrigin(description: "managed")
    /// The command line, if ``DefaultsSuite/addArguments(_:)`` was called.
    public static let arguments = DefaultsOrigin(description: "arguments")
    /// The environment, if ``DefaultsSuite/addEnvironment(prefix:in:)`` was called.
    public static let environment = DefaultsOrigin(description: "environment")
    /// What this process has set for as long as it runs.
    public static let transient = DefaultsOrigin(description: "transient")
    /// The settings file, or what was set in a suite in memory.
    public static let stored = DefaultsOrigin(description: "stored")
    /// A default: a source's, that of `register(defaults:)`, or the key's own.
    public static let registered = DefaultsOrigin(description: "registered")
}
