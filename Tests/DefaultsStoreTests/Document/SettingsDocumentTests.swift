@testable import DefaultsStore
import Testing

/// A settings file as it is read.
struct SettingsDocumentTests {
    @Test func `members are found in order with their texts`() {
        let (document, fault) = read("{\n  // c\n  \"b\": [1, 2],\n  \"a\" : \"x\" ,\n}\n")
        #expect(fault == nil)
        #expect(document.keys.map(\.string) == ["b", "a"])
        #expect(document.texts == ["b": "[1, 2]", "a": "\"x\""])
        #expect(document.members.map(\.start) == [11, 26])
    }

    @Test func `a key is found by its bytes`() {
        let document = read("{\"\u{E9}\": 1, \"e\u{301}\": 2, \"\\u00e9x\": 3}").document
        #expect(document.value(forKey: KeyName("\u{E9}"))?.value == 1)
        #expect(document.value(forKey: KeyName("e\u{301}"))?.value == 2)
        #expect(document.value(forKey: KeyName("\u{E9}x"))?.value == 3)
        #expect(document.value(forKey: KeyName("e")) == nil)
    }

    @Test func `the last of duplicate keys applies and each is told with its place`() {
        let document = read("{\n  \"a\": 1,\n  \"b\": 2,\r\n  \"a\": 3, \"a\": 4\n}").document
        #expect(document.value(forKey: KeyName("a"))?.value == 4)
        #expect(document.keys.map(\.string) == ["b", "a"])
        #expect(document.duplicateKeys.map { "\($0.key) \($0.line):\($0.column)" } == ["a 4:3", "a 4:11"])
        #expect(document.members.count == 4)
    }

    @Test func `the place of a key is that of its value`() {
        let document = read("\u{FEFF}{\"é\": 1,\n  \"b\":\n    2}").document
        #expect(document.place(ofKey: KeyName("é")).map { [$0.line, $0.column] } == [1, 7])
        #expect(document.place(ofKey: KeyName("b")).map { [$0.line, $0.column] } == [3, 5])
        #expect(document.place(ofKey: KeyName("c")) == nil)
    }

    @Test func `the empty document has no bytes, members or fault`() {
        let document = SettingsDocument.empty
        #expect(document.bytes.isEmpty && document.members.isEmpty && document.fault == nil)
    }

    @Test(arguments: [128, 129, 1_000_000]) func `a value of any depth is read`(levels: Int) {
        let value = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let (document, fault) = read("{\"a\": \(value), \"b\": 1}")
        #expect(fault == nil)
        #expect(document.value(forKey: KeyName("a"))?.bytes.count == 2 * levels)
        #expect(document.value(forKey: KeyName("b")) == StoredValue(1))
    }

    @Test(arguments: ["", " \n", "\u{FEFF}", "\u{FEFF}\r\n\t"])
    func `a file that says nothing has no members and no fault, and with one it is an object`(text: String) {
        #expect(read(text).fault != nil)
        let result = SettingsDocument.read(file: Array(text.utf8))
        #expect(result.fault == nil && result.document.members.isEmpty)
        #expect(String(decoding: result.document.bytes, as: UTF8.self) == text)
        let changed = result.document.applying([(KeyName("a"), StoredValue(1))])
        #expect(String(decoding: changed.bytes, as: UTF8.self) == "{\n  \"a\": 1\n}\n")
    }

    @Test(arguments: ["// mine", "\u{FEFF}// mine\n", "\u{FEFF}/* mine */\n\n"])
    func `a file of comments keeps them, and its byte-order mark, in front of the first member`(text: String)
    {
        let document = SettingsDocument.read(file: Array(text.utf8)).document
        let changed = document.applying([(KeyName("a"), StoredValue(1))])
        let comments = text.drop { $0.isNewline }.reversed().drop { $0.isNewline }.reversed()
        #expect(String(decoding: changed.bytes, as: UTF8.self) == String(comments) + "\n{\n  \"a\": 1\n}\n")
    }

    @Test(arguments: [
        ("// nothing\n,", "2:1: expected {"), (" \0", "1:2: a NUL byte is not text"),
        (",", "1:1: expected {"),
    ])
    func `a file that says something and is not an object has a fault`(text: String, fault: String) {
        #expect(SettingsDocument.read(file: Array(text.utf8)).fault?.description == fault)
    }

