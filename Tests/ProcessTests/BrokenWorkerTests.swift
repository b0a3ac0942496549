/// The histories of peers that are wrong on purpose have no order: the tests beside this one can fail.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct BrokenWorkerTests {
    /// Each way to be wrong, and the registers that show it.
    private static let faults = [
        "stale": "registers=2", "split": "counters=1", "torn": "pairs=1", "lost": "registers=1",
    ]

    @Test(arguments: faults.keys.sorted())
    func `One order: there is none when a process is wrong`(_ fault: String) throws {
        let registers = try #require(Self.faults[fault])
        let run = try WorkRun(seed: 5, load: "threads=2 operations=100 \(registers) fault=\(fault)")
        for _ in 0..<2 { try run.start() }
        let complaints = try run.finish()
        #expect(complaints == [])
        let history = try run.history()
        let found = history.violations().values
        #expect(!found.isEmpty)
        // What is shown is a contradiction by itself, and can be read.
        #expect(found.allSatisfy { RegisterChecker.violation(in: $0.history, initial: $0.initial) != nil })
        #expect(found.map(\.history.count).min() ?? .max < 100)
    }
}
