/// A value that its key cannot use, a name that no key has, or a validation that the current values fail.
///
/// For a value, the next domain's or the default is served, and its bytes stay as they are.
public struct DefaultsProblem: Hashable, Sendable {
    /// The key; nil for a validation across keys and for a variable that nothing takes.
    public let key: String?
    /// The name of a validation across keys; nil for a value.
    public var validation: String?
    /// The domain that has the value: `.stored`; nil for a validation.
    public let domain: DefaultsDomain?
    /// The value's line in its file, counted from 1; nil if it is in no file.
    public let line: Int?
    /// The value's column, counted from 1 in Unicode scalars.
    public let column: Int?
    /// `.typeMismatch` or `.invalidValue`; `.unregisteredKey` for a name that nothing takes.
    public let code: DefaultsError.Code
    /// Why the value cannot be used, without the value.
    public let reason: String
    /// The value as it was written; nil for a secret key, for a name that nothing takes, and for a validation.
    public let text: String?
}

extension DefaultsProblem: CustomStringConvertible {
    /// One sentence: which value, where, and why it cannot be used; never the value.
    public var description: String {
        guard let key else { return PrintedText.escaped("The settings do not go together: \(reason).") }
        let source = domain.map { " (\($0))" } ?? ""
        let place = line.map { " at line \($0), column \(column ?? 1)" } ?? ""
        return PrintedText.escaped("The value of \"\(key)\"\(source)\(place) is refused: \(reason).")
    }
}
