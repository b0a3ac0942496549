import DefaultsStore
import Testing

/// Checked texts of one value.
struct StoredValueTests {
    @Test(arguments: [
        (" 1.50 ", "1.50"), ("\n[1,2]\n", "[1,2]"), ("// c\n 1", "1"), ("\u{FEFF}1", "1"),
        ("{\"a\":1}", "{\"a\":1}"),
        ("[1,\n 2]", "[1, 2]"), ("[1 /* c */]", "[1]"), ("[1,]", "[1]"), ("{\"a\":1,}", "{\"a\": 1}"),
        ("{ // c\n \"a\": 1.50 }", "{\"a\": 1.50}"), ("\"\\u0041 // x\"", "\"\\u0041 // x\""),
        ("[1,\r 2]", "[1, 2]"),
    ])
    func `a checked text stands on one line and is left alone otherwise`(text: String, stored: String) throws
    {
        let value = try StoredValue(validating: Array(text.utf8))
        #expect(String(decoding: value.bytes, as: UTF8.self) == stored)
    }

    @Test func `a text that is no value is refused`() {
        #expect(throws: JSONFault.self) { try StoredValue(validating: Array("[1".utf8)) }
    }

    @Test func `two spellings of one value are two stored values`() throws {
        let spelled = try StoredValue(validating: Array("1.0".utf8))
        #expect(spelled != StoredValue(1))
        #expect(spelled.value == StoredValue(1).value)
    }

    @Test func `equal bytes are one stored value, wherever they stand`() {
        let bytes = Array("[1, 1]".utf8)
        #expect(Set([StoredValue(trusted: bytes[1..<2]), StoredValue(trusted: bytes[4..<5])]).count == 1)
    }

    @Test func `a trusted slice may hold comments and line ends`() {
        let bytes = Array("x [1, // c\n 2,] x".utf8)
        #expect(StoredValue(trusted: bytes[2..<bytes.count - 2]).value == [1, 2])
    }

    @Test func `a value deeper than a file takes can still be read back`() {
        let deep = (0..<300).reduce(DefaultsValue.null) { value, _ in [value] }
        let again = StoredValue(deep).value
        #expect(StoredValue(again) == StoredValue(deep))
        #expect(again.isDeeper(than: JSONScanner.deepest))
    }

    @Test func `null is the text null`() {
        #expect(Array(StoredValue.null.bytes) == Array("null".utf8))
    }
}
