/// What a person sees as one character, as a terminal may be given it.
struct Glyph: Equatable {
    let text: String
    /// One column, or two.
    let columns: Int
}

/// The glyphs of a text from outside: nothing in it moves the cursor, changes a colour or turns the line around.
///
/// What a terminal would obey, and what nobody would see, is escaped as in JSON: `\u001B`. A text of any length costs what is
/// taken of it.
struct Glyphs: Sequence, IteratorProtocol {
    private var rest: Substring
    private var pending: [Glyph] = []
    /// The most scalars of one character; a text may have thousands of marks on one letter.
    private static let mostScalars = 16

    init(_ text: String) { rest = text[...] }

    mutating func next() -> Glyph? {
        if !pending.isEmpty { return pending.removeFirst() }
        guard let character = rest.popFirst() else { return nil }
        if let ascii = character.asciiValue, (0x20..<0x7F).contains(ascii), character != "\r\n" {
            return Glyph(text: String(character), columns: 1)
        }
        pending = Glyphs.glyphs(of: character)
        return pending.removeFirst()
    }

    private static func glyphs(of character: Character) -> [Glyph] {
        let scalars = character.unicodeScalars
        guard scalars.contains(where: isUnsafe) || isJoiner(character.unicodeScalars[scalars.startIndex])
        else {
            return [glyph(of: scalars.prefix(mostScalars))]
        }
        // One by one, so that the escaped ones are seen where they are.
        return scalars.prefix(mostScalars).flatMap { scalar -> [Glyph] in
            guard isUnsafe(scalar) || isJoiner(scalar) else {
                return [glyph(of: Character(scalar).unicodeScalars[...])]
            }
            return escape(scalar).map { Glyph(text: String($0), columns: 1) }
        }
    }

    private static func glyph(of scalars: Substring.UnicodeScalarView) -> Glyph {
        let text = String(scalars)
        guard let first = scalars.first else { return Glyph(text: " ", columns: 1) }
        switch first.properties.generalCategory {
        // A mark without a letter would be one of the character before it.
        case .nonspacingMark, .enclosingMark, .spacingMark: return Glyph(text: "◌" + text, columns: 1)
        default: break
        }
        let isWide =
            first.properties.isEmojiPresentation || wide.contains { $0.contains(first.value) }
            || scalars.contains("\u{FE0F}")
        return Glyph(text: text, columns: isWide ? 2 : 1)
    }

    /// The two joiners, with which emoji and some scripts are spelled: seen only between others.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        if isJoiner(scalar) { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return true
        default:
            return scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{FE0F}"
                && scalar != "\u{FE0E}"
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        default:
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16, uppercase: true)
                return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }

    /// Where the characters are that take two columns: Hangul, CJK, Kana, full-width forms, emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}

extension Glyphs {
    /// How many columns a text takes.
    static func columns(of text: String) -> Int { Glyphs(text).reduce(0) { $0 + $1.columns } }

    /// The text in lines of at most so many columns, broken between words where there are some.
    ///
    /// - Parameter most: how many lines; the last one is cut off with an ellipsis where there would be more.
    static func wrapped(_ text: String, columns: Int, most: Int) -> [String] {
        guard columns > 0, most > 0 else { return [] }
        var lines: [String] = []
        var line: [Glyph] = []
        var width = 0
        var lastBlank: Int?
        for glyph in Glyphs(text) {
            if width + glyph.columns > columns {
                guard lines.count < most - 1 else { return lines + [line.map(\.text).joined() + "…"] }
                let end = glyph.text == " " ? line.count : lastBlank ?? line.count
                lines.append(line[..<end].map(\.text).joined())
                line = Array(line[end...].drop { $0.text == " " })
                width = line.reduce(0) { $0 + $1.columns }
                lastBlank = nil
                if glyph.text == " " { continue }
            }
            if glyph.text == " " { lastBlank = line.count }
            line.append(glyph)
            width += glyph.columns
        }
        return lines + (line.isEmpty ? [] : [line.map(\.text).joined()])
    }
}
