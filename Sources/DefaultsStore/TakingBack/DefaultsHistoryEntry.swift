/// A value that a key had: one entry for each change of what is stored.
public struct DefaultsHistoryEntry: Hashable, Sendable {
    /// The first version that had it.
    public let version: DefaultsVersion
    /// The value; nil if the key was not stored then.
    public let value: DefaultsValue?
    /// Whether the key was stored.
    public var isSet: Bool { value != nil }
}
