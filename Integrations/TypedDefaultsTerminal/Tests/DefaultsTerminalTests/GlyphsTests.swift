/// Nothing of a text from outside reaches the terminal that it would obey, and columns are counted as it counts them.
@_spi(TypedDefaults) @testable import DefaultsTerminal
import Testing

@Suite struct GlyphsTests {
    private func shown(_ text: String) -> String { Glyphs(text).map(\.text).joined() }

    @Test(arguments: [
        ("plain text", "plain text"), ("a\u{1B}[31mb", #"a\u001B[31mb"#), ("\u{9B}2J", #"\u009B2J"#),
        ("a\nb\r\nc\t", #"a\nb\r\nc\t"#), ("\u{202E}abc\u{2066}", #"\u202Eabc\u2066"#),
        ("a\u{200B}b", #"a\u200Bb"#),
        ("\u{0}\u{7F}", #"\u0000\u007F"#), ("\u{E000}\u{FFFE}", #"\uE000\uFFFE"#), ("\u{FEFF}x", #"\uFEFFx"#),
        ("\u{2028}", #"\u2028"#), ("e\u{301}", "e\u{301}"), ("\u{301}x", "◌\u{301}x"), ("שלום", "שלום"),
        ("👨‍👩‍👧", "👨‍👩‍👧"), ("\u{200D}x", #"\u200Dx"#), ("\u{E0041}", #"\uDB40\uDC41"#), ("\u{115F}a", #"\u115Fa"#),
    ])
    func `a text is shown with what a terminal would obey escaped`(_ text: String, _ wanted: String) {
        #expect(shown(text).unicodeScalars.elementsEqual(wanted.unicodeScalars), "\(shown(text))")
    }

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("ﾊ", 1), ("Ａ", 2), ("한", 2),
        ("\u{1B}", 6), ("❤️", 2),
    ])
    func `the columns of a text are counted`(_ text: String, _ columns: Int) {
        #expect(Glyphs.columns(of: text) == columns)
    }

    @Test func `thousands of marks on one letter are one letter with a few`() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 10_000) + "b"
        #expect(Glyphs.columns(of: zalgo) == 2)
        #expect(shown(zalgo).unicodeScalars.count < 40)
    }

    @Test(arguments: 1...12)
    func `a line has never more columns than it may, and ends with an ellipsis where it is cut off`(
        _ width: Int
    ) {
        for text in ["日本語テキスト", "a日b本c", "abcdefghijklmnop", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "x\u{1B}x\u{1B}"] {
            var line = Line(width: width)
            line.add(text)
            #expect(line.cells.count == min(width, Glyphs.columns(of: text)), "\(text)")
            #expect(line.cells.last?.text == (Glyphs.columns(of: text) > width ? "…" : line.cells.last?.text))
            #expect(line.filled(to: width).cells.count == width)
        }
    }

    @Test func `text is broken between words, and cut off where there is no room`() {
        #expect(Glyphs.wrapped("one two three", columns: 7, most: 5) == ["one two", "three"])
        #expect(Glyphs.wrapped("one two three", columns: 7, most: 1) == ["one two…"])
        #expect(Glyphs.wrapped("abcdefgh", columns: 3, most: 5) == ["abc", "def", "gh"])
        #expect(Glyphs.wrapped("日本語", columns: 3, most: 5) == ["日", "本", "語"])
        #expect(Glyphs.wrapped("", columns: 3, most: 5) == [])
    }
}
