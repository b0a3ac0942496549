/// Text from files as it may be shown: nothing in it moves the cursor, changes a colour or turns the line around.
///
/// The library's errors have the like, `PrintedText`. It is not public, which it would have to be for this package, and it
/// leaves private and unassigned characters as they are.
enum SafeText {
    /// Whether a character has to be escaped: controls, invisible and direction marks, line separators.
    ///
    /// The two joiners stay, for emoji and some scripts are spelled with them.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return true
        default: return false
        }
    }

    /// A character's escape as JSON has it.
    static func escape(_ scalar: Unicode.Scalar) -> String {
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

    /// A text with its unsafe characters escaped.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.map { isUnsafe($0) ? escape($0) : String($0) }.joined()
    }

    /// The same, but line ends stay.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// A key as a person reads it: as it is, or in quotes where that would not be clear.
    static func name(_ key: String) -> String {
        let isClear =
            !key.isEmpty && !key.hasPrefix(" ") && !key.hasSuffix(" ")
            && !key.unicodeScalars.contains { isUnsafe($0) || $0 == "\"" || $0 == "\\" }
        return isClear ? key : JSONText.quoted(key)
    }
}
