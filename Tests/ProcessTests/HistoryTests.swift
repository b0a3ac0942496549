/// What all threads of all processes read and write has one order.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(10)), .ownThread)
struct HistoryConcurrencyTests {
    @Test func `One order: what 3 processes with 3 threads did, and a fourth read, can be put in one order`()
        throws
    {
        let run = try WorkRun(seed: 1, load: "threads=3 registers=3 counters=1 pairs=2")
        for _ in 0..<3 { try run.start("operations=\(Soak.times(400))") }
        try run.start("operations=\(Soak.times(1_000)) only=reads")
        let complaints = try run.finish()
        let history = try run.history()
        #expect(complaints == [])
        #expect(run.errors(in: history) == [])
        let chains = try run.brokenChains(in: history)
        #expect(run.violations(in: history) == [])
        #expect(chains == [])
        // Had the writers not met, or the reader seen one state only, this would have shown nothing.
        #expect(history.operations.count == 6)
        #expect(history.operations.values.allSatisfy { $0.count > 50 })
        #expect(Set(history.all.filter { $0.client.hasPrefix("4.") }.map(\.action)).count > 5)
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
