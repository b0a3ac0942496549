/// Observation of all keys with their values.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct AllChangesTests {
    private let suite = DefaultsSuite.inMemory()

    /// What an observer heard, call by call: `key: old -> new`.
    private final class Heard: Sendable {
        let calls = Locked<[[String]]>([])

        func hear(_ changes: [DefaultsChange]) {
            let texts = changes.map { change in
                "\(change.key): \(change.oldValue?.description ?? "-") -> \(change.newValue?.description ?? "-")"
            }
            calls.withLock { $0.append(texts) }
        }
    }

    @Test func `the present values come first where asked for, by key, and each change with both values`()
        throws
    {
        try suite.set(1, forKey: "b")
        try suite.set(2, forKey: "a")
        let heard = Heard()
        let observation = suite.observeAll { heard.hear($0) }
        try suite.set(3, forKey: "b")
        try suite.removeValue(forKey: "a")
        observation.invalidate()
        #expect(heard.calls.withLock { $0 } == [["a: 2 -> 2", "b: 1 -> 1"], ["b: 1 -> 3"], ["a: 2 -> -"]])
    }

    @Test func `a transaction is one call, and a key that is new has no old value`() throws {
        let heard = Heard()
        let observation = suite.observeAll(options: [.old, .new]) { heard.hear($0) }
        try suite.withTransaction { transaction in
            transaction[key: "a"] = 1
            transaction[key: "b"] = 2
        }
        observation.invalidate()
        #expect(heard.calls.withLock { $0.map { $0.sorted() } } == [["a: - -> 1", "b: - -> 2"]])
    }

    @Test func `an equal value is no change, and values that were not asked for are left out`() throws {
        try suite.set(1, forKey: "a")
        let heard = Heard()
        let observation = suite.observeAll(options: [.new]) { heard.hear($0) }
        try suite.set(1.0, forKey: "a")
        try suite.set(2, forKey: "a")
        observation.invalidate()
        #expect(heard.calls.withLock { $0 } == [["a: - -> 2"]])
    }

    @Test func `keys that are gone are not kept, and were missing if they come back`() throws {
        let (told, context) = (DeliveredValues(isComplete: true), suite.context)
        let one = StoredValue(1)
        let subscription = ObserverSubscription(
            keys: [], allKeys: { $0.keys }, delivery: .immediate, lookup: { $1.value(forKey: $0) },
            handler: { notice, _ in _ = told.changes(notice, of: context, [.old, .new]) })
        subscription.start(with: [], sendsInitial: false)
        for turn in 0..<3 {
            let key = KeyName("a\(turn % 2)")
            #expect(subscription.post([.init(key: key, text: one)], cause: .thisProcess))
            #expect(subscription.deliveredKeys == [key])
            subscription.deliver()
            #expect(told.values.withLock { Array($0.keys) } == [key])
            #expect(subscription.post([.init(key: key, text: nil)], cause: .thisProcess))
            #expect(!subscription.post([.init(key: key, text: nil)], cause: .thisProcess))
            subscription.deliver()
            #expect(subscription.deliveredKeys == [])
            #expect(told.values.withLock { $0.isEmpty })
            subscription.takeUp([.init(key: key, text: one)])
            #expect(subscription.deliveredKeys == [key])
            subscription.takeUp([.init(key: key, text: nil)])
            #expect(subscription.deliveredKeys == [])
        }
    }

    @Test func `an observer of all keys hears a suite's next handle, though the last one was gone`() throws {
        let folder = try TemporaryFolder()
        let (heard, calls) = (Heard(), Recorder<Void>())
        let observation = try folder.suite().observeAll(options: [.new]) { heard.hear($0) }
        let other = try folder.suite("other").observeAll(options: []) { calls.append(()) }
        for next in [try folder.suite(), try folder.suite("other")] {
            try next.setTransient(2, forKey: "a")
            next.register(defaults: ["b": 3])
        }
        observation.invalidate()
        other.invalidate()
        #expect(calls.all.count == 2)
        #expect(heard.calls.withLock { $0 } == [["a: - -> 2"], ["b: - -> 3"]])
    }
}
