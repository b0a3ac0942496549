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
            if turn % 3 == 0 { map.remove(key) } else { map.set(turn, forKey: key) }
            model[key] = turn % 3 == 0 ? nil : turn
        }
        #expect(map.count == model.count)
        #expect(Dictionary(uniqueKeysWithValues: map.elements.map { ($0.key, $0.value) }) == model)
        #expect((0..<1_100).allSatisfy { map.value(forKey: $0) == model[$0] })
        var values: [Int] = []
        map.forEachValue { values.append($0) }
        #expect(values.sorted() == model.values.sorted())
    }

    @Test func `keys of one hash are told apart`() {
        var map = PersistentMap<Poor, Int>()
        for number in 0..<200 { map.set(number, forKey: Poor(number: number)) }
        for number in 0..<200 { map.set(-number, forKey: Poor(number: number)) }
        #expect(map.count == 200)
        #expect((0..<200).allSatisfy { map.value(forKey: Poor(number: $0)) == -$0 })
        #expect(map.value(forKey: Poor(number: 200)) == nil)
        var values: [Int] = []
        map.forEachValue { values.append($0) }
        #expect(values.sorted() == (-199...0).map { $0 })
    }

    @Test func `of keys of one hash each can be taken away`() {
        var map = PersistentMap<Poor, Int>()
        for number in 0..<30 { map.set(number, forKey: Poor(number: number)) }
        for number in 0..<30 where number % 4 != 0 { map.remove(Poor(number: number)) }
        for number in 30..<40 { map.remove(Poor(number: number)) }
        let left = Set(map.elements.map(\.key.number))
        #expect(left == [0, 4, 8, 12, 16, 20, 24, 28])
        #expect(map.count == 8)
        for number in left { map.remove(Poor(number: number)) }
        #expect(map.isEmpty && map.elements.isEmpty)
    }

    @Test func `a map of one key differs from others in what it has and they have not`() {
        var (none, one, two) = (
            PersistentMap<Int, Int>(), PersistentMap<Int, Int>(), PersistentMap<Int, Int>()
        )
        one.set(1, forKey: 1)
        two.set(1, forKey: 1)
        two.set(2, forKey: 2)
        #expect(one.differences(from: none) == [1] && none.differences(from: one) == [1])
        #expect(one.differences(from: two) == [2] && two.differences(from: one) == [2])
        one.set(3, forKey: 1)
        #expect(Set(one.differences(from: two)) == [1, 2])
        two.remove(2)
        #expect(one.differences(from: two) == [1])
        one.remove(1)
        none.remove(1)
        #expect(one.isEmpty && one.differences(from: none).isEmpty)
    }

    @Test(arguments: [1, 2, 3], [1, 10, 1_000])
    func `two maps differ in the keys that two dictionaries differ in`(seed: UInt64, changes: Int) {
        var random = SeededNumbers(seed: seed)
        var (map, model) = (PersistentMap<Poorer, Int>(), [Poorer: Int]())
        func change(_ count: Int) {
            for _ in 0..<count {
                let key = Poorer(number: Int.random(in: 0..<2_000, using: &random))
                let value = Int.random(in: 0..<3, using: &random)
                if value == 0 { map.remove(key) } else { map.set(value, forKey: key) }
                model[key] = value == 0 ? nil : value
            }
        }
        change(3_000)
        let (oldMap, oldModel) = (map, model)
        change(changes)
        let keys = Set(model.keys).union(oldModel.keys).filter { model[$0] != oldModel[$0] }
        #expect(Set(map.differences(from: oldMap)) == keys)
        #expect(map.differences(from: oldMap).count == keys.count)
        #expect(Set(oldMap.differences(from: map)) == keys)
        #expect(Set(map.differences(from: PersistentMap())) == Set(model.keys))
    }

    /// A key of which a few have the same hash.
    private struct Poorer: Hashable, Sendable {
        let number: Int
        func hash(into hasher: inout Hasher) { hasher.combine(number % 700) }
    }

    /// A value that counts how often it is compared.
    private struct Counted: Equatable, Sendable {
        static let comparisons = Locked(0)
        let number: Int
        static func == (left: Counted, right: Counted) -> Bool {
            comparisons.withLock { $0 += 1 }
            return left.number == right.number
        }
    }

    @Test func `a changed copy is compared where it was changed, and nowhere else`() {
        var map = PersistentMap<Int, Counted>()
        for number in 0..<10_000 { map.set(Counted(number: number), forKey: number) }
        let original = map
        map.set(Counted(number: -1), forKey: 5_000)
        #expect(map.differences(from: original) == [5_000])
        #expect(Counted.comparisons.withLock { $0 } <= 32)
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

    private func set(_ value: DefaultsValue, forKey key: String, in values: inout StoredValues) {
        values.apply([StoredChange(StoredValue(value), forKey: KeyName(key))])
    }

    @Test func `a change shows over the file, a removal hides it, and the rest is the file's`() {
        var values = values("{\"a\": 1, \"b\": 2, \"c\": 3}")
        values.apply([
            StoredChange(StoredValue(9), forKey: KeyName("a")), StoredChange(nil, forKey: KeyName("b")),
            StoredChange(StoredValue(4), forKey: KeyName("d")),
        ])
        #expect(
            ["a", "b", "c", "d", "e"].map { values.value(forKey: KeyName($0))?.value } == [9, nil, 3, 4, nil])
        #expect(values.keys.map(\.string) == ["a", "c", "d"])
        #expect(values.isPending)
    }

    @Test func `new members are written in the order of their first setting`() {
        var values = values("{}")
        for key in ["z", "m", "a", "z"] { set(.string(key), forKey: key, in: &values) }
        #expect(text(values) == "{\n  \"z\": \"z\",\n  \"m\": \"m\",\n  \"a\": \"a\"\n}")
    }

    @Test(arguments: [1, 8, 9, 40])
    func `of many changes each key's last one counts, in the order of their first`(_ count: Int) {
        var values = values("{}")
        let keys = (0..<count).map { "key \(count - $0)" }
        var states: [StoredValues] = []
        for round in 0..<2 {
            for (place, key) in keys.enumerated() {
                set(.number(DefaultsNumber(round * count + place)), forKey: key, in: &values)
                states.append(values)
            }
        }
        #expect(values.changes.map(\.key.string) == keys)
        let last = states.indices.map { states[$0].value(forKey: KeyName(keys[$0 % count]))?.value }
        #expect(last == states.indices.map { .number(DefaultsNumber($0)) }, "an earlier state is as it was")
    }

    @Test func `a key that was removed and set again applies`() {
        var values = values("{\"a\": 1}")
        values.apply([StoredChange(nil, forKey: KeyName("a"))])
        set(2, forKey: "a", in: &values)
        #expect(values.keys.map(\.string) == ["a"])
        #expect(text(values) == "{\"a\": 2}")
    }

    @Test func `the same changes come over a file that was saved meanwhile`() {
        var before = values("{\"a\": 1, \"b\": 2}")
        set(9, forKey: "a", in: &before)
        let after = before.replayed(on: SettingsDocument.read(Array("{\"b\": 5, \"a\": 0}".utf8)).document)
        #expect(["a", "b"].map { after.value(forKey: KeyName($0))?.value } == [9, 5])
    }

    @Test func `its greatest size is never less than the text's`() {
        var values = values("{}")
        for number in 0..<200 {
            let key = KeyName("key \u{1} \(number % 60)")
            let value = number % 7 == 0 ? nil : StoredValue(.string(String(repeating: "\"", count: number)))
            values.apply([StoredChange(value, forKey: key)])
            #expect(values.written.bytes.count <= values.greatestSize)
        }
    }
}
