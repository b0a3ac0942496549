@testable import DefaultsStore
import Testing

/// The quick half of reading a settings file, against the careful one.
struct PlainScannerTests {
    /// What stands where one value of many is expected: plain, unusual and wrong.
    private static let values = [
        "0", "-0", "10", "01", "-", "1.", "1.5", "1.5e3", "1E+2", "1x", "-1.25", "12345678901234567890.5",
        "true", "ture", "tru", "trueX", "false", "fals", "null", "nul", "nil", "\"\"", "\"x\"", "\"a\\nb\"",
        "\"\\u00e9\"", "\"\\u12\"", "\"\\x\"", "\"\\\"", "\"\\\\\"", "\"é\"", "\"語\"", "\"😀\"", "\"a\tb\"",
        "\"\u{7F}\"", "\"0123456\"", "\"01234567\"", "\"012345678\"", "[]", "[ ]", "[1]", "[1,]", "[,]",
        "[1 2]",
        "[1,[2,{\"a\":[]}]]", "{}", "{\"a\":1}", "{\"a\":1,}", "{\"a\"}", "{a:1}", "{\"a\":}", "[1",
        "{\"a\":1",
        "1 // c", "/* c */ 1", "[1, /* c */ 2]", "", "}", "]", ",", "\u{FEFF}",
    ]

    @Test(arguments: values)
    func `what the quick scanner passes is what the careful one passes`(value: String) {
        for layout in [
            "{\n  \"a\": %,\n  \"b\": 2\n}\n", "{\"a\":%,\"b\":2}", "{\r\n\t\"k\" : % ,\r\n\t\"b\" : %\r\n}",
        ] {
            let text = layout.split(separator: "%", omittingEmptySubsequences: false).joined(separator: value)
            expectSame(Array((text + "            ").utf8))
            expectSame(Array(text.utf8))
        }
    }

    @Test(arguments: 0..<40)
    func `arrays as deep as any are read alike`(half: Int) {
        let depth = half * 4
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        expectSame(Array("{\"a\": \(depth == 0 ? "0" : value), \"b\": 1,              \"c\": 1}".utf8))
    }

    @Test(arguments: 0..<256)
    func `every byte in a key, a string, a number or between them is read alike`(byte: Int) {
        let text = Array("{\n  \"abcdefgh\": \"ijklmnopq\",\n  \"b\": 123456,\n  \"c\": [1, 2]\n}\n".utf8)
        for index in text.indices {
            var changed = text
            changed[index] = UInt8(byte)
            expectSame(changed)
        }
    }

    @Test(arguments: [
        0x00, 0x7F, 0x80, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF4, 0xF5,
    ])
    func `every pair of bytes behind a lead is read alike`(lead: UInt8) {
        for second in stride(from: 0, to: 256, by: 8) {
            for third in stride(from: 0, to: 256, by: 16) {
                let middle = [lead, UInt8(second), UInt8(third)]
                expectSame(
                    Array("{\"a\": \"x".utf8) + middle + Array("\", \"b\": \"0123456789abcdef\"}".utf8))
            }
        }
    }

    @Test func `a key is found behind others with quotes and escapes in them`() throws {
        let text =
            "{\"a\": \"b\", \"a\\\": \\\"b\": 2, \"c\\\\d\": 3, \"\": 4, \"\\u0061b\": 5, \"e\": \"                \"}"
        let document = SettingsDocument.read(Array(text.utf8)).document
        let found = ["a", "a\": \"b", "c\\d", "", "ab", "a\\", "c\\\\d", "b"].map {
            document.value(forKey: KeyName($0))?.value
        }
        #expect(found == ["b", 2, 3, 4, 5, nil, nil, nil])
    }

    @Test func `a long value is found where it ends, also behind a comment`() {
        let long = String(repeating: "x", count: 10_000)
        let text = "{\"a\": \"\(long)\", \"b\": /* c */ [\"\(long)\"], \"c\": \"\(long)\"\n}"
        let document = SettingsDocument.read(Array(text.utf8)).document
        #expect(document.value(forKey: KeyName("a"))?.value == .string(long))
        #expect(document.value(forKey: KeyName("b"))?.value == .array([.string(long)]))
        #expect(document.value(forKey: KeyName("c"))?.value == .string(long))
    }

    @Test func `each of ten thousand keys is found, and no other`() {
        let text = (0..<10_000).map { "\"key\($0)\": \($0)" }.joined(separator: ",\n  ")
        let document = SettingsDocument.read(Array("{\n  \(text)\n}\n".utf8)).document
        #expect(document.keys == (0..<10_000).map { KeyName("key\($0)") })
        #expect(
            (0..<10_000).allSatisfy {
                document.value(forKey: KeyName("key\($0)"))?.bytes.elementsEqual("\($0)".utf8) == true
            })
        #expect((0..<10_000).allSatisfy { document.value(forKey: KeyName("kay\($0)")) == nil })
    }

    private func expectSame(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let quick = SettingsDocument.read(bytes, isQuick: true).document
        let careful = SettingsDocument.read(bytes, isQuick: false).document
        #expect(quick.members == careful.members, sourceLocation: sourceLocation)
        #expect(quick.body == careful.body && quick.fault == careful.fault, sourceLocation: sourceLocation)
    }
}
