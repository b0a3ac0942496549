/// Staged changes: each key once, in the order of their first staging, whether they are few or many.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite struct StagedChangesTests {
    @Test(arguments: [1, 8, 9, 10, 200])
    func `the last change of each key counts, and the first one's place`(count: Int) {
        let names = (0..<count).map { KeyName("key\($0)") }
        var changes = StagedChanges()
        for (number, name) in names.enumerated() {
            changes.set(StoredValue(.init(integerLiteral: Int128(number))), forKey: name)
        }
        for name in names.reversed() where name != names[0] { changes.set(nil, forKey: name) }
        #expect(changes.order == names)
        #expect(changes.value(forKey: names[0]) == .some(StoredValue(0)))
        #expect(names.dropFirst().allSatisfy { changes.value(forKey: $0) == .some(nil) })
        #expect(changes.value(forKey: KeyName("other")) == nil)
    }

    @Test func `what is stored already is no change, and what is removed is one where it is stored`() {
        var changes = StagedChanges()
        changes.set(StoredValue(1), forKey: KeyName("same"))
        changes.set(StoredValue(2), forKey: KeyName("other"))
        changes.set(nil, forKey: KeyName("gone"))
        changes.set(nil, forKey: KeyName("never"))
        let document = SettingsDocument.read(Array(#"{"same": 1, "other": 1, "gone": 1}"#.utf8)).document
        #expect(StoredValues(document).effective(changes.entries).map(\.key.string) == ["other", "gone"])
    }

    @Test func `what observers are not to hear is told by the last change`() {
        var changes = StagedChanges()
        let (loud, quiet) = (KeyName("loud"), KeyName("quiet"))
        Propagation.off { for name in [loud, quiet] { changes.set(StoredValue(1), forKey: name) } }
        changes.set(StoredValue(2), forKey: loud)
        #expect(changes.unobserved == [quiet])
    }

    /// Against copies, which is what a mark saves.
    @Test func `going back to a mark leaves what a copy would have kept`() {
        for seed in 0..<400 {
            var numbers = SeededNumbers(seed: UInt64(seed))
            var changes = StagedChanges()
            var marks: [(mark: StagedChanges.Mark, copy: StagedChanges)] = []
            for _ in 0..<Int.random(in: 1...60, using: &numbers) {
                let key = KeyName("k\(Int.random(in: 0..<14, using: &numbers))")
                let value =
                    Bool.random(using: &numbers) ? StoredValue(DefaultsValue(Int.random(in: 0...9))) : nil
                switch Int.random(in: 0..<10, using: &numbers) {
                case 0...5: changes.set(value, forKey: key)
                case 6: Propagation.off { changes.set(value, forKey: key) }
                case 7:
                    let copy = changes
                    marks.append((changes.mark(), copy))
                case 8 where !marks.isEmpty:
                    let (mark, copy) = marks.removeLast()
                    changes.goBack(to: mark)
                    #expect(changes.order == copy.order, "\(seed)")
                    #expect(changes.order.allSatisfy { changes.value(forKey: $0) == copy.value(forKey: $0) })
                    #expect(changes.unobserved ?? [] == copy.unobserved ?? [])
                    #expect(changes.removesAll == copy.removesAll)
                default: if Int.random(in: 0..<4, using: &numbers) == 0 { changes.removesAll = true }
                }
                // Each key is found where it is.
                #expect(changes.order.allSatisfy { changes.value(forKey: $0) != nil })
            }
        }
    }
}

extension StagedChanges {
    fileprivate mutating func set(_ value: StoredValue?, forKey key: KeyName) {
        set(StoredChange(value, forKey: key))
    }
}
