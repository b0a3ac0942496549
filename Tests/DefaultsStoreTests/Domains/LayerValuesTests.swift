/// What a source has for a suite's keys.
@testable import DefaultsStore
import Testing

@Suite struct LayerValuesTests {
    @Test func `it gives back the values it was made of`() {
        let values: [String: DefaultsValue] = [
            "a": 1.50, "b": ["x": [true, nil]], "c": "te\u{301}xt \u{1}", "d": .null,
        ]
        #expect(LayerValues(values).dictionary == values)
    }

    @Test func `a value is set, replaced and taken away, and a copy keeps what it had`() {
        var values: LayerValues = ["a": 1, "b": 1]
        let copy = values
        values.set(2, forKey: KeyName("a"))
        values.set(nil, forKey: KeyName("b"))
        values.set(3, forKey: KeyName("c"))
        #expect(values.dictionary == ["a": 2, "c": 3])
        #expect(copy.dictionary == ["a": 1, "b": 1])
        #expect(values.differences(from: copy).map(\.string).sorted() == ["a", "b", "c"])
    }

    @Test func `two are equal that mean the same, however it is written and in whatever order it was set`() {
        let one: LayerValues = ["a": .number(DefaultsNumber(1)), "b": 2]
        var other = LayerValues()
        for (key, text) in [("b", "2.0"), ("c", "1"), ("a", "1.0")] {
            other.set(DefaultsNumber(text).map(DefaultsValue.number), forKey: KeyName(key))
        }
        #expect(one != other)
        other.set(nil, forKey: KeyName("c"))
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
    }

    @Test func `what no file could hold is told by key, is not sound, and is forgotten when it goes`() {
        var deep = DefaultsValue.null
        for _ in 0..<129 { deep = .array([deep]) }
        var values: LayerValues = ["a": 1, "z": deep, "": 2]
        #expect(values.refusals.map(\.code) == [.invalidKey, .valueTooLarge])
        #expect(values.sound.dictionary == ["a": 1])
        values.set(5, forKey: KeyName("z"))
        values.set(nil, forKey: KeyName(""))
        #expect(values.refusals == [])
        #expect(values.dictionary == ["a": 1, "z": 5])
    }

    @Test func `of two names that are one text to Swift the dictionary has the first in bytes`() {
        var values = LayerValues()
        values.set(1, forKey: KeyName("\u{e9}"))
        values.set(2, forKey: KeyName("e\u{301}"))
        #expect(values.dictionary == ["e\u{301}": 2])
        #expect(values[KeyName("\u{e9}")] == StoredValue(1))
    }
}
