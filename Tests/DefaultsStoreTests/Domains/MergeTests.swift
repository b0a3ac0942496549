/// How the values of several domains combine.
@testable import DefaultsStore
import Testing

@Suite struct MergeTests {
    /// Some texts, highest first, and what they give.
    struct Case: Sendable, CustomTestStringConvertible {
        let merge: DefaultsMerge
        let texts: [String]
        let whole: String?

        init(_ merge: DefaultsMerge, _ texts: String..., gives whole: String?) {
            (self.merge, self.texts, self.whole) = (merge, texts, whole)
        }

        var testDescription: String { "\(merge) of \(texts.joined(separator: " over "))" }
    }

    private static let cases = [
        Case(.replace, "[1]", "[2]", gives: "[1]"),
        Case(.append, "[1]", "[2, 1]", gives: "[2, 1, 1]"),
        Case(.append, "[3]", "[2]", "[1]", gives: "[1, 2, 3]"),
        Case(.union, "[1, 3]", "[2, 1.0]", gives: "[2, 1.0, 3]"),
        Case(.union, "[{\"a\": 1}]", "[{\"a\": 1}]", gives: "[{\"a\": 1}]"),
        Case(.append, "5", "[1]", gives: "5"),
        Case(.append, "[1]", "5", gives: "[1]"),
        Case(.append, "[2]", "null", "[1]", gives: "[2]"),
        Case(.deepMerge, #"{"b": 2}"#, #"{"a": 1}"#, gives: #"{"a": 1, "b": 2}"#),
        Case(
            .deepMerge, #"{"a": {"y": 2}}"#, #"{"a": {"x": 1, "y": 1}}"#, gives: #"{"a": {"x": 1, "y": 2}}"#),
        Case(.deepMerge, #"{"a": [2]}"#, #"{"a": [1]}"#, gives: #"{"a": [2]}"#),
        Case(.deepMerge, #"{"a": null}"#, #"{"a": {"x": 1}}"#, gives: #"{"a": null}"#),
        Case(.deepMerge, #"{"a": 1}"#, #"{"a": null}"#, #"{"a": 2, "b": 3}"#, gives: #"{"a": 1, "b": 3}"#),
        Case(.deepMerge, #"{"a": {"x": 1}}"#, #"{"a": 5}"#, gives: #"{"a": {"x": 1}}"#),
        Case(.deepMerge, "5", #"{"a": 1}"#, gives: "5"),
        Case(.deepMerge, #"{"a":1}"#, gives: #"{"a":1}"#),
        Case(.deepMerge, #"{"a": 1, "a": 2}"#, #"{"b": 1}"#, gives: #"{"b": 1, "a": 2}"#),
        Case(
            .deepMerge, #"{"a": {"x": 1}, "a": {"y": 2}}"#, #"{"b": 1}"#, gives: #"{"b": 1, "a": {"y": 2}}"#),
        Case(
            .deepMerge, #"{"a": {"x": 1}, "a": {"y": 2}}"#, #"{"a": {"z": 0}, "a": {"x": 3}}"#,
            gives: #"{"a": {"x": 3, "y": 2}}"#),
        Case(.append, gives: nil),
    ]

    @Test(arguments: cases)
    func `texts combine by their rule`(_ row: Case) throws {
        let texts = try row.texts.map { try StoredValue(validating: Array($0.utf8)) }
        let whole = row.merge.combined(texts).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(whole == row.whole)
    }

    @Test(arguments: [
        (#"{"a": null}"#, #"{"a": {"x": 1}}"#, "{}"),
        (#"{"a": {"x": null, "y": 2}}"#, #"{"a": {"x": 1}, "b": null}"#, #"{"a": {"y": 2}}"#),
        (#"{"a": null, "b": [null]}"#, nil, #"{"b": [null]}"#), (#"{"a":1}"#, nil, #"{"a":1}"#),
    ])
    func `over the default, null says that there is no such member`(
        text: String, lowest: String?, whole: String
    )
        throws
    {
        let combined = DefaultsMerge.deepMerge.whole(
            try StoredValue(validating: Array(text.utf8)),
            over: try lowest.map { try StoredValue(validating: Array($0.utf8)) })
        #expect(String(decoding: combined.bytes, as: UTF8.self) == whole)
    }

    @Test func `objects 128 levels deep combine`() throws {
        let deep = { (inner: String) in
            String(repeating: #"{"a": "#, count: 128) + inner + String(repeating: "}", count: 128)
        }
        let texts = try [deep("1"), deep("2")].map { try StoredValue(validating: Array($0.utf8)) }
        #expect(DefaultsMerge.deepMerge.combined(texts) == texts[0])
    }
}
