/// Which elements have become which.
@testable import DefaultsStore
import TestSupport
import Testing

struct ListMatchingTests {
    /// For each later element where it was: "0" for an equal one, "0?" for a changed one, "-" for a new one.
    private func origins(_ old: String, _ new: String) throws -> String {
        let matching = ListMatching(
            from: try DefaultsValue(json: old).array ?? [], to: try DefaultsValue(json: new).array ?? [])
        return matching.origins.map { $0.map { "\($0.position)\($0.isEqual ? "" : "?")" } ?? "-" }
            .joined(separator: " ")
    }

    @Test(arguments: [
        ("[]", "[]", ""), ("[]", "[1]", "-"), ("[1]", "[]", ""), ("[1, 2]", "[1, 2]", "0 1"),
        ("[1, 2, 3]", "[1, 3]", "0 2"), ("[1, 3]", "[1, 2, 3]", "0 - 1"),
        ("[1, 2, 3]", "[1, 9, 3]", "0 - 2"),
        ("[1, 2, 3, 4]", "[1, 8, 9, 4]", "0 - - 3"), ("[1, 2]", "[2, 1]", "1 0"),
        ("[1, 2, 3]", "[3, 2, 1]", "2 1 0"), ("[1, 1, 2]", "[1, 2]", "0 2"),
        ("[1, 2, 1]", "[1, 1, 2]", "0 2 1"),
        // The oldest goes, the newest comes: neither is the other.
        ("[1, 2, 3]", "[9, 1, 2]", "- 0 1"), ("[1]", "[1.0]", "0"),
        (#"[{"n": 1, "k": 1, "z": 1}]"#, #"[{"n": 1, "k": 2, "z": 1}]"#, "-"),
        (#"[{"n": 1}, {"n": 2}]"#, #"[{"n": 8}, {"n": 2}]"#, "- 1"),
        ("[1, 2, 3, 4, 5]", "[2, 8, 5, 1, 9, 4]", "1 - 4 0 - 3"),
        // By the id.
        (#"[{"id": 1, "a": 1}, {"id": 2}]"#, #"[{"id": 2, "a": 5}, {"a": 1, "id": 1}]"#, "1? 0"),
        (#"[{"id": "x"}, {"id": "y"}]"#, #"[{"id": "z"}, {"id": "y", "a": 1}]"#, "- 1?"),
        (#"[{"id": 1, "a": 1}, {"a": 2}]"#, #"[{"id": 1, "a": 9}, {"a": 2}]"#, "- 1"),
        (#"[{"id": 1, "a": 1}, {"id": 1, "a": 2}]"#, #"[{"id": 1, "a": 3}, {"id": 1, "a": 2}]"#, "- 1"),
        (#"[{"id": {}, "a": 1}]"#, #"[{"id": {}, "a": 2}]"#, "-"),
        // By the key.
        (#"["k", {"a": 1}, "l", {"a": 2}]"#, #"["l", {"a": 3}, "m", {"a": 1}]"#, "2 3? - -"),
        (#"[1, "a", 2, "b"]"#, #"[2, "c", 1, "a"]"#, "2 3? 0 1"),
        (#"["k", {"a": 1}, "k", {"a": 2}]"#, #"["k", {"a": 2}]"#, "0 3"),
    ])
    func `an element is matched with what it was`(old: String, new: String, expected: String) throws {
        #expect(try origins(old, new) == expected)
    }

    @Test(arguments: [
        ("[1, 2, 3]", "[3, 1, 2]", [1, 2]), ("[1, 2, 3]", "[3, 2, 1]", [2]),
        ("[1, 2, 3, 4]", "[3, 4, 1, 2]", [2, 3]),
        ("[1, 2]", "[1, 9, 2]", [0, 2]), ("[1, 2, 3, 4, 5]", "[2, 1, 4, 3, 5]", [1, 3, 4]),
    ])
    func `as many as can keep their places`(old: String, new: String, kept: [Int]) throws {
        let matching = ListMatching(
            from: try DefaultsValue(json: old).array ?? [], to: try DefaultsValue(json: new).array ?? [])
        #expect(matching.inOrder == kept)
    }

    @Test func `long lists are matched in no time that grows with their product`() {
        let count = Soak.part(of: 20_000)
        let old = (0..<count).map { DefaultsValue.object(["n": DefaultsValue($0)]) }
        let new = (count..<3 * count).map { DefaultsValue.object(["n": DefaultsValue($0)]) }
        #expect(ListMatching(from: old, to: new).origins.allSatisfy { $0 == nil })
        let mixed = (old + new).enumerated().map { $0.offset.isMultiple(of: 100) ? $0.element : [:] }
        #expect(ListMatching(from: old, to: mixed).origins.count { $0 != nil } == count / 100)
        #expect(ListReading(of: new, from: Array(new.reversed())).places.allSatisfy { $0 == nil })
    }

    @Test(arguments: [
        ("[]", "[]", ""), (#"[{"a": 1, "u": 1}]"#, #"[{"a": 1}]"#, "0"), ("[1, 2]", "[1]", "-"),
        // Spelled in another way.
        (#"[{"d": "+00", "u": 1}, {"d": "+01"}]"#, #"[{"d": "Y"}, {"d": "X"}]"#, "0 1"),
        (
            #"[{"d": "+00", "n": 1}, {"d": "+01", "n": 2}]"#, #"[{"d": "X", "n": 1}, {"d": "Y", "n": 2}]"#,
            "0 1"
        ),
        (
            #"[{"id": "a", "n": 1}, {"id": "b", "n": 2}]"#, #"[{"id": "A", "n": 1}, {"id": "B", "n": 2}]"#,
            "0 1"
        ),
        // In another order, as a set's.
        ("[3, 1, 2]", "[1, 2, 3]", "- - -"),
        (#"[{"n": 2, "u": 2}, {"n": 1, "u": 1}]"#, #"[{"n": 1}, {"n": 2}]"#, "- -"),
        (
            #"[{"d": "+01", "n": 2}, {"d": "+00", "n": 1}]"#, #"[{"d": "X", "n": 1}, {"d": "Y", "n": 2}]"#,
            "- -"
        ),
        (#"["+01", "+00"]"#, #"["X", "Y"]"#, "- -"),
        (#"[{"id": 2, "u": 2}, {"id": 1, "u": 1}]"#, #"[{"id": 1}, {"id": 2}]"#, "1 0"),
        (#"["l", {"u": 2}, "k", {"u": 1}]"#, #"["k", {}, "l", {}]"#, "2 3 0 1"),
    ])
    func `a read element is found in the stored list`(own: String, read: String, expected: String) throws {
        let reading = ListReading(
            of: try DefaultsValue(json: read).array ?? [], from: try DefaultsValue(json: own).array ?? [])
        #expect(reading.places.map { $0.map(String.init) ?? "-" }.joined(separator: " ") == expected)
    }
}
