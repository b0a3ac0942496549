/// What has become of a settings file that was replaced.
public struct DefaultsReplacement: Hashable, Sendable {
    /// How many settings the new file has.
    public let keys: Int
    /// The path under which the old file is kept, because it could not be read; nil if it could.
    public let original: String?
}
