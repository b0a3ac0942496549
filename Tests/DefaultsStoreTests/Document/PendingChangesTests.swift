/// What waits for a checkpoint: copies share one list, and none changes when another goes on.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite struct PendingChangesTests {
    private func change(_ key: Int, to value: Int?) -> StoredChange {
        StoredChange(
            value.map { StoredValue(DefaultsValue($0)) }, forKey: KeyName("key\(key)"))
    }

    /// The keys in their order, each with its value.
    private func listing(_ changes: PendingChanges) -> [String] {
        changes.inOrder.map { "\($0.key) \($0.value.map(\.value.description) ?? "none")" }
    }

    @Test(arguments: [1, 2, 3], [1, 40, 2_000])
    func `each of many copies has the changes it had`(seed: UInt64, keys: Int) {
        var random = SeededNumbers(seed: seed)
        var (changes, order, model) = (PendingChanges(), [Int](), [Int: Int?]())
        var kept: [(PendingChanges, [Int], [Int: Int?])] = []
        for turn in 0..<3_000 {
            let key = Int.random(in: 0..<keys, using: &random)
            let value = turn % 5 == 0 ? nil : turn
            changes.record(change(key, to: value))
            if model.updateValue(value, forKey: key) == nil { order.append(key) }
            if turn % 100 == 0 { kept.append((changes, order, model)) }
        }
        kept.append((changes, order, model))
        for (changes, order, model) in kept {
            #expect(changes.inOrder.map(\.key) == order.map { KeyName("key\($0)") })
            #expect(changes.inOrder.map(\.value?.value) == order.map { model[$0]?.map { DefaultsValue($0) } })
            for key in 0..<keys {
                let found = changes.change(ofKey: KeyName("key\(key)"))
                #expect((found != nil) == (model[key] != nil))
                #expect(found?.value?.value == model[key]?.map { DefaultsValue($0) })
                #expect(changes.value(ofKey: KeyName("key\(key)")) == found.map(\.value))
            }
        }
    }

    @Test func `two that go on from one copy each have their own`() {
        var common = PendingChanges()
        for key in 0..<3 { common.record(change(key, to: key)) }
        var (one, other) = (common, common)
        one.record(change(1, to: 10))
        other.record(change(7, to: 70))
        one.record(change(8, to: 80))
        #expect(listing(common) == ["key0 0", "key1 1", "key2 2"])
        #expect(listing(one) == ["key0 0", "key1 10", "key2 2", "key8 80"])
        #expect(listing(other) == ["key0 0", "key1 1", "key2 2", "key7 70"])
        #expect(other.change(ofKey: KeyName("key8")) == nil)
        #expect(one.change(ofKey: KeyName("key7")) == nil)
    }

    @Test func `who notes what another copy has noted shares its place`() {
        let log = ChangeLog([])
        #expect(log.add(change(1, to: 1), behind: 0))
        #expect(log.add(change(1, to: 1), behind: 0))
        #expect(log.add(change(1, to: 2), behind: 1))
        #expect(!log.add(change(1, to: 2), behind: 0))
        #expect(!log.add(change(2, to: 1), behind: 0))
        #expect(!log.add(change(1, to: nil), behind: 0))
        #expect(log.change(ofKey: KeyName("key1"), among: 1)?.value?.value == 1)
        #expect(log.change(ofKey: KeyName("key1"), among: 2)?.value?.value == 2)
    }

    @Test func `without a text under them, removed keys are forgotten with the next list`() {
        var (kept, forgotten) = (PendingChanges(), PendingChanges())
        for key in 0..<1_000 {
            for value in [key, nil] {
                kept.record(change(key, to: value))
                forgotten.record(change(key, to: value), keepsRemovals: false)
            }
            if key == 500 { forgotten.record(change(-1, to: 1), keepsRemovals: false) }
        }
        #expect(kept.inOrder.count == 1_000)
        #expect(forgotten.inOrder.count <= 32)
        #expect(forgotten.value(ofKey: KeyName("key-1"))??.value == 1)
        #expect(forgotten.inOrder.filter { !$0.isRemoval }.map(\.key) == [KeyName("key-1")])
    }

    @Test func `a suite in memory does not keep the names of the keys it no longer has`() throws {
        let suite = DefaultsSuite.inMemory()
        try suite.set(true, forKey: "stays")
        for session in 0..<200 {
            try suite.set(1, forKey: "session-\(session)")
            try suite.removeValue(forKey: "session-\(session)")
        }
        #expect(try suite.storedValues() == ["stays": true])
        #expect(try suite.context.store().state().values.changes.count <= 32)
    }

    @Test func `large values that were replaced are not kept for long`() {
        let text = StoredValue(.string(String(repeating: "x", count: 300_000)))
        let other = StoredValue(.string(String(repeating: "y", count: 300_000)))
        let log = ChangeLog([])
        var count = 0
        while log.add(StoredChange(count % 2 == 0 ? text : other, forKey: KeyName("a")), behind: count) {
            count += 1
        }
        // One that counts, and no more than 1 MiB and one besides.
        #expect(count == 5)
    }

    @Test func `one key set again and again takes the room of few`() {
        let log = ChangeLog([])
        var count = 0
        while log.add(change(1, to: count), behind: count) { count += 1 }
        #expect(count < 100)
        #expect(log.lastChanges(among: count).map(\.value?.value) == [DefaultsValue(count - 1)])
    }
}

@Suite struct PendingChangesConcurrencyTests {
    /// Readers look at what was published last while one thread goes on, and others go on from copies of theirs.
    @Test(arguments: 1...Soak.times(3))
    func `readers and those who go on from a copy meet nothing half made`(round: Int) {
        let keys = (0..<50).map { KeyName("key\($0)") }
        let published = Published(Version(PendingChanges(), count: 0))
        let isOver = Locked(false)
        let wrong = Recorder<String>()
        withThreads(4) { number in
            if number == 0 {
                var changes = PendingChanges()
                for turn in 0..<20_000 {
                    let value = StoredValue(DefaultsValue(turn))
                    changes.record(StoredChange(value, forKey: keys[turn % keys.count]))
                    _ = published.store(Version(changes, count: turn + 1))
                }
                isOver.withLock { $0 = true }
                return
            }
            var turn = number
            repeat {
                turn += 1
                let version = published.load()
                let key = turn % keys.count
                guard version.count >= keys.count else { continue }
                // The last change of each key is one of the last fifty.
                let last = (version.count - 1 - key) / keys.count * keys.count + key
                var changes = version.changes
                if changes.change(ofKey: keys[key])?.value?.value != DefaultsValue(last) {
                    wrong.append("the value of \(keys[key])")
                }
                let own = StoredValue(DefaultsValue(-number))
                changes.record(StoredChange(own, forKey: keys[key]))
                if changes.change(ofKey: keys[key])?.value != own { wrong.append("not what was recorded") }
                if changes.inOrder.map(\.key) != keys { wrong.append("other keys") }
            } while !isOver.withLock { $0 }
        }
        #expect(Set(wrong.all) == [])
    }

    private final class Version: Sendable {
        let changes: PendingChanges
        let count: Int
        init(_ changes: PendingChanges, count: Int) { (self.changes, self.count) = (changes, count) }
    }
}
