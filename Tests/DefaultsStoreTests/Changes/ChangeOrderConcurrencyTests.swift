/// Observers see a chain: commit order, each old value the new one before.
import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct ChangeOrderConcurrencyTests {
    @Test func `one observer of four writing threads hears every commit, in order`() throws {
        let folder = try TemporaryFolder()
        try expectChain(try folder.suite(), rounds: 10)
        try expectChain(.inMemory(), rounds: 50)
    }

    private func expectChain(_ suite: DefaultsSuite, rounds: Int) throws {
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(key: "a", options: [.old, .new]) { events.append($0) }
        try withThreads(4) { thread in
            for round in 0..<rounds { try suite.set(DefaultsValue(thread * 1_000 + round), forKey: "a") }
        }
        #expect(events.wait(for: 4 * rounds))
        let all = events.all
        #expect(all.first?.oldValue == nil)
        #expect(all.dropFirst().map(\.oldValue) == all.dropLast().map(\.newValue))
        #expect(all.count == 4 * rounds)
        #expect(all.last?.newValue == suite.value(forKey: "a"))
        #expect(all.allSatisfy { $0.cause == .thisProcess })
        observation.invalidate()
    }

    @Test func `a handler that writes is told of its own write after the event it is handling`() throws {
        let suite = DefaultsSuite.inMemory()
        let events = Recorder<DefaultsValue?>()
        let observation = suite.observe(key: "a", options: [.new]) { change in
            guard change.newValue == 1 else { return events.append(change.newValue) }
            #expect(refusal { try suite.set(2, forKey: "a") } == nil)
            events.append(change.newValue)
        }
        try suite.set(1, forKey: "a")
        #expect(events.all == [1, 2])
        observation.invalidate()
    }

    @Test func `no call begins after an observation was invalidated, whoever writes meanwhile`() throws {
        let suite = DefaultsSuite.inMemory()
        let events = Recorder<Void>()
        let observation = suite.observe(key: "a", options: []) { _ in events.append(()) }
        observation.invalidate()
        try withThreads(2) { thread in try suite.set(DefaultsValue(thread), forKey: "a") }
        #expect(events.all.isEmpty)
    }
}
