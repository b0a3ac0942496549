/// A stored value that its key cannot use: the default is served for it, and its bytes stay as they are.
public struct DefaultsProblem: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The value's line in the settings file, counted from 1; nil in memory.
    public let line: Int?
    /// The value's column, counted from 1 in Unicode scalars.
    public let column: Int?
    /// `.typeMismatch` or `.invalidValue`.
    public let code: DefaultsError.Code
    /// Why the value cannot be used, without the value.
    public let reason: String
    /// The value as it stands in the file; nil for a secret key.
    public let text: String?
}
