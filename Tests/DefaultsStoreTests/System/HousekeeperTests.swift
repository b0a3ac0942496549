/// The housekeeping thread's appointments.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct HousekeeperTests {
    @Test func `appointments are kept in the order of their times`() throws {
        var isPrompt = false
        for _ in 0..<50 where !isPrompt {
            let kept = Recorder<UInt64>()
            let begin = ContinuousClock.now
            for time in [900, 300, 600] as [UInt64] {
                try Housekeeper.shared.schedule(afterMilliseconds: time) { kept.append(time) }
            }
            // A short time that is asked for late ends behind a long one.
            isPrompt = ContinuousClock.now - begin < .milliseconds(200)
            #expect(kept.wait(for: 3))
            if isPrompt { #expect(kept.all == [300, 600, 900]) }
        }
        #expect(isPrompt)
    }

    @Test func `an appointment is kept once and not before its time`() throws {
        let (kept, early) = (Recorder<UInt64>(), Recorder<UInt64>())
        for time in [30, 60] as [UInt64] {
            let due = Deadline.after(milliseconds: time)
            try Housekeeper.shared.schedule(afterMilliseconds: time) {
                if !due.hasPassed { early.append(time) }
                kept.append(time)
            }
        }
        #expect(kept.wait(for: 2))
        try Housekeeper.shared.drain()
        #expect(kept.all == [30, 60])
        #expect(early.all == [])
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

    /// Has a thread that keeps house kept by something that is to be done at once.
    private func keep(_ house: Housekeeper, until gate: TestSupport.Gate) throws {
        let entered = TestSupport.Gate()
        try house.schedule(afterMilliseconds: 0) {
            house.runPromptly {
                entered.open()
                #expect(gate.wait())
            }
        }
        #expect(entered.wait())
    }

    @Test func `after the first such work two threads wait, and none is started for the next`() throws {
        let house = Housekeeper(courier: Courier())
        let threads = Recorder<UInt>()
        for count in 1...20 {
            try house.schedule(afterMilliseconds: 0) {
                house.runPromptly { threads.append(SystemCalls.threadID) }
            }
            #expect(threads.wait(for: count))
            #expect(eventually { house.waitingThreads == 2 })
        }
        #expect(Set(threads.all).count <= 2)
    }

    @Test func `with two threads kept a third one keeps house, and goes when they come back`() throws {
        let house = Housekeeper(courier: Courier())
        let gates = [TestSupport.Gate(), TestSupport.Gate(), TestSupport.Gate()]
        for gate in gates { try keep(house, until: gate) }
        let kept = Recorder<Void>()
        try house.schedule(afterMilliseconds: 10) { kept.append(()) }
        #expect(kept.wait(for: 1))
        gates.forEach { $0.open() }
        #expect(eventually { house.waitingThreads == 2 })
    }

    @Test func `an appointment that a thread knew of which is kept then is kept by the other`() throws {
        let house = Housekeeper(courier: Courier())
        let open = TestSupport.Gate()
        open.open()
        try keep(house, until: open)
        #expect(eventually { house.waitingThreads == 2 })
        for _ in 0..<10 {
            let (gate, kept) = (TestSupport.Gate(), Recorder<Void>())
            try house.schedule(afterMilliseconds: 40) { kept.append(()) }
            try keep(house, until: gate)
            #expect(kept.wait(for: 1))
            gate.open()
            #expect(eventually { house.waitingThreads == 2 })
        }
    }

    @Test(arguments: ["epoll_create1", "epoll_ctl"])
    func `where threads cannot wait together, one does, and another is woken for it`(_ call: String) throws {
        let house = Housekeeper(courier: Courier())
        let done = Recorder<Void>()
        // What the loop waits on is made by the first who needs it.
        try Faults.$current.withValue(Faults(Faults.Rule(call, errno: ENOSYS))) {
            try house.schedule(afterMilliseconds: 0) {}
        }
        for count in 1...5 {
            let gate = TestSupport.Gate()
            try keep(house, until: gate)
            try house.schedule(afterMilliseconds: 0) { done.append(()) }
            #expect(done.wait(for: count))
            gate.open()
            #expect(eventually { house.waitingThreads == 1 })
        }
    }

    @Test func `of more notices than are read at a time none is lost`() throws {
        let folder = try TemporaryFolder()
        let notices = try FolderNotices()
        let descriptor = try SystemCalls.openDirectory(folder.path, followingLink: false)
        let watch = try notices.watch(descriptor, for: .names)
        let names = (0..<300).map { "file \($0) " + String(repeating: "x", count: $0 % 200) }
        for name in names { try folder.write("", to: name) }
        // One call has all that came before it.
        let heard = notices.answer(notices.wait(milliseconds: 0))
        #expect(heard.allSatisfy { $0.watch == watch })
        #expect(Set(heard.map(\.name)).isSuperset(of: names))
    }

    @Test func `what is to be done at once is done for a caller on another thread too`() throws {
        let done = Recorder<UInt>()
        Housekeeper.shared.runPromptly { done.append(SystemCalls.threadID) }
        #expect(done.wait(for: 1))
        #expect(done.all != [SystemCalls.threadID])
    }

    @Test func `what a watch's handler holds may use the house when it goes`() throws {
        final class Last: Sendable {
            let house: Housekeeper
            let kept: Recorder<Void>
            init(_ house: Housekeeper, _ kept: Recorder<Void>) { (self.house, self.kept) = (house, kept) }
            deinit {
                do { try house.schedule(afterMilliseconds: 0) { [kept] in kept.append(()) } } catch {
                    Issue.record(error)
                }
            }
        }
        let folder = try TemporaryFolder()
        let kept = Recorder<Void>()
        // On a thread that is waited for with a limit: under a lock it would wait for ever.
        Thread.detachNewThread {
            do {
                let last = Last(Housekeeper.shared, kept)
                let descriptor = try SystemCalls.openDirectory(folder.path, followingLink: false)
                _ = try Housekeeper.shared.watch(descriptor) { [last] _ in withExtendedLifetime(last) {} }
            } catch { Issue.record(error) }
        }
        #expect(kept.wait(for: 1))
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
