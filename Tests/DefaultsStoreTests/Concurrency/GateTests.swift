/// The gate, the bell and deadlines.
@testable import DefaultsStore
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
        #expect(bell.wait(until: .after(milliseconds: 0)))
        #expect(!bell.wait(until: .after(milliseconds: 0)))
    }
}
