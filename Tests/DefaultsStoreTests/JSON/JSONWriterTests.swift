import DefaultsStore
import Testing

/// The one way we write JSON.
struct JSONWriterTests {
    @Test(arguments: [
        ("plain", #""plain""#), ("", #""""#), (#"a"b\c/d"#, #""a\"b\\c/d""#),
        ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
        ("\0\u{1}\u{F}\u{10}\u{1F}", #""\u0000\u0001\u000F\u0010\u001F""#),
        ("\u{7F}é😀\u{2028}", "\"\u{7F}é😀\u{2028}\""),
    ])
    func `only what has to be escaped is`(string: String, text: String) {
        #expect(String(decoding: JSONWriter.quoted(string), as: UTF8.self) == text)
    }

    @Test func `a value of every kind stands on one line`() {
        let value: DefaultsValue = ["a\n": [1, 2.5, nil], "b": ["c": true, "d": false], "e": [], "f": [:]]
        let text = #"{"a\n": [1, 2.5, null], "b": {"c": true, "d": false}, "e": [], "f": {}}"#
        #expect(String(decoding: JSONWriter.text(of: value), as: UTF8.self) == text)
    }

    @Test func `every scalar of the first plane survives being written and read`() throws {
        let scalars = (UInt32(0)...0xFFFF).compactMap(Unicode.Scalar.init)
        let string = String(String.UnicodeScalarView(scalars))
        let read = try StoredValue(validating: JSONWriter.quoted(string)).value
        #expect(read == .string(string))
    }
}