    @Test(arguments: [
        ("", "1:1: the text is empty"), (" \n", "2:1: the text ends too soon: expected {"),
        ("[1]", "1:1: expected {"),
        ("\"a\": 1", "1:1: expected {"), ("null", "1:1: expected {"),
        ("\0\0\0\0", "1:1: a NUL byte is not text"),
        ("\u{FEFF}", "1:1: the text ends too soon: expected {"),
        ("[\n  {\n  \"a\": 1\n}]", "1:1: expected {"),
    ])
    func `a text that is not an object has a fault and no members`(text: String, fault: String) {
        let result = read(text)
        #expect(result.fault?.description == fault)
        #expect(result.document.members.isEmpty)
    }

    @Test(
        arguments: [
            ("{\n  \"a\": 1,\n  \"b\": x,\n  \"c\": 3\n}", ["a": "1", "c": "3"]),
            ("{\n  \"a\": 1\n  \"b\": 2\n}", ["a": "1", "b": "2"]),
            ("{\n  \"a\": [1, 2\n  \"b\": 2\n}", ["b": "2"]),
            ("{\n  \"a\": 1,\n  b: 2,\n  \"c\": 3\n}", ["a": "1", "c": "3"]),
            ("{\n  a: 1,\n  \"c\": 3\n}", ["c": "3"]),
            ("{\n  \"a\": \"one,\n  \"b\": 2,\n}", ["b": "2"]),
            (
                "{\n  \"a\": 1,\n  \"b\": {\n    \"x\": y,\n    \"z\": 1\n  },\n  \"c\": 3\n}",
                ["a": "1", "c": "3"]
            ),
            ("{\n  \"a\": 1},\n  \"b\": 2\n}", ["a": "1", "b": "2"]),
            ("{\n  \"a\": 1,\n  \"b\": 12", ["a": "1"]),
            ("{\n  \"a\": 1,\n  \"b\": 12\n", ["a": "1", "b": "12"]),
            ("{\n  \"a\": \"he said \"no\"\",\n  \"b\": 2\n}", ["b": "2"]),
            ("{\n  \"a\": 1, /* \u{FFFD}\0\n  \"x\": 1,\n */\n  \"b\": 2\n}", ["a": "1", "b": "2"]),
            ("{\n  \"a\": 1, /*\n  \"x\": 1,\n  \"b\": 2\n}", ["a": "1"]),
            ("{\"a\": 1, \"b\": x, \"c\": 3}", ["a": "1"]),
            ("{\n\"a\": 1,\n\"b\": x,\n\"c\": 3\n}", ["a": "1"]),
        ] as [(String, [String: String])])
    func `members before and behind damage are read, none from inside a value or comment`(
        text: String, members: [String: String]
    ) {
        let (document, fault) = read(text)
        #expect(fault != nil)
        #expect(document.texts == members)
    }

    @Test(arguments: 0..<SampleText.bytes.count)
    func `a sample cut short has a fault at its end or before, and only whole members`(length: Int) {
        let (document, fault) = SettingsDocument.read(Array(SampleText.bytes[..<length]))
        // The final newline is the only byte the sample can do without.
        #expect((fault == nil) == (length == SampleText.bytes.count - 1))
        #expect(fault.map { $0.offset <= length } ?? true)
        #expect(document.texts.allSatisfy { SampleText.document.texts[$0] == $1 })
    }

    @Test(arguments: 0..<SampleText.bytes.count)
    func `a flipped byte leaves a text that reads without a crash, with a fault inside it`(index: Int) {
        for bit in 0..<8 {
            var bytes = SampleText.bytes
            bytes[index] ^= 1 << bit
            let (document, fault) = SettingsDocument.read(bytes)
            let lines = bytes.count(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) + 1
            #expect(
                fault.map { 0...bytes.count ~= $0.offset && 1...lines ~= $0.line && $0.column >= 1 } ?? true)
            #expect(document.members.allSatisfy { bytes[$0.start] == UInt8(ascii: "\"") })
            #expect(document.keys.allSatisfy { document.value(forKey: $0).map { _ = $0.value } != nil })
        }
    }

    private func read(_ text: String) -> (document: SettingsDocument, fault: JSONFault?) {
        SettingsDocument.read(Array(text.utf8))
    }
}

/// A file with something of everything.
enum SampleText {
    static let bytes = Array(
        """
        {
          // sizes
          "size": 12.50,
          "name": "Zo\u{EB} \\u00e9 \u{1F600}", /* here */
          "nested": {"a": [1, -2e3, true], "b": null},

          "list": [
            "x", // inside
            {}
          ],
          "flag": false
        }

        """.utf8)
    static let document = SettingsDocument.read(bytes).document
}

extension SettingsDocument {
    /// The text of each key's value.
    var texts: [String: String] {
        let pairs = keys.compactMap { key in
            value(forKey: key).map { (key.string, String(decoding: $0.bytes, as: UTF8.self)) }
        }
        return Dictionary(pairs) { $1 }
    }
}
