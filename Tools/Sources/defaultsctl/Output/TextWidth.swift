/// How many columns of a terminal a text takes.
enum TextWidth {
    /// The columns of a text.
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// The longest beginning that fits.
    static func cut(_ text: String, to width: Int) -> String {
        var room = width
        return String(
            text.prefix { character in
                room -= columns(character)
                return room >= 0
            })
    }

    private static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first, !first.isASCII else { return 1 }
        if first.properties.generalCategory == .nonspacingMark { return 0 }
        return first.properties.isEmojiPresentation || wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    /// Where the characters stand that take two columns: Hangul, CJK, Kana, full-width forms, emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
