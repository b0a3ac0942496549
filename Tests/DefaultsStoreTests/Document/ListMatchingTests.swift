/// Which elements have become which.
@testable import DefaultsStore
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
        ("[1, 2, 3]", "[1, 9, 3]", "0 1? 2"),
        ("[1, 2, 3, 4]", "[1, 8, 9, 4]", "0 1? 2? 3"), ("[1, 2]", "[2, 1]", "1 0"),
        ("[1, 2, 3]", "[3, 2, 1]", "2 1 0"), ("[1, 1, 2]", "[1, 2]", "0 2"),
        ("[1, 2, 1]", "[1, 1, 2]", "0 2 1"),
        // The oldest goes, the newest comes: neither is the other.
        ("[1, 2, 3]", "[9, 1, 2]", "- 0 1"), ("[1]", "[1.0]", "0"),
        (#"[{"n": 1, "k": 1, "z": 1}]"#, #"[{"n": 1, "k": 2, "z": 1}, {"n": 7, "k": 7, "z": 7}]"#, "0? -"),
        (#"[{"n": 1, "k": 1, "z": 1}]"#, #"[{"n": 7, "k": 7, "z": 7}, {"n": 1, "k": 2, "z": 1}]"#, "- 0?"),
        (#"[{"n": 1}, {"n": 2}, {"n": 3}]"#, #"[{"n": 1}, {"n": 9}]"#, "0 -"),
        (#"[{"n": 1}, {"n": 2}]"#, #"[{"n": 8}, {"n": 2}]"#, "0? 1"),
        // The third is between both pairs, and becomes one of the two that are new.
        ("[1, 2, 3, 4, 5]", "[2, 8, 5, 1, 9, 4]", "1 2? 4 0 - 3"),
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

    @Test func `long lists of different elements are matched in no time that grows with their product`() {
        let old = (0..<20_000).map { DefaultsValue.object(["n": DefaultsValue($0)]) }
        let new = (20_000..<60_000).map { DefaultsValue.object(["n": DefaultsValue($0)]) }
        #expect(ListMatching(from: old, to: new).origins.allSatisfy { $0 == nil })
    }
}
