/// Background work that many may want.
@testable import DefaultsStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct ErrandTests {
    private let pool = WorkerPool()
    private let place = WorkerPool.Place.path("errands")

    @Test func `what is wanted while it is done is done once more, by nobody else meanwhile`() {
        let (entered, gate) = (Recorder<Void>(), Gate())
        let errand = Errand {
            entered.append(())
            #expect(gate.wait())
        }
        pool.run(errand, in: place)
        #expect(entered.wait(for: 1))
        for _ in 0..<10 { pool.run(errand, in: place) }
        #expect(errand.isWantedAgain && entered.all.count == 1)
        gate.open()
        #expect(entered.wait(for: 2))
        #expect(eventually { errand.isIdle })
        #expect(entered.all.count == 2)
    }

    @Test
    func `whatever many threads have noted before they wanted it is seen, and one thread is at it at a time`()
        throws
    {
        let crowds = Recorder<Int>()
        let state = Shared()
        let errand = Errand {
            let count = state.inside.add(1, ordering: .acquiringAndReleasing).newValue
            if count > 1 { crowds.append(count) }
            state.seen.store(state.noted.load(ordering: .relaxed), ordering: .relaxed)
            state.inside.subtract(1, ordering: .acquiringAndReleasing)
        }
        withThreads(4) { [pool, place] _ in
            for _ in 0..<5_000 {
                state.noted.add(1, ordering: .relaxed)
                pool.run(errand, in: place)
            }
        }
        #expect(eventually { state.seen.load(ordering: .relaxed) == 20_000 })
        #expect(crowds.all == [])
        #expect(eventually { errand.isIdle })
    }

    private final class Shared: Sendable {
        let noted = Atomic<Int>(0)
        let seen = Atomic<Int>(0)
        let inside = Atomic<Int>(0)
    }

    @Test func `an errand is done once more behind people's code that it has left`() {
        let said = Recorder<String>()
        let pool = pool
        let errand = Errand {
            let isFirst = said.all.isEmpty
            said.append("done")
            if isFirst {
                pool.tell { said.append("told") }
            }
        }
        let duties = Recorder<Errand.Duty>()
        pool.run(in: place) { [place] in
            errand.perform(by: pool, in: place)
            duties.append(errand.want())
            if duties.all == [.next] { errand.performNext(by: pool, in: place) }
        }
        #expect(said.wait(for: 3))
        #expect(duties.all == [.next])
        #expect(said.all == ["done", "told", "done"])
    }

    @Test func `an errand that has left something to people's code does not wait for it`() {
        let (rounds, gate) = (Recorder<Int>(), Gate())
        let pool = pool
        let errand = Errand {
            let number = rounds.all.count
            rounds.append(number)
            if number == 0 {
                pool.tell { #expect(gate.wait()) }
            }
        }
        pool.run(errand, in: place)
        #expect(rounds.wait(for: 1))
        pool.run(errand, in: place)
        #expect(rounds.wait(for: 2))
        gate.open()
    }
}
