import DefaultsStore

/// A number that is written as many people do and JSON does not: `+5`, `.5`, `-.5`.
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
