@testable import DefaultsStore
import Testing

/// A member read from a piece of a text: what was cut is never taken for the whole.
struct CutMemberTests {
    @Test(arguments: [
        "1", "-12.5", "1.5e10", "true", "null", "\"text\"", "\"\\u00e9\\\"é\"", "[]",
        "[1, [2, {\"a\": null}]]",
        "{\"a\": \"b\", \"c\": [true]}", "\"" + String(repeating: "x", count: 40) + "\"",
        String(repeating: "7", count: 30), "/* c */ 1 /* d */", "// c\n  1",
    ])
    func `however much of a member is there, its value is found whole or not at all`(value: String) {
        for colon in [":", ": ", " : ", ":\n\t", ":" + String(repeating: " ", count: 20)] {
            for behind in [",\n  \"next\": 1\n}\n", "\n}\n", "}", " , // c\n}"] {
                let text = Array("\"some key\"\(colon)\(value)\(behind)".utf8)
                let whole = MemberReader(text).checkedValue(at: 0)
                #expect(whole != nil)
                for length in 0..<text.count {
                    let found = MemberReader(Array(text[..<length])).checkedValue(at: 0)
                    // What ends with the piece may go on behind it.
                    #expect(found == nil || found == whole || found?.upperBound == length)
                }
            }
        }
    }
}
