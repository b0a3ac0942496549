import DefaultsStore
import Testing

/// What is JSON and what is not.
struct JSONScannerTests {
    @Test(arguments: [
        ("null", "null"), ("true", "true"), ("false", "false"), ("0", "0"), ("-0", "-0"),
        ("12.50e+3", "12.50e+3"),
        ("1e400", "1e400"), ("123456789012345678901234567890", "123456789012345678901234567890"),
        (#""""#, #""""#), (#""é😀\u00e9\ud83d\uDE00""#, #""é😀é😀""#),
        (#""\"\\\/\b\f\n\r\t\u0000""#, #""\"\\/\b\f\n\r\t\u0000""#),
        (#""\ud800""#, #""\uD800""#), (#""ab\udc00""#, #""ab\uDC00""#),
        (#""\ud83d\ud83d\ude00""#, #""\uD83D😀""#),
        (#""\n\udfffé\"\u0001""#, #""\n\uDFFFé\"\u0001""#),
        (#"{"\ud800": 1, "a": 2}"#, #"{"\uD800": 1, "a": 2}"#),
        (#""\u001f\u007f""#, "\"\\u001F\u{7F}\""),
        ("\"\u{7F}\u{2028}\u{FEFF}\u{FFFF}\u{10FFFF}\"", "\"\u{7F}\u{2028}\u{FEFF}\u{FFFF}\u{10FFFF}\""),
        ("[]", "[]"), ("[ ]", "[]"), ("{}", "{}"), ("[1,2]", "[1, 2]"), ("[[],{}]", "[[], {}]"),
        (#"{"a":1,"b":[true,null]}"#, #"{"a": 1, "b": [true, null]}"#),
        (#"{"a":1,"a":2}"#, #"{"a": 1, "a": 2}"#),
        (" \t\r\n1 \t\r\n", "1"), ("\u{FEFF}1", "1"), ("\u{FEFF} // c\n1", "1"),
        ("[1,]", "[1]"), (#"{"a":1,}"#, #"{"a": 1}"#), ("[1 , ]", "[1]"),
        ("// c\n1", "1"), ("1 // c", "1"), ("1 // é", "1"), ("/* c */1/**/", "1"), ("/* * / ** */ 1", "1"),
        ("[1/*,*/,//]\n2]", "[1, 2]"),
        (#"{/**/"a"/**/:/**/1/**/}"#, #"{"a": 1}"#), (#""// not /* a comment""#, #""// not /* a comment""#),
        ("// c\r1", "1"),
    ])
    func `a text is read for what it says`(text: String, canonical: String) throws {
        #expect(try parse(Array(text.utf8)).description == canonical)
    }

    @Test(arguments: [
        ("", "1:1: the text is empty"), (" ", "1:2: the text ends too soon: expected a value"),
        ("nul", "1:1: expected a value"), ("NaN", "1:1: expected a value"),
        ("Infinity", "1:1: expected a value"),
        ("True", "1:1: expected a value"), ("+1", "1:1: expected a value"), (".5", "1:1: expected a value"),
        ("-", "1:2: the text ends too soon: expected a digit after the minus"),
        ("-a", "1:2: expected a digit after the minus"),
        ("01", "1:2: a number may not begin with a zero"), ("-01", "1:3: a number may not begin with a zero"),
        ("1.", "1:3: the text ends too soon: expected a digit after the decimal point"),
        ("1.e5", "1:3: expected a digit after the decimal point"),
        ("1e", "1:3: the text ends too soon: expected a digit in the exponent"),
        ("1e+", "1:4: the text ends too soon: expected a digit in the exponent"),
        ("0x10", "1:2: expected nothing more after the value"),
        ("1 2", "1:3: expected nothing more after the value"),
        ("{}}", "1:3: expected nothing more after the value"),
        ("truex", "1:5: expected nothing more after the value"), ("'a'", "1:1: expected a value"),
        ("a", "1:1: expected a value"),
        ("\"a", "1:3: the text ends inside a string"), ("\"a\\", "1:3: the escape is not one JSON knows"),
        ("\"a\nb\"", "1:3: the string does not end on its line"),
        ("\"\t\"", "1:2: a control character in a string has to be escaped"),
        ("\"\0\"", "1:2: a control character in a string has to be escaped"),
        (#""\x""#, "1:2: the escape is not one JSON knows"),
        (#""\u12g4""#, "1:2: \\u takes four hexadecimal digits"),
        (#""\u12"#, "1:2: \\u takes four hexadecimal digits"),
        (#""\ud83d\uDE0""#, "1:8: \\u takes four hexadecimal digits"),
        (#""\u+123""#, "1:2: \\u takes four hexadecimal digits"),
        ("\0", "1:1: a NUL byte is not text"), ("[1,\0]", "1:4: a NUL byte is not text"),
        ("/*\0*/1", "1:3: a NUL byte is not text"),
        ("[", "1:2: the text ends too soon: expected a value"),
        ("[1", "1:3: the text ends too soon: expected a comma or ]"),
        ("[1,", "1:4: the text ends too soon: expected a value"), ("[,]", "1:2: expected a value"),
        ("[1,,2]", "1:4: expected a value"),
        ("[1,,]", "1:4: expected a value"), ("[1 2]", "1:4: expected a comma or ]"),
        ("[1}", "1:3: expected a comma or ]"), ("]", "1:1: expected a value"),
        ("{", "1:2: the text ends too soon: expected a key in double quotes"),
        ("{,}", "1:2: expected a key in double quotes"),
        ("{a:1}", "1:2: expected a key in double quotes"), ("{1:1}", "1:2: expected a key in double quotes"),
        ("{'a':1}", "1:2: expected a key in double quotes"),
        (#"{"a"}"#, "1:5: expected a colon after the key"),
        (#"{"a" 1}"#, "1:6: expected a colon after the key"), (#"{"a":}"#, "1:6: expected a value"),
        (#"{"a":1 "b":2}"#, "1:8: expected a comma or }"), (#"{"a":1]"#, "1:7: expected a comma or }"),
        (#"{"a":1,,}"#, "1:8: expected a key in double quotes"),
        ("1 /", "1:3: a comment begins with // or /*"), ("# c\n1", "1:1: expected a value"),
        ("1 /* c", "1:3: the comment does not end"), ("1 /* c /", "1:3: the comment does not end"),
        ("1 /*/", "1:3: the comment does not end"), ("1 /* *", "1:3: the comment does not end"),
        ("//", "1:3: the text ends too soon: expected a value"),
        ("[1,\u{FEFF}2]", "1:4: a byte-order mark may only stand at the very start"),
        ("\u{FEFF}\u{FEFF}1", "1:1: a byte-order mark may only stand at the very start"),
        ("[é]", "1:2: expected a value"), ("\u{A0}1", "1:1: expected a value"),
        ("[1,\u{B}2]", "1:4: expected a value"),
        ("{\n  \"é\": x\n}", "2:8: expected a value"), ("[\r\n\r\n x]", "3:2: expected a value"),
        ("[\r\r x]", "3:2: expected a value"),
        ("[\n\r x]", "3:2: expected a value"), ("\u{FEFF}x", "1:1: expected a value"),
        ("[\"😀e\u{301}\" x]", "1:8: expected a comma or ]"),
    ])
    func `a text that is not JSON is refused with its place and reason`(text: String, fault: String) {
        #expect(throws: (any Error).self) { try parse(Array(text.utf8)) }
        #expect(faultOf(Array(text.utf8))?.description == fault)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x9F, 0x98],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE],
            [0xFF], [0xE2, 0x28, 0xA1],
            [0xE2, 0x82, 0x28],
        ] as [[UInt8]], [("\"a", "\""), ("[1, ", "2]"), ("1 /*", "*/"), ("1 //", "")])
    func `invalid UTF-8 is refused wherever it stands`(bad: [UInt8], around: (before: String, after: String))
    {
        let fault = faultOf(Array(around.before.utf8) + bad + Array(around.after.utf8))
        #expect(fault?.reason == "the bytes are not valid UTF-8")
        #expect(fault?.offset == around.before.utf8.count)
    }

    @Test(
        arguments: [
            [0xFE, 0xFF, 0, 0x7B, 0, 0x7D], [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], [0x7B, 0, 0x7D, 0],
            [0, 0x7B, 0, 0x7D],
        ] as [[UInt8]])
    func `UTF-16 is refused by name`(bytes: [UInt8]) {
        #expect(faultOf(bytes)?.description == "1:1: the text is UTF-16; save it as UTF-8")
    }

    @Test(arguments: ["[", "{\"a\":"])
    func `128 levels are accepted`(open: String) throws {
        let close = open == "[" ? "]" : "}"
        let text = String(repeating: open, count: 127) + "[]" + String(repeating: close, count: 127)
        let value = try parse(Array(text.utf8))
        #expect(value.isDeeper(than: 127) && !value.isDeeper(than: 128))
    }

    @Test(arguments: [129, 100_000])
    func `more than 128 levels are refused at the first one too many`(levels: Int) {
        let fault = faultOf(Array(repeating: UInt8(ascii: "["), count: levels))
        #expect(fault?.isTooDeep == true)
        #expect(fault?.offset == 128)
    }

    @Test func `a place counts scalars, bytes before it are the offset`() {
        let fault = faultOf(Array("[\n \"é😀\" x]".utf8))
        #expect(fault.map { [$0.offset, $0.line, $0.column] } == [12, 2, 7])
    }

    @Test func `a value is passed without its surroundings`() throws {
        var scanner = JSONScanner(Array(" [1, {\"a\": 2}] , 3".utf8)[...])
        try scanner.skipTrivia()
        #expect(try scanner.skipValue() == 1..<14)
        #expect(scanner.next == UInt8(ascii: " "))
    }

    private func parse(_ bytes: [UInt8]) throws(JSONFault) -> DefaultsValue {
        var scanner = JSONScanner(bytes[...])
        try scanner.skipStart()
        let value = try scanner.value()
        try scanner.skipEnd()
        return value
    }

    /// The fault of skipping the text, which has to be the fault of reading it.
    private func faultOf(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> JSONFault? {
        var found: [JSONFault?] = []
        do throws(JSONFault) {
            _ = try StoredValue(validating: bytes)
            found.append(nil)
        } catch {
            found.append(error)
        }
        do throws(JSONFault) {
            _ = try parse(bytes)
            found.append(nil)
        } catch {
            found.append(error)
        }
        #expect(found[0] == found[1], sourceLocation: sourceLocation)
        return found[0]
    }
}

/// What the scanner gives those who read other texts than values with it.
struct JSONScannerListTests {
    @Test func `a list is walked element by element and tells where its commas stand`() throws {
        var scanner = JSONScanner(Array("[1 , 2,]x".utf8)[...])
        var list = try scanner.begin(UInt8(ascii: "["))
        var commas: [Int?] = []
        while try scanner.advance(&list) {
            commas.append(list.comma)
            try scanner.skipValue()
        }
        #expect(commas + [list.comma] == [nil, 3, 6])
        #expect(scanner.next == UInt8(ascii: "x"))
    }

    @Test func `a key is read with its colon`() throws {
        var scanner = JSONScanner(Array(#""\u0061" : 1"#.utf8)[...])
        #expect(try scanner.key() == .whole("a"))
        #expect(scanner.next == UInt8(ascii: "1"))
    }

    @Test func `line ends, comments and trailing commas are noticed`() throws {
        let texts = ["[1, 2]", "[1,\n2]", "[1 /**/]", "[1,]", "\"//\""]
        let plain = try texts.map { text in
            var scanner = JSONScanner(Array(text.utf8)[...])
            try scanner.skipValue()
            return scanner.isPlain
        }
        #expect(plain == [true, false, false, false, true])
    }
}
