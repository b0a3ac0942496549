/// Whenever the power goes, the store finds what was promised: tried on every state that the disk may be left in.
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct PowerLossTests {
    /// Of how many states at one point all are tried.
    static let limit = Soak.times(6)

    @Test(arguments: Workload.all)
    func `what was promised survives a power loss at every point`(_ workload: Workload) throws {
        let check = try PowerLossCheck(try workload.record(), limit: PowerLossTests.limit)
        #expect(check.violations == [])
        #expect(check.states.count > (Soak.isWhole ? 50 : 10))
        Soak.note("\(workload.name): \(check.states.count) states")
    }

    /// What the process after a dead one does: it looks, or says again what may have been said.
    static let recoveries = [
        ["open @ settings", "stored", "set d 5", "synchronize", "set a 6", "checkpoint"],
        ["open @ settings", "set a 1", "synchronize"],
        ["open @ settings", "set a 4", "checkpoint", "set b 7"],
    ]

    @Test(arguments: recoveries)
    func `what is promised after a death survives a power loss at every point`(_ recovery: [String]) throws {
        let calls = try Workload.mortal.changingCalls()
        let later = calls.drop { !$0.hasPrefix("openat") }
        #expect(later.count > 15)
        let step = max(1, 16 / Soak.factor)
        let places = stride(from: later.startIndex + Int.random(in: 0..<step), to: later.endIndex, by: step)
        #expect(try violations(after: places.map { later[$0] }, recovery) == [])
    }

    @Test(arguments: recoveries.prefix(1 + Soak.factor / 2))
    func `what is promised after a death among new folders survives a power loss`(_ recovery: [String]) throws
    {
        let calls = try Workload.mortal.changingCalls().prefix { !$0.hasPrefix("openat") }
        #expect(calls.count > 3)
        #expect(try violations(after: Array(calls), recovery) == [])
    }

    @Test(arguments: [Workload.sets, .twoProcesses])
    func `what is promised after a power loss survives the next one`(_ workload: Workload) throws {
        let first = try PowerLossCheck(try workload.record(), limit: 2)
        let starts = first.states.filter { !$0.key.files.isEmpty }.shuffled().prefix(Soak.part(of: 3))
        #expect(starts.count >= min(3, Soak.part(of: 3)))
        var states = 0
        let violations = try starts.flatMap { state, aftermath in
            let again = Workload.again(after: state, aftermath.stored)
            let check = try PowerLossCheck(try again.record(), limit: PowerLossTests.limit / 3, violations: 1)
            states += check.states.count
            return check.violations
        }
        #expect(violations == [])
        Soak.note("\(workload.name), \(starts.count) power losses, and another: \(states) states")
    }

    private func violations(
        after faults: [String], _ recovery: [String]
    ) throws -> [PowerLossCheck.Violation] {
        var states = 0
        let violations = try faults.flatMap { fault in
            let recording = try Workload.death(at: fault, then: recovery).record()
            let check = try PowerLossCheck(recording, limit: PowerLossTests.limit / 6, violations: 1)
            states += check.states.count
            return check.violations
        }
        Soak.note("\(faults.count) deaths, then \(recovery): \(states) states")
        return violations
    }
}
