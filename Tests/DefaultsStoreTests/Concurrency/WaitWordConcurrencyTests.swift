/// Numbers that threads wait on, in the kernel and in rooms.
@testable import DefaultsStore
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct WaitWordConcurrencyTests {
    /// A class, so that threads can share the number.
    private final class Shared: Sendable {
        let word: WaitWord
        let turn = Atomic<Int>(0)
        let asleep = Atomic<Int>(0)

        init(hasRoom: Bool) { word = WaitWord(in: hasRoom ? SleepingRoom() : nil) }

        /// Waits until it is so many's turn.
        func wait(for number: Int) -> Bool {
            let deadline = Deadline.after(milliseconds: 60_000)
            while true {
                let seen = word.number
                if turn.load(ordering: .acquiring) == number { return true }
                guard word.wait(while: seen, until: deadline) else { return false }
            }
        }
    }

    @Test(arguments: [false, true])
    func `a wait for a number that has been raised ends at once`(hasRoom: Bool) {
        let word = WaitWord(in: hasRoom ? SleepingRoom() : nil)
        let seen = word.number
        word.raise(waking: .one)
        let (raised, isInTime) = (word.number, word.wait(while: seen, until: .never))
        #expect(raised == seen + 1)
        #expect(isInTime)
    }

    @Test(arguments: [false, true])
    func `a wait that nobody ends is over at the deadline`(hasRoom: Bool) {
        let word = WaitWord(in: hasRoom ? SleepingRoom() : nil)
        let deadline = Deadline.after(milliseconds: 20)
        // It may end earlier, but not for ever.
        while word.wait(while: word.number, until: deadline) {}
        #expect(deadline.hasPassed)
        let isInTime = word.wait(while: word.number, until: .after(milliseconds: 0))
        #expect(!isInTime)
    }

    @Test(arguments: [false, true])
    func `threads that wait for one another by turns all get on`(hasRoom: Bool) {
        let (shared, threads, rounds) = (Shared(hasRoom: hasRoom), 4, 500)
        let late = Recorder<Int>()
        withThreads(threads) { number in
            for round in 0..<rounds {
                let mine = round * threads + number
                guard shared.wait(for: mine) else { return late.append(mine) }
                shared.turn.store(mine + 1, ordering: .releasing)
                shared.word.raise(waking: .all)
            }
        }
        #expect(late.all.isEmpty)
        #expect(shared.turn.load(ordering: .relaxed) == threads * rounds)
    }

    @Test(arguments: [false, true])
    func `each raise that wakes one thread wakes one that sleeps`(hasRoom: Bool) {
        let shared = Shared(hasRoom: hasRoom)
        let woken = Recorder<Bool>()
        withThreads(5) { number in
            guard number == 0 else {
                let seen = shared.word.number
                shared.asleep.add(1, ordering: .releasing)
                woken.append(shared.word.wait(while: seen, until: .after(milliseconds: 60_000)))
                return
            }
            #expect(eventually { shared.asleep.load(ordering: .acquiring) == 4 })
            for count in 1...4 {
                shared.word.raise(waking: .one)
                #expect(woken.wait(for: count))
            }
        }
        #expect(woken.all == [true, true, true, true])
    }
}
