import DefaultsStore

/// A type of lists.
protocol ElementList {
    static var elementType: any Any.Type { get }
}

extension Array: ElementList {
    static var elementType: any Any.Type { Element.self }
}

extension Set: ElementList {
    static var elementType: any Any.Type { Element.self }
}

/// Texts of the command line or the environment for a list: `a,b`, `["a", "b"]`, or several of them.
enum ListText {
    /// The possible forms of the texts, the likeliest first.
    static func forms(of texts: [String], _ element: any Any.Type) -> [StoredValue] {
        var elements: [DefaultsValue] = []
        for text in texts {
            // A text that begins as JSON and is invalid is a mistake, not a word.
            guard let own = ListText.elements(of: text, element) else { return [BareText.word(text)] }
            elements += own
        }
        let list = StoredValue(.array(elements))
        // An optional list may be nil.
        return texts == ["null"] ? [StoredValue(.null), list] : [list]
    }

    /// Nil for broken JSON.
    private static func elements(of text: String, _ element: any Any.Type) -> [DefaultsValue]? {
        let trimmed = BareText.trimmed(text)
        if trimmed.isEmpty { return [] }
        if trimmed.utf8.first == UInt8(ascii: "[") { return BareText.json(text)?.value.array }
        // By bytes: to Swift, a comma and a combining mark after it are one other character.
        return trimmed.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
            value(of: BareText.trimmed(String(decoding: $0, as: UTF8.self)), element)
        }
    }

    /// A wrong kind is an error of the element type's decoding.
    private static func value(of text: String, _ element: any Any.Type) -> DefaultsValue {
        let word = DefaultsValue.string(text)
        if element == String.self { return word }
        if element == Bool.self { return BareText.truth(text).map { .bool($0) } ?? word }
        // A case may be a string of digits.
        if ValueSchema.of(element)["enum"]?.array?.contains(word) == true { return word }
        if let number = NumberText.number(text) { return .number(number) }
        guard case .number(let number)? = BareText.json(text)?.value else { return word }
        return .number(number)
    }
}

/// A number in a common form that is not JSON: `+5`, `.5`, `-.5`.
enum NumberText {
    /// Returns the number; nil for any other text, JSON's numbers included.
    static func number(_ text: String) -> DefaultsNumber? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let hasSign = isNegative || text.utf8.first == UInt8(ascii: "+")
        let digits = hasSign ? text.dropFirst() : text[...]
        guard let first = digits.utf8.first, first != UInt8(ascii: "-"),
            first == UInt8(ascii: ".") || hasSign && !isNegative
        else { return nil }
        return DefaultsNumber((isNegative ? "-" : "") + (first == UInt8(ascii: ".") ? "0" : "") + digits)
    }
}
