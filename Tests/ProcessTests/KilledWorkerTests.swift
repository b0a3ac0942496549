/// A process that is killed amid its work takes nothing with it that was acknowledged or seen.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct KilledWorkerTests {
    @Test
    func `Acknowledged means kept: there is one order when one of 3 processes is killed and comes again`()
        throws
    {
        var random = SeededNumbers(seed: 4)
        let run = try WorkRun(seed: 4, load: "threads=3 registers=3 counters=1 pairs=2 operations=2000")
        var unanswered = 0
        for round in 0..<Soak.times(6) {
            for _ in 0..<3 { try run.start() }
            try run.start("threads=1 only=reads")
            #expect(try run.ask("goon 30").filter { Int($0) == nil } == [])
            spin(for: .microseconds(.random(in: 0...20_000, using: &random)))
            try run.kill(run.workers[.random(in: 0..<3, using: &random)])
            try run.start()
            #expect(try run.ask("goon 30").filter { Int($0) == nil } == [])
            let complaints = try run.finish("end")

            let history = try run.history()
            #expect(complaints == [], "round \(round)")
            #expect(run.errors(in: history) == [], "round \(round)")
            let chains = try run.brokenChains(in: history)
            #expect(run.violations(in: history) == [], "round \(round)")
            #expect(chains == [], "round \(round)")
            unanswered += history.all.filter { $0.end == nil }.count
            try run.nextRound()
        }
        #expect(unanswered > 0, "operations that a kill cut short")
    }

    /// Moves the kill to another place of the work; nothing rests on how long it takes.
    private func spin(for time: Duration) {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {}
    }
}
