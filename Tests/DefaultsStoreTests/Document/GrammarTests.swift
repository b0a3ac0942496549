/// Nothing that the grammar of RFC 8259 allows in a name or a value is damage, and all of it stays byte for byte.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct GrammarTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    /// Strings that every reader of JSON has to accept, and such as it may refuse (JSONTestSuite has them as `y_` and `i_`).
    private static let strings = [
        #""""#, #""\u0060\u012a\u12AB""#, #""\uD801\udc37""#, #""\ud83d\ude39\ud83d\udc8d""#,
        #""\"\\\/\b\f\n\r\t""#,
        #""\\u0000""#, #""\u0000""#, #""\\a""#, #""a/*b*/c/*d//e""#, #""\uDBFF\uDFFF""#, #""new\u00A0line""#,
        "\"\u{10FFFF}\"", "\"\u{FFFF}\"", #""\uFFFF""#, #""\uFDD0""#, #""\uFFFE""#, #""\u2028\u2029""#,
        "\"\u{2028}\u{2029}\"",
        "\"\u{7F}\"", #""\u007F""#, "\"π €𝄞\"", #""\uA66D""#, #""\u005C\u0022""#, #""\u200B\u2064""#,
        #""\u0012""#,
        "\"\u{FEFF}\"",
        // Halves of surrogate pairs: first, second, both in the wrong order, and before or behind a whole pair.
        #""\ud83d""#, #""x\uD83D""#, #""\uDC00x""#, #""\uDADA""#, #""\uDFAA""#, #""\uD800\n""#,
        #""\ud800abc""#,
        #""\uDd1e\uD834""#, #""\uD800\uD800""#, #""\uD800\uD800\n""#, #""\ud83d\ud83d\ude00""#,
        #""\ud83d\ude00\ude00""#,
        #""\uD800\u0041""#, #""\uD888\u1234""#, #""\ud83d\\ude00""#, #""😀\ud83d""#,
    ]

    private static let numbers = [
        "123e65", "0e+1", "0e1",
        "-0.000000000000000000000000000000000000000000000000000000000000000000000000000001",
        "20e1", "-0", "-123", "-1", "1E22", "1E-2", "1E+2", "123e45", "123.456e78", "1e-2", "1e+2",
        "123.456789",
        "0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999969999999006",
        "-1e+9999", "1.5e+9999", "-123123e100000", "123e-10000000", "123123123123123123123123123123",
        "1e9223372036854775808", "1e-9223372036854775809", "123123e100000",
        "1" + String(repeating: "0", count: 5_000), "0." + String(repeating: "1", count: 5_000),
    ]

    private static func nested(_ levels: Int, _ open: String = "[", _ close: String = "]") -> String {
        String(repeating: open, count: levels) + String(repeating: close, count: levels)
    }

    private static let containers =
        [
            "[]", "[[]   ]", #"["a"]"#, "[false]", "[null, 1, \"1\", {}]", "[1\r\n]", "[1,null,null,null,2]",
            " [ ] ",
            "{}", #"{"a":"b","a":"c"}"#, #"{"a":"b","a":"b"}"#, #"{"":0}"#, #"{"foo\u0000bar": 42}"#,
            "{\n\"a\": \"b\"\n}", #"{"\ud83d": 1, "w": 2}"#, #"{"\ud83d": 1, "\uD83D": 2, "\\ud83d": 3}"#,
            #"[["x\ud83d"], {"a": "\udc00"}]"#,
            "{\"x\":[{\"id\": \"" + String(repeating: "x", count: 100) + "\"}]}",
        ] + [127, 128, 129, 500, 100_000].map { nested($0) }
        + [200, 5_000].map { nested($0, "{\"a\":[", "]}") }

    private static let words = ["null", "true", "false"]

    /// The file with a value or a name in it; keys before and after it, and one that is written later.
    private static func text(_ member: String) -> String { "{\n  \"a\": 1,\n  \(member),\n  \"b\": 2\n}\n" }

    private func check(_ member: String) throws {
        try folder.write(Self.text(member), to: "settings/settings.json")
        let failures = FailureRecorder(suite)
        #expect(suite.value(forKey: "a") == 1 && suite.value(forKey: "b") == 2)
        #expect(try suite.storedValues().count == 3)
        try suite.set("v", forKey: "k")
        #expect(try suite.storedValues().count == 4)
        try suite.checkpoint()
        #expect(
            try folder.read("settings/settings.json")
                == "{\n  \"a\": 1,\n  \(member),\n  \"b\": 2,\n  \"k\": \"v\"\n}\n")
        #expect(try folder.damagedCopies().isEmpty)
        #expect(failures.all == [])
        let stored = DefaultsValue.object(try suite.storedObject())
        #expect(StoredValue(StoredValue(stored).value) == StoredValue(stored))
    }

    @Test(arguments: (strings + numbers + containers + words).map { Abridged($0) })
    func `a value that the grammar allows is no damage, and a write of another key leaves it as it is (F1)`(
        _ value: Abridged<String>
    ) throws {
        try check("\"x\": \(value.content)")
        let read = try #require(suite.value(forKey: "x"))
        let error = refusal { try suite.set(read, forKey: "copy") }
        let isTooDeep = read.isDeeper(than: JSONScanner.deepest)
        #expect(error?.code == (isTooDeep ? .valueTooLarge : nil))
        #expect(isTooDeep || suite.value(forKey: "copy") == read)
    }

    @Test(arguments: strings)
    func `a name that the grammar allows is no damage, and a write of another key leaves it as it is (F1)`(
        _ name: String
    ) throws {
        try check("\(name): [true]")
        try suite.removeAll()
        #expect(try suite.storedValues().isEmpty)
        #expect(try folder.read("settings/settings.json") == "{}\n")
    }

    @Test
    func `names that differ in their halves are different names, those that differ in spelling are one`()
        throws
    {
        try folder.write(
            #"{"\ud83d": 1, "\ud83e": 2, "\uD83D": 3, "\\ud83d": 4}"#, to: "settings/settings.json")
        let failures = FailureRecorder(suite)
        #expect(suite.value(forKey: #"\ud83d"#) == 4)
        #expect(failures.all.map(\.code) == [.duplicateKey])
        #expect(failures.all.first?.key == #"\uD83D"#)
    }

    @Test func `half of a surrogate pair goes through the journal, and to another process's state`() throws {
        try folder.write(#"{"x": "a\ud83d", "\udc00": {"\ud800": 1}}"#, to: "settings/settings.json")
        let value = try #require(suite.value(forKey: "x"))
        #expect(value.string == nil && value.description == #""a\uD83D""#)
        try suite.holdCheckpoints()
        try suite.withTransaction { tx in
            tx[key: "y"] = value
            tx[key: "z"] = ["in": [value]]
        }
        try suite.removeAll()
        try suite.set(["in": [value]], forKey: "z")
        let journal = try String(
            contentsOfFile: "\(folder.path)/settings/.settings.json.journal", encoding: .utf8)
        #expect(journal.contains(#"["\uDC00"]"#) && journal.contains(#"["y","a\uD83D"]"#))
        // A suite of its own reads the files from the start.
        try FileManager.default.copyItem(atPath: "\(folder.path)/settings", toPath: "\(folder.path)/again")
        #expect(try folder.suite("again").storedValues() == ["z": ["in": [value]]])
    }

    @Test func `a value that is nested too deeply to be written can be read, and not written again`() throws {
        try folder.write(
            "{\"x\": \(Self.nested(1_000)), \"y\": \(Self.nested(128))}", to: "settings/settings.json")
        let value = try #require(suite.value(forKey: "x"))
        #expect(value[0]?[0]?.array?.count == 1)
        #expect(value.description == Self.nested(1_000))
        #expect(refusal { try suite.set(value, forKey: "z") }?.code == .valueTooLarge)
        #expect(refusal { try suite.set([value], forKey: "z") }?.code == .valueTooLarge)
        try suite.set(try #require(suite.value(forKey: "y")), forKey: "z")
        #expect(refusal { _ = try DefaultsValue(json: Self.nested(1_000)) }?.code == .malformedText)
    }
}
