/// Text from outside as it may be printed: on one line, and unable to control a terminal.
enum PrintedText {
    /// Returns the text with control characters, line ends and direction marks escaped as in JSON, `\u001B`.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.map { isUnsafe($0) ? escape($0) : String($0) }.joined()
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        // The two joiners stay, because emoji and some scripts are spelled with them.
        if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        default: String(scalar).utf16.map(unit).joined()
        }
    }

    private static func unit(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16, uppercase: true)
        return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// What stands for a secret where it is printed: `(secret)`.
package struct HiddenValue: Hashable, Sendable, CustomStringConvertible {
    package var description: String { "(secret)" }

    /// Returns a value to be printed, or what stands for it.
    package static func unless(_ mayBePrinted: Bool, _ value: Any) -> Any {
        mayBePrinted ? value : HiddenValue()
    }
}
