/// One piece of work at a time, shared by those who wait.
@testable import DefaultsStore
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct SharedWorkConcurrencyTests {
    /// What the threads of a test tell each other.
    private final class Seen: Sendable {
        let isDone = Atomic<Bool>(false)
        let asked = Atomic<Int>(0)

        func askInVain() -> Bool {
            asked.add(1, ordering: .relaxed)
            return false
        }
    }

    private func begin(_ work: SharedWork, unless isDone: () -> Bool = { false }) -> SharedWork.Outcome {
        let deadline = Deadline.after(milliseconds: 20_000)
        let outcome = work.begin(until: deadline, unless: isDone)
        // Who was not woken finds out at the deadline.
        return deadline.hasPassed ? .late : outcome
    }

    @Test func `those whose work is done leave together, and the next piece is one thread's`() {
        let (work, seen) = (SharedWork(), Seen())
        #expect(begin(work) == .mine)
        let left = Recorder<SharedWork.Outcome>()
        withThreads(9) { number in
            guard number == 0 else {
                let isFirst = number == 1
                return left.append(
                    begin(work) {
                        seen.asked.add(1, ordering: .relaxed)
                        return !isFirst && seen.isDone.load(ordering: .acquiring)
                    })
            }
            // Each asks once before it sleeps.
            #expect(eventually { seen.asked.load(ordering: .relaxed) == 8 })
            seen.isDone.store(true, ordering: .releasing)
            work.end()
            #expect(left.wait(for: 8))
        }
        #expect(left.all.count { $0 == .mine } == 1)
        #expect(left.all.count { $0 == .done } == 7)
        #expect(work.begin(until: .after(milliseconds: 0), unless: { false }) == .late)
    }

    @Test func `whoever comes too late leaves, and the next goes on`() {
        let work = SharedWork()
        #expect(begin(work) == .mine)
        #expect(work.begin(until: .after(milliseconds: 20), unless: { false }) == .late)
        work.end()
        #expect(begin(work) == .mine)
    }

    @Test func `work says once that it was shared, if somebody waited when it ended`() {
        let work = SharedWork()
        #expect(begin(work) == .mine)
        work.end()
        #expect(!work.takeWasShared())
        #expect(begin(work) == .mine)
        let seen = Seen()
        withThreads(2) { number in
            if number == 0 {
                #expect(eventually { seen.asked.load(ordering: .relaxed) == 1 })
                work.end()
            } else {
                let outcome = begin(work, unless: seen.askInVain)
                #expect(outcome == .mine)
            }
        }
        #expect(work.takeWasShared())
        #expect(!work.takeWasShared())
    }
}
