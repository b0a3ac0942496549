/// The lock that no thread owns, the semaphore and deadlines.
@testable import DefaultsStore
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct CombiningLockTests {
    @Test func `a lock that somebody has is not to be had until the deadline`() {
        let lock = CombiningLock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        let deadline = Deadline.after(milliseconds: 20)
        #expect(!lock.lock(until: deadline))
        #expect(deadline.hasPassed)
    }

    @Test func `who must not wait is nobody that waits`() {
        let lock = CombiningLock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        let isDone = Atomic<Bool>(false)
        withThreads(2) { number in
            if number == 0 {
                for _ in 0..<20_000 {
                    #expect(!lock.lock(until: .after(milliseconds: 0)))
                    #expect(lock.follow(until: .after(milliseconds: 0), unless: { false }) == .late)
                }
                isDone.store(true, ordering: .releasing)
            } else {
                var most = 0
                while !isDone.load(ordering: .acquiring) { most = max(most, lock.waiters) }
                #expect(most == 0)
            }
        }
    }

    @Test func `an unlocked lock is had once`() {
        let lock = CombiningLock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        lock.unlock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        #expect(!lock.lock(until: .after(milliseconds: 0)))
    }

    @Test func `a deadline of now has passed and one far ahead has not`() {
        #expect(Deadline.after(milliseconds: 0).hasPassed)
        #expect(!Deadline.after(milliseconds: 1_000_000).hasPassed)
    }

    @Test func `a signal that nobody waited for is kept for one waiter`() {
        let semaphore = Semaphore()
        semaphore.signal()
        semaphore.signal()
        #expect(semaphore.wait(until: .after(milliseconds: 0)))
        #expect(!semaphore.wait(until: .after(milliseconds: 0)))
    }

    @Test func `each signal lets one thread go on`() {
        let (semaphore, woken) = (Semaphore(), Recorder<Bool>())
        withThreads(5) { number in
            guard number == 0 else {
                return woken.append(semaphore.wait(until: .after(milliseconds: 60_000)))
            }
            for count in 1...4 {
                semaphore.signal()
                #expect(woken.wait(for: count))
            }
        }
        #expect(woken.all == [true, true, true, true])
        #expect(!semaphore.wait(until: .after(milliseconds: 0)))
    }
}
