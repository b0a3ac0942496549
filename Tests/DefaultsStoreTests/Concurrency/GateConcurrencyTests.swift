/// The gate between threads, which sleep in the kernel or in rooms.
@testable import DefaultsStore
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct GateConcurrencyTests {
    /// What those who wait for the gate want to be done.
    private final class Work: Sendable {
        let isDone = Atomic<Bool>(false)

        func pass(_ gate: DefaultsStore.Gate) -> DefaultsStore.Gate.Passage {
            let deadline = Deadline.after(milliseconds: 20_000)
            let passage = gate.pass(until: deadline) { isDone.load(ordering: .acquiring) }
            // Who was not woken finds out at the deadline.
            return deadline.hasPassed ? .late : passage
        }
    }

    /// Passes the gate because somebody has opened it.
    private func passes(_ gate: DefaultsStore.Gate) -> Bool {
        let deadline = Deadline.after(milliseconds: 20_000)
        return gate.close(until: deadline) && !deadline.hasPassed
    }

    /// Shuts the gate, has so many hope, does their work and opens it: all leave.
    private func leaveDone(_ count: Int, at gate: DefaultsStore.Gate) {
        let work = Work()
        #expect(gate.closeAtOnce())
        withThreads(count + 1) { number in
            guard number == 0 else {
                #expect(work.pass(gate) == .needless)
                return
            }
            #expect(eventually { gate.waiters == count })
            work.isDone.store(true, ordering: .releasing)
            gate.open()
        }
    }

    /// How many are inside, and how often one came upon another there.
    private final class Room: Sendable {
        let inside = Atomic<Int>(0)
        let meetings = Atomic<Int>(0)
        let visits = Atomic<Int>(0)

        func visit() {
            if inside.add(1, ordering: .relaxed).oldValue > 0 { meetings.add(1, ordering: .relaxed) }
            visits.add(1, ordering: .relaxed)
            inside.subtract(1, ordering: .relaxed)
        }
    }

    @Test(arguments: [false, true])
    func `one is inside at a time, whichever way each has come, and the gate is free at the end`(
        hasRooms: Bool
    ) {
        let (gate, room) = (DefaultsStore.Gate(hasRooms: hasRooms), Room())
        withThreads(6) { number in
            for _ in 0..<2_000 {
                let isInside =
                    switch number % 3 {
                    case 0: gate.closeAtOnce()
                    case 1: gate.close(until: .after(milliseconds: 60_000), yields: number)
                    default: gate.close(until: .after(milliseconds: 0))
                    }
                guard isInside else { continue }
                room.visit()
                gate.open()
            }
        }
        let meetings = room.meetings.load(ordering: .relaxed)
        let visits = room.visits.load(ordering: .relaxed)
        #expect(meetings == 0)
        #expect(visits >= 4_000, "those who wait have all come in")
        #expect(gate.closeAtOnce())
    }

    @Test(arguments: [false, true])
    func `those whose work is done leave at once, and the gate goes to one whose work is not`(hasRooms: Bool)
    {
        let (gate, work, other) = (DefaultsStore.Gate(hasRooms: hasRooms), Work(), Work())
        #expect(gate.closeAtOnce())
        let left = Recorder<DefaultsStore.Gate.Passage>()
        withThreads(9) { number in
            guard number == 0 else {
                left.append(number == 1 ? other.pass(gate) : work.pass(gate))
                return
            }
            #expect(eventually { gate.waiters == 8 })
            work.isDone.store(true, ordering: .releasing)
            gate.open()
            #expect(left.wait(for: 8))
        }
        #expect(left.all.count { $0 == .passed } == 1)
        #expect(left.all.count { $0 == .needless } == 7)
        #expect(!gate.closeAtOnce())
    }

    @Test(arguments: [false, true])
    func `a gate that all who waited have left is free`(hasRooms: Bool) {
        let gate = DefaultsStore.Gate(hasRooms: hasRooms)
        leaveDone(4, at: gate)
        #expect(gate.closeAtOnce())
    }

    @Test(arguments: [false, true])
    func `a gate shut on one thread is opened on another for the one that waits`(hasRooms: Bool) {
        let gate = DefaultsStore.Gate(hasRooms: hasRooms)
        #expect(gate.close(until: .after(milliseconds: 0)))
        withThreads(2) { number in
            if number == 0 { gate.open() } else { #expect(passes(gate)) }
        }
        #expect(!gate.close(until: .after(milliseconds: 0)))
    }

    @Test(arguments: [false, true])
    func `one at a time is inside`(hasRooms: Bool) {
        let gate = DefaultsStore.Gate(hasRooms: hasRooms)
        let visits = Recorder<Int>()
        withThreads(4) { number in
            for _ in 0..<50 {
                #expect(passes(gate))
                visits.append(number)
                visits.append(number)
                gate.open()
            }
        }
        let all = visits.all
        #expect(all.count == 400)
        #expect(stride(from: 0, to: all.count, by: 2).allSatisfy { all[$0] == all[$0 + 1] })
    }

    @Test(arguments: [false, true])
    func `those who hope and those who wait come in by turns, so that neither keeps the others out`(
        hasRooms: Bool
    ) {
        let (gate, work) = (DefaultsStore.Gate(hasRooms: hasRooms), Work())
        #expect(gate.closeAtOnce())
        let visits = Recorder<String>()
        withThreads(7) { number in
            switch number {
            case 0:
                #expect(eventually { gate.waiters == 6 })
                gate.open()
            case 1...3:
                #expect(passes(gate))
                visits.append("waited")
                gate.open()
            default:
                #expect(work.pass(gate) == .passed)
                visits.append("hoped")
                gate.open()
            }
        }
        #expect(visits.all == ["hoped", "waited", "hoped", "waited", "hoped", "waited"])
        #expect(gate.closeAtOnce())
    }

    @Test(arguments: [false, true])
    func `a gate that all who hoped have left goes to one who waits`(hasRooms: Bool) {
        let (gate, work) = (DefaultsStore.Gate(hasRooms: hasRooms), Work())
        #expect(gate.closeAtOnce())
        withThreads(5) { number in
            switch number {
            case 0:
                #expect(eventually { gate.waiters == 4 })
                work.isDone.store(true, ordering: .releasing)
                gate.open()
            case 1: #expect(passes(gate))
            default: #expect(work.pass(gate) == .needless)
            }
        }
        #expect(!gate.closeAtOnce())
    }

    @Test(arguments: [false, true])
    func `those whose work is done leave, though the gate goes to one who waits`(hasRooms: Bool) {
        let (gate, first, work) = (DefaultsStore.Gate(hasRooms: hasRooms), Work(), Work())
        #expect(gate.closeAtOnce())
        let left = Recorder<Int>()
        withThreads(5) { number in
            switch number {
            case 0:
                #expect(eventually { gate.waiters == 1 })
                gate.open()
            case 1:
                // Since one who hopes has passed, it is the turn of one who waits.
                #expect(first.pass(gate) == .passed)
                left.append(number)
                #expect(eventually { gate.waiters == 3 })
                work.isDone.store(true, ordering: .releasing)
                gate.open()
            case 2:
                #expect(left.wait(for: 1))
                #expect(passes(gate))
                #expect(left.wait(for: 3), "the others do not need the gate")
                gate.open()
            default:
                #expect(left.wait(for: 1))
                #expect(work.pass(gate) == .needless)
                left.append(number)
            }
        }
        #expect(gate.closeAtOnce())
    }

    @Test(arguments: [false, true])
    func `whoever comes too late leaves, and the gate goes to the next`(hasRooms: Bool) {
        let gate = DefaultsStore.Gate(hasRooms: hasRooms)
        #expect(gate.closeAtOnce())
        let left = Recorder<Int>()
        withThreads(4) { number in
            switch number {
            case 0:
                #expect(!gate.close(until: .after(milliseconds: 20)))
                left.append(number)
            case 1:
                #expect(gate.pass(until: .after(milliseconds: 20), unless: { false }) == .late)
                left.append(number)
            case 2:
                #expect(passes(gate))
                gate.open()
            default:
                #expect(left.wait(for: 2))
                gate.open()
            }
        }
        #expect(gate.closeAtOnce())
    }

    @Test func `a gate says once that it was crowded, if somebody hoped when it was opened`() {
        let gate = DefaultsStore.Gate()
        #expect(gate.closeAtOnce())
        gate.open()
        #expect(!gate.wasCrowded())
        leaveDone(1, at: gate)
        #expect(gate.wasCrowded())
        #expect(!gate.wasCrowded())
    }
}
