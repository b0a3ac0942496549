/// When two texts say the same.
@testable import DefaultsStore
import Testing

struct StoredValueComparingTests {
    private func stored(_ text: String) -> StoredValue { StoredValue(trusted: Array(text.utf8)[...]) }

    @Test(arguments: [
        ("{}", "{ }", true), (#"{"a": 1}"#, "{\"a\" : 1 // c\n}", true), ("[1, 2]", "[1,\n2,]", true),
        (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#, true), (#"{"é": "/"}"#, #"{"\u00e9": "\/"}"#, true),
        ("[1]", "[1.0]", true), ("[0]", "[-0]", false), ("[1]", "[2]", false), ("[1]", "[1, 2]", false),
        ("[1]", #"["1"]"#, false), ("[1]", "[[1]]", false), ("[{}]", "[[]]", false),
        ("[null]", "[false]", false),
        (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#, false), (#"{"a": 1}"#, #"{"b": 1}"#, false),
        (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#, true),
        (#"{"a": {"b": [1, {"c": "x"}]}}"#, #"{"a":{"b":[1,{"c":"x"}]}}"#, true),
        (#"{"a": {"b": [1, {"c": "x"}]}}"#, #"{"a":{"b":[1,{"c":"y"}]}}"#, false),
        (#"["\ud83d"]"#, #"["\uD83D"]"#, true), (#"["\ud83d"]"#, #"["\uD83E"]"#, false),
        // A value by itself is what its text is.
        ("1", "1.0", false), (#""é""#, #""\u00e9""#, false), ("1", "[1]", false),
    ])
    func `lists are the same if their values are, whatever their layout`(
        one: String, other: String, same: Bool
    ) {
        #expect(stored(one).isSame(as: stored(other)) == same)
        #expect(stored(other).isSame(as: stored(one)) == same)
    }

    @Test func `lists that are nested deeply are compared, too`() {
        let (open, close) = (String(repeating: "[", count: 500), String(repeating: "]", count: 500))
        #expect(stored(open + "1" + close).isSame(as: stored(open + " 1" + close)))
        #expect(!stored(open + "1" + close).isSame(as: stored(open + "2" + close)))
    }
}
