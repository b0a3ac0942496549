/// Foundation's types whose own decoding ends the program on what they cannot be.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread) struct GuardedFormTests {
    @Test func `what Foundation has written comes back`() throws {
        for text in ["https://user:pw@example.com:8080/a/b?c=d#e", "a/b", "mailto:me", "//host", ""] {
            try roundTrip(try #require(URLComponents(string: text)))
        }
        for set in [IndexSet(), IndexSet(integer: 0), IndexSet([1, 2, 3, 700, 701])] { try roundTrip(set) }
        let rare = CharacterSet(charactersIn: "a\u{1F600}\u{E0020}")
        for set in [CharacterSet(), .letters, rare, rare.inverted, .whitespacesAndNewlines] {
            try roundTrip(set)
        }
    }

    @Test(arguments: [
        #"{"port": -5, "path": "//"}"#, #"{"scheme": "1 2", "path": ""}"#, #"{"scheme": "", "path": ""}"#,
        #"{"scheme": "é", "path": ""}"#, #"{"port": -9223372036854775808, "path": ""}"#, "[]", "1", #""a""#,
        "{}",
    ])
    func `parts of no URL are an error`(_ text: String) {
        #expect(refusal(of: text, as: URLComponents.self) != nil)
    }

    @Test func `odd parts of a URL are taken or refused, and nothing else`() throws {
        let odd = [
            "", "//", "%zz", "[", "]:", "a b", "\u{0}", "é", "@", "[::1", "a:b@c", "?", "#", "/..", "::",
        ]
        for name in ["user", "password", "host", "path", "query", "fragment"] {
            for text in odd {
                for scheme in ["http", nil] {
                    var members = ["path": "//x"]
                    members[name] = text
                    members["scheme"] = scheme
                    let json = String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
                    _ = refusal(of: json, as: URLComponents.self)
                }
            }
        }
    }

    @Test(arguments: [
        (1, -5), (-1, 3), (-5, 5), (1, Int.max), (Int.max, 1), (Int.max, 0), (Int.min, Int.min), (0, Int.max),
    ])
    func `ranges of no indexes are an error`(location: Int, length: Int) {
        let text = #"{"indexes": [{"location": \#(location), "length": \#(length)}]}"#
        #expect(refusal(of: text, as: IndexSet.self) == "expected IndexSet, found a range of no indexes")
    }

    @Test func `a map of characters that is not whole is an error`() {
        let maps = [0, 1, 8_191, 8_193, 16_384, 16_386].map { [UInt8](repeating: 1, count: $0) }
        let planes = [0, 17, 255].map { plane in
            [UInt8](repeating: 1, count: 8_192) + [plane] + [UInt8](repeating: 1, count: 8_192)
        }
        let twice = planes[0].prefix(8_192) + [1] + planes[0].prefix(8_192) + [1] + planes[0].prefix(8_192)
        for map in maps + planes + [Array(twice)] {
            let text = #"{"bitmap": "\#(Data(map).base64EncodedString())"}"#
            #expect(
                refusal(of: text, as: CharacterSet.self)
                    == "expected CharacterSet, found no map of characters")
        }
    }
}
