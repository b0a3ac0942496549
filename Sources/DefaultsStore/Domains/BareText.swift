/// A text from the command line or the environment, which has no type before a key gives it one.
package struct BareText: Hashable, Sendable {
    /// The text; nil for a flag that stands alone.
    let text: String?
    /// The word behind a flag without `=`: its value, unless the flag is one that needs none.
    var following: String?

    /// What the text is to a key nobody has declared: JSON where it is JSON, else a bare word.
    ///
    /// A flag takes the word behind it; one without is `true`.
    var untyped: StoredValue {
        guard let text = text ?? following else { return StoredValue(.bool(true)) }
        return BareText.json(text) ?? BareText.word(text)
    }

    /// The text as it was given, for `explain`.
    func raw(isFlag: Bool) -> String? {
        if let text { return text }
        guard let following, !isFlag || BareText.truth(following) != nil else { return nil }
        return following
    }

    /// What the text is to a declared key.
    func typed(_ declaration: KeyDeclaration) throws(DefaultsError) -> StoredValue {
        if let text = raw(isFlag: declaration.isFlag) { return try declaration.reading(text) }
        if declaration.isFlag { return try declaration.reading("true") }
        throw DefaultsError(
            .typeMismatch, key: declaration.name.string, underlyingDescription: "it has no value")
    }

    /// A text that is one JSON value.
    package static func json(_ text: String) -> StoredValue? {
        do { return try StoredValue(validating: Array(text.utf8)) } catch { return nil }
    }

    /// A text that stands for itself.
    package static func word(_ text: String) -> StoredValue { StoredValue(.string(text)) }

    /// What people write for a truth value, in any case.
    package static func truth(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }
}
