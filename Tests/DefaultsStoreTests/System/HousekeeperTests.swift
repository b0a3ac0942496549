/// The housekeeping thread's appointments.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .ownThread)
struct HousekeeperTests {
    @Test func `appointments are kept in the order of their times`() throws {
        let kept = Recorder<UInt64>()
        for time in [900, 300, 600] as [UInt64] {
            try Housekeeper.shared.schedule(afterMilliseconds: time) { kept.append(time) }
        }
        #expect(kept.wait(for: 3))
        #expect(kept.all == [300, 600, 900])
    }

    @Test func `an appointment is kept once and not before its time`() throws {
        let kept = Recorder<Bool>()
        let due = Deadline.after(milliseconds: 30)
        try Housekeeper.shared.schedule(afterMilliseconds: 30) { kept.append(due.hasPassed) }
        try Housekeeper.shared.schedule(afterMilliseconds: 60) { kept.append(due.hasPassed) }
        #expect(kept.wait(for: 2))
        #expect(kept.all == [true, true])
    }

    @Test func `an appointment may make another`() throws {
        let kept = Recorder<Int>()
        try Housekeeper.shared.schedule(afterMilliseconds: 0) {
            kept.append(1)
            do { try Housekeeper.shared.schedule(afterMilliseconds: 0) { kept.append(2) } } catch {
                Issue.record(error)
            }
        }
        #expect(kept.wait(for: 2))
        #expect(kept.all == [1, 2])
    }

    @Test func `what is done at once on the housekeeping thread keeps no appointment waiting`() throws {
        let (entered, gate) = (TestSupport.Gate(), TestSupport.Gate())
        let kept = Recorder<Int>()
        try Housekeeper.shared.schedule(afterMilliseconds: 0) {
            for number in 1...2 {
                Housekeeper.shared.runPromptly {
                    entered.open()
                    #expect(gate.wait())
                    kept.append(number)
                }
            }
        }
        #expect(entered.wait())
        try Housekeeper.shared.drain()
        #expect(kept.all == [])
        gate.open()
        #expect(kept.wait(for: 2))
    }

    @Test func `what is to be done at once is done for a caller on another thread too`() throws {
        let done = Recorder<UInt>()
        Housekeeper.shared.runPromptly { done.append(SystemCalls.threadID) }
        #expect(done.wait(for: 1))
        #expect(done.all != [SystemCalls.threadID])
    }

    @Test func `a descriptor closes with its owner`() throws {
        let folder = try TemporaryFolder()
        try withDescriptor(folder)
        #expect(try folder.openDescriptors() == 0)
    }

    private func withDescriptor(_ folder: TemporaryFolder) throws {
        let descriptor = try SystemCalls.openDirectory(folder.path, followingLink: false)
        #expect(try folder.openDescriptors() == 1)
        _ = try SystemCalls.status(of: descriptor)
    }
}
