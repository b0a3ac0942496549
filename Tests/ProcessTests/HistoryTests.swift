/// What all threads of all processes read and write has one order.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct HistoryConcurrencyTests {
    @Test func `One order: what 3 processes with 3 threads did, and a fourth read, can be put in one order`()
        throws
    {
        let run = try WorkRun(seed: 1, load: "threads=3 registers=3 counters=1 pairs=2")
        // More than they come to do: each goes on until all have begun and the reader has looked often enough.
        for _ in 0..<3 { try run.start("operations=\(10_000 + Soak.times(400))") }
        let reader = try run.start("operations=\(Soak.part(of: 1_000)) only=reads")
        for _ in 0..<Soak.part(of: 20) {
            #expect(try run.ask("goon 60").filter { Int($0) == nil } == [])
            #expect(try reader.peer.ask("step 10") == "ok")
        }
        let complaints = try run.finish("end")
        let history = try run.history()
        #expect(complaints == [])
        #expect(run.errors(in: history) == [])
        let chains = try run.brokenChains(in: history)
        #expect(run.violations(in: history) == [])
        #expect(chains == [])
        // Had the writers not met, or the reader seen one state only, this would have shown nothing.
        #expect(history.operations.count == 6)
        #expect(history.operations.values.allSatisfy { $0.count > 50 })
        let all = history.all
        let writers = (1...3).map { number in all.filter { $0.client.hasPrefix("\(number).") }.map(\.start) }
        let lastBegan = try #require(writers.compactMap { $0.min() }.max())
        let firstEnded = try #require(writers.compactMap { $0.max() }.min())
        #expect(writers.allSatisfy { !$0.isEmpty } && lastBegan < firstEnded)
        // Of one register: one state of all of them is as many different answers.
        let seen = history.operations.values.map { operations in
            Set(operations.filter { $0.client.hasPrefix("\(reader.number).") }.map(\.action)).count
        }
        #expect((seen.max() ?? 0) > 5)
    }

    @Test
    func `One order: an observer is told every value that the threads of its process write, in their order`()
        throws
    {
        let run = try WorkRun(seed: 2, load: "threads=4 registers=2 counters=1 pairs=1")
        try run.start("operations=\(Soak.times(200))")
        let complaints = try run.finish()
        let history = try run.history()
        #expect(complaints == [])
        #expect(run.errors(in: history) == [])
        let chains = try run.brokenChains(in: history)
        #expect(run.violations(in: history) == [])
        #expect(chains == [])
        #expect(history.all.count > 800)
    }
}
