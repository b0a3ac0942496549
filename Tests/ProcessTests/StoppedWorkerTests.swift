/// A process that is stopped amid its work stops nobody's reads and leaves the order whole.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct StoppedWorkerTests {
    /// A soak stops for longer than a writer waits.
    private static let stop: Duration = Soak.factor > 1 ? .seconds(6) : .seconds(1)

    @Test(arguments: ["anywhere", "in a transaction"])
    func `One order: a process that is stopped and goes on keeps the order, and the others read on`(
        _ place: String
    )
        throws
    {
        let run = try WorkRun(seed: 3, load: "threads=3 registers=3 counters=1 pairs=2 operations=2000")
        let (victim, other) = (try run.start(), try run.start())
        try run.start()
        let reader = try run.start("threads=0 only=reads")
        #expect(try run.ask("goon 100").filter { Int($0) == nil } == [])

        let isHolding = place == "in a transaction"
        if isHolding { #expect(try victim.peer.ask("begin") == "held") }
        victim.peer.stop()
        let began = monotonicMoment()
        let end = ContinuousClock.now + Self.stop
        var rounds = 0
        // So many at the least, should this process or a peer stand still for that time.
        while ContinuousClock.now < end || rounds < 40 {
            // One that waits for the lock waits for five seconds.
            #expect(try !other.peer.ask("get r0", within: .seconds(4.5)).isEmpty)
            #expect(try reader.peer.ask("step 5") == "ok")
            rounds += 1
        }
        let ended = monotonicMoment()
        victim.peer.resume()
        if isHolding { #expect(try victim.peer.ask("release") == "released") }
        #expect(try reader.peer.ask("step 200") == "ok")

        #expect(try run.ask("goon 100").filter { Int($0) == nil } == [])
        let complaints = try run.finish("end")
        let history = try run.history()
        #expect(complaints == [])
        #expect(run.errors(in: history) == [])
        if isHolding, Soak.factor > 1 { #expect(!history.refused.isEmpty, "writers that gave up") }
        let chains = try run.brokenChains(in: history)
        #expect(run.violations(in: history) == [])
        #expect(chains == [])

        let reads = history.all.filter { $0.client.hasPrefix("\(reader.number).") }
        let during = reads.filter { $0.start > began && ($0.end ?? .max) < ended }
        #expect(during.count > 100, "reads that began and ended while the writer stood still")
        #expect(
            reads.compactMap { operation in operation.end.map { $0 - operation.start } }.max() ?? 0
                < 4_000_000_000)
    }
}
