/// Observers see a chain: commit order, each old value the new one before.
@testable import DefaultsStore
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
        let observation = suite.observe(forKey: "a", options: [.old, .new]) { events.append($0) }
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
        let observation = suite.observe(forKey: "a", options: [.new]) { change in
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
        let observation = suite.observe(forKey: "a", options: []) { _ in events.append(()) }
        observation.invalidate()
        try withThreads(2) { thread in try suite.set(DefaultsValue(thread), forKey: "a") }
        #expect(events.all.isEmpty)
    }

    @Test(arguments: [true, false])
    func `who begins to observe while many threads write is told what its key has in the end`(
        _ hasFile: Bool
    ) throws {
        // writers                 | observers
        // 16 wait for the lock    |
        // commit one by one       | begin, each of the key of one writer
        let folder = try TemporaryFolder()
        for _ in 0..<20 {
            let suite = hasFile ? try folder.suite() : .inMemory()
            let store = try suite.context.store()
            // They make each commit take its time.
            let others = (0..<16).map { suite.observe(forKey: "\($0)", options: []) { _ in } }
            let (writers, begin) = (16, TestSupport.Gate())
            let told = (0..<writers).map { _ in Recorder<DefaultsValue?>() }
            let observations = Recorder<DefaultsObservation>()
            try withThreads(writers + 3) { number in
                if number == writers {
                    try suite.withTransaction { tx in
                        tx[key: "first"] = 1
                        begin.open()
                        #expect(eventually { store.writer.waitingThreads == writers })
                    }
                } else if number > writers {
                    #expect(begin.wait())
                    #expect(
                        eventually { store.writer.waitingThreads == writers || suite.bool(forKey: "first") })
                    for key in stride(from: number - writers - 1, to: writers, by: 2) {
                        observations.append(
                            suite.observe(forKey: "\(key)", options: [.initial, .new]) {
                                told[key].append($0.newValue)
                            })
                    }
                } else {
                    #expect(begin.wait())
                    try suite.set(true, forKey: "\(number)")
                }
            }
            for key in 0..<writers { #expect(told[key].wait { $0.last == true }, "\(key)") }
            (others + observations.all).forEach { $0.invalidate() }
            try suite.removeAll()
        }
    }
}
