import TestSupport
import Testing
import TypedDefaults

/// Equal sets and dictionaries have equal text.
struct UnorderedCollectionTests {
    struct Point: Codable, Hashable { var x: Int }

    @Test func `string keys are members in the order of their bytes`() throws {
        try roundTrip(
            ["b": 1, "": 2, "é": 3, "Z": 4, "a.b": 5],
            expectedText: #"{"": 2, "Z": 4, "a.b": 5, "b": 1, "é": 3}"#)
    }

    @Test func `integer keys are members`() throws {
        try roundTrip([-1: "a", 2: "b", 10: "c"], expectedText: #"{"-1": "a", "10": "c", "2": "b"}"#)
        #expect(refusal(of: #"{"a": 1}"#, as: [Int: Int].self) != nil)
    }

    @Test func `other keys stand before their values in the order of their text`() throws {
        try roundTrip([Point(x: 2): "b", Point(x: 1): "a"], expectedText: #"[{"x": 1}, "a", {"x": 2}, "b"]"#)
        try roundTrip([1.5: true, -2: false], expectedText: "[-2, false, 1.5, true]")
    }

    enum Side: String, Codable, CodingKeyRepresentable { case left, right }

    @Test func `keys that have names are members`() throws {
        try roundTrip([Side.right: [1], .left: []], expectedText: #"{"left": [], "right": [1]}"#)
    }

    struct Blank: Codable, Hashable, CodingKeyRepresentable {
        var number: Int
        var codingKey: any CodingKey { Name.a }
        init(_ number: Int) { self.number = number }
        init?<Key: CodingKey>(codingKey: Key) { nil }
    }

    @Test func `keys that share one name are refused`() {
        let reason = saying { _ = try encoded([[Blank(1): 1, Blank(2): 2]]) }
        #expect(reason == "[0]: two keys of Dictionary<Blank, Int> have one name")
    }

    struct Nest: Codable, Equatable {
        var deep: [[String: Set<String>]?]
        var pairs: [Set<Int>: Set<Bool>]
    }

    @Test func `sets are sorted wherever they stand`() throws {
        try roundTrip(
            Nest(deep: [nil, ["k": ["c", "a", "b"]]], pairs: [[3, 1]: [true, false], []: []]),
            expectedText:
                #"{"deep": [null, {"k": ["a", "b", "c"]}], "pairs": [[1, 3], [false, true], [], []]}"#)
    }

    @Test func `equal values have equal text whatever their history`() throws {
        var random = SeededNumbers(seed: 7)
        let numbers = (0..<60).map { _ in Int.random(in: -1000...1000, using: &random) }
        let texts = try (0..<20).map { round in
            var set = Set<Int>(minimumCapacity: round * 97)
            var byPoint = [Point: Set<Int>](minimumCapacity: round * 31)
            for number in numbers.shuffled(using: &random) { set.insert(number) }
            for number in numbers.shuffled(using: &random) {
                byPoint[Point(x: number), default: []].insert(-number)
            }
            return try encoded(set) + encoded(byPoint) + encoded([set: byPoint])
        }
        #expect(Set(texts).count == 1)
    }

    @Test func `names that differ in bytes alone do not stop a dictionary`() throws {
        let values = try decoded([String: Int].self, from: "{\"\u{e9}\": 1, \"e\u{301}\": 2}")
        #expect(values == ["\u{e9}": 2])
    }

    @Test func `a dictionary value's place is its key`() {
        #expect(
            refusal(of: #"{"a": {"b.c": [true]}}"#, as: [String: [String: [Int]]].self)
                == #"a["b.c"][0]: expected Int, found a boolean"#)
    }
}
