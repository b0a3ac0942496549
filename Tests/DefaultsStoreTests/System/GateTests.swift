/// The gate, the bell and deadlines.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct GateTests {
    private typealias Door = DefaultsStore.Gate

    @Test func `a shut gate lets nobody in until the deadline`() {
        let gate = Door()
        #expect(gate.close(until: .after(milliseconds: 0)))
        let deadline = Deadline.after(milliseconds: 20)
        #expect(!gate.close(until: deadline))
        #expect(deadline.hasPassed)
    }

    @Test func `an opened gate lets one in and then is shut`() {
        let gate = Door()
        #expect(gate.close(until: .after(milliseconds: 0)))
        gate.open()
        #expect(gate.close(until: .after(milliseconds: 0)))
        #expect(!gate.close(until: .after(milliseconds: 0)))
    }

    @Test func `a deadline of now has passed and one far ahead has not`() {
        #expect(Deadline.after(milliseconds: 0).hasPassed)
        #expect(!Deadline.after(milliseconds: 1_000_000).hasPassed)
    }

    @Test func `a ring that nobody waited for is kept for one waiter`() {
        let bell = Bell()
        bell.ring()
        bell.ring()
        #expect(bell.wait(milliseconds: 0))
        #expect(!bell.wait(milliseconds: 0))
    }
}

@Suite(.ownThread) struct GateConcurrencyTests {
    @Test func `a gate shut on one thread is opened on another for the one that waits`() {
        let gate = DefaultsStore.Gate()
        #expect(gate.close(until: .after(milliseconds: 0)))
        withThreads(2) { number in
            if number == 0 { gate.open() } else { #expect(gate.close(until: .after(milliseconds: 20_000))) }
        }
        #expect(!gate.close(until: .after(milliseconds: 0)))
    }

    @Test func `one at a time is inside`() {
        let gate = DefaultsStore.Gate()
        let visits = Recorder<Int>()
        withThreads(4) { number in
            for _ in 0..<50 {
                #expect(gate.close(until: .after(milliseconds: 20_000)))
                visits.append(number)
                visits.append(number)
                gate.open()
            }
        }
        let all = visits.all
        #expect(all.count == 400)
        #expect(stride(from: 0, to: all.count, by: 2).allSatisfy { all[$0] == all[$0 + 1] })
    }
}
