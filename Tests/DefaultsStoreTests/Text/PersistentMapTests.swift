/// The map that commits share: it does what a dictionary does, and a copy never changes.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite struct PersistentMapTests {
    /// A key whose hash says little, so that many meet in one place.
    private struct Poor: Hashable, Sendable {
        let number: Int
        func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
    }

    @Test(arguments: [1, 2, 3])
    func `it holds what a dictionary holds after the same changes`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var map = PersistentMap<Int, Int>()
        var model: [Int: Int] = [:]
        for turn in 0..<5_000 {
            let key = Int.random(in: 0..<1_000, using: &random)
            map.set(turn, forKey: key)
            model[key] = turn
        }
        #expect(map.count == model.count)
        #expect(Dictionary(uniqueKeysWithValues: map.elements.map { ($0.key, $0.value) }) == model)
        #expect((0..<1_100).allSatisfy { map.value(forKey: $0) == model[$0] })
    }

    @Test func `keys of one hash are told apart`() {
        var map = PersistentMap<Poor, Int>()
        for number in 0..<200 { map.set(number, forKey: Poor(number: number)) }
        for number in 0..<200 { map.set(-number, forKey: Poor(number: number)) }
        #expect(map.count == 200)
        #expect((0..<200).allSatisfy { map.value(forKey: Poor(number: $0)) == -$0 })
        #expect(map.value(forKey: Poor(number: 200)) == nil)
    }

    @Test func `a copy keeps what it had`() {
        var map = PersistentMap<Int, Int>()
        var copies: [PersistentMap<Int, Int>] = []
        for number in 0..<300 {
            map.set(number, forKey: number % 50)
            copies.append(map)
        }
        #expect(copies.indices.allSatisfy { copies[$0].value(forKey: $0 % 50) == $0 })
        #expect(copies[10].value(forKey: 11) == nil)
    }
}

@Suite struct StoredValuesTests {
    private func values(_ text: String) -> StoredValues {
        StoredValues(SettingsDocument.read(Array(text.utf8)).document)
    }

    private func text(_ values: StoredValues) -> String {
        String(decoding: values.written.bytes, as: UTF8.self)
    }

    @Test func `a change shows over the file, a removal hides it, and the rest is the file's`() {
        var values = values("{\"a\": 1, \"b\": 2, \"c\": 3}")
        values.apply([(KeyName("a"), StoredValue(9)), (KeyName("b"), nil), (KeyName("d"), StoredValue(4))])
        #expect(
            ["a", "b", "c", "d", "e"].map { values.value(forKey: KeyName($0))?.value } == [9, nil, 3, 4, nil])
        #expect(values.keys.map(\.string) == ["a", "c", "d"])
        #expect(values.isPending)
    }

    @Test func `new members are written in the order of their first setting`() {
        var values = values("{}")
        for key in ["z", "m", "a", "z"] { values.apply([(KeyName(key), StoredValue(.string(key)))]) }
        #expect(text(values) == "{\n  \"z\": \"z\",\n  \"m\": \"m\",\n  \"a\": \"a\"\n}")
    }

    @Test func `a key that was removed and set again counts`() {
        var values = values("{\"a\": 1}")
        values.apply([(KeyName("a"), nil)])
        values.apply([(KeyName("a"), StoredValue(2))])
        #expect(values.keys.map(\.string) == ["a"])
        #expect(text(values) == "{\"a\": 2}")
    }

    @Test func `the same changes come over a file that was saved meanwhile`() {
        var before = values("{\"a\": 1, \"b\": 2}")
        before.apply([(KeyName("a"), StoredValue(9))])
        let after = before.over(SettingsDocument.read(Array("{\"b\": 5, \"a\": 0}".utf8)).document)
        #expect(["a", "b"].map { after.value(forKey: KeyName($0))?.value } == [9, 5])
    }

    @Test func `its greatest size is never less than the text's`() {
        var values = values("{}")
        for number in 0..<200 {
            let key = KeyName("key \u{1} \(number % 60)")
            values.apply([
                (key, number % 7 == 0 ? nil : StoredValue(.string(String(repeating: "\"", count: number))))
            ])
            #expect(values.written.bytes.count <= values.greatestSize)
        }
    }
}
