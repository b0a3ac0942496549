/// The domain that supplies a key's effective value; more may be added.
public struct DefaultsDomain: Hashable, Sendable, CustomStringConvertible {
    /// The domain's name: `"stored"`.
    public let description: String

    /// An administrator's file, or a source of default values that locks keys; nobody else may set them.
    public static let managed = DefaultsDomain(description: "managed")
    /// The command line, if ``DefaultsSuite/addArguments(_:names:)`` was called.
    public static let arguments = DefaultsDomain(description: "arguments")
    /// The environment, if ``DefaultsSuite/addEnvironment(prefix:in:)`` was called.
    public static let environment = DefaultsDomain(description: "environment")
    /// What this process has set for as long as it runs.
    public static let transient = DefaultsDomain(description: "transient")
    /// The settings file, or what was set in a suite in memory.
    public static let stored = DefaultsDomain(description: "stored")
    /// A default: a source's, that of `register(defaults:)`, or the key's own.
    public static let registered = DefaultsDomain(description: "registered")
}
