/// Background work that many may want.
@testable import DefaultsStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct CoalescedWorkTests {
    private let pool = WorkerPool()
    private let resource = WorkerPool.Resource.path("works")

    @Test func `what is wanted while it is done is done once more, by nobody else meanwhile`() {
        let (entered, gate) = (Recorder<Void>(), Gate())
        let work = CoalescedWork {
            entered.append(())
            #expect(gate.wait())
        }
        pool.run(work, on: resource)
        #expect(entered.wait(for: 1))
        for _ in 0..<10 { pool.run(work, on: resource) }
        #expect(work.isWantedAgain && entered.all.count == 1)
        gate.open()
        #expect(entered.wait(for: 2))
        #expect(eventually { work.isIdle })
        #expect(entered.all.count == 2)
    }

    @Test
    func `whatever many threads have noted before they wanted it is seen, and one thread is at it at a time`()
        throws
    {
        let crowds = Recorder<Int>()
        let state = Shared()
        let work = CoalescedWork {
            let count = state.inside.add(1, ordering: .acquiringAndReleasing).newValue
            if count > 1 { crowds.append(count) }
            state.seen.store(state.noted.load(ordering: .relaxed), ordering: .relaxed)
            state.inside.subtract(1, ordering: .acquiringAndReleasing)
        }
        withThreads(4) { [pool, resource] _ in
            for _ in 0..<5_000 {
                state.noted.add(1, ordering: .relaxed)
                pool.run(work, on: resource)
            }
        }
        #expect(eventually { state.seen.load(ordering: .relaxed) == 20_000 })
        #expect(crowds.all == [])
        #expect(eventually { work.isIdle })
    }

    private final class Shared: Sendable {
        let noted = Atomic<Int>(0)
        let seen = Atomic<Int>(0)
        let inside = Atomic<Int>(0)
    }

    @Test func `work that has left something to user code does not wait for it`() {
        let (rounds, gate) = (Recorder<Int>(), Gate())
        let pool = pool
        let work = CoalescedWork {
            let number = rounds.all.count
            rounds.append(number)
            if number == 0 {
                pool.runUserCode { #expect(gate.wait()) }
            }
        }
        pool.run(work, on: resource)
        #expect(rounds.wait(for: 1))
        pool.run(work, on: resource)
        #expect(rounds.wait(for: 2))
        gate.open()
    }
}
