/// A text from the command line or the environment, which has no type until a key gives it one.
package struct BareText: Hashable, Sendable {
    /// Nil for a flag without `=`.
    let text: String?
    /// The word after a flag without `=`: its value, unless the flag needs none.
    let following: String?
    /// What it means to an undeclared key: JSON if it is valid JSON, otherwise a bare word.
    ///
    /// A flag takes the word after it; a flag without one is `true`.
    let untyped: StoredValue

    init(text: String?, following: String? = nil) {
        self.text = text
        self.following = following
        untyped = (text ?? following).map { BareText.json($0) ?? BareText.word($0) } ?? BareText.alone
    }

    private static let alone = StoredValue(.bool(true))

    /// As given, for `explain`.
    func raw(isFlag: Bool) -> String? {
        if let text { return text }
        guard let following, !isFlag || BareText.truth(following) != nil else { return nil }
        return following
    }

    /// Returns what the text means to a declared key, which reads it by its type; of a flag without a value `true`.
    func typed(_ declaration: KeyDeclaration) throws(DefaultsError) -> String {
        if let text = raw(isFlag: declaration.isFlag) { return text }
        if declaration.isFlag { return "true" }
        throw DefaultsError(
            .typeMismatch, key: declaration.name.string, underlyingDescription: "it has no value")
    }

    /// Nil for a text that is not one JSON value.
    package static func json(_ text: String) -> StoredValue? {
        do { return try StoredValue(validating: Array(text.utf8)) } catch { return nil }
    }

    package static func word(_ text: String) -> StoredValue { StoredValue(.string(text)) }

    /// Returns the Boolean that a text stands for, in any case, with white space around it as JSON allows; nil for any other
    /// text.
    ///
    /// The one table of all domains, which systemd's configuration files have too; `defaultsctl` has a copy.
    package static func truth(_ text: String) -> Bool? {
        switch trimmed(text).lowercased() {
        case "true", "yes", "on", "1", "y", "t": true
        case "false", "no", "off", "0", "n", "f": false
        default: nil
        }
    }
}

extension BareText {
    /// Returns a text without the white space of JSON around it.
    package static func trimmed(_ text: String) -> String {
        var rest = text.utf8.drop(while: \.isWhiteSpace)
        while rest.last?.isWhiteSpace == true { rest.removeLast() }
        return String(decoding: rest, as: UTF8.self)
    }
}

/// A text as one writes it in a shell: in quotes, if the shell would make something else of it.
package struct ShellWord: CustomStringConvertible {
    private let text: String

    package init(_ text: String) { self.text = text }

    /// The text, in single quotes if it has more than letters, digits and a few signs.
    package var description: String {
        if !text.isEmpty, text.utf8.allSatisfy(ShellWord.isPlain) { return text }
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#) + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
        case UInt8(ascii: "+")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "@"): true
        default: false
        }
    }
}
