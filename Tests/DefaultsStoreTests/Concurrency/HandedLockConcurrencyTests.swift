/// The lock that no thread owns, among threads.
@testable import DefaultsStore
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct HandedLockConcurrencyTests {
    /// What the threads of a test tell each other.
    private final class Seen: Sendable {
        let isDone = Atomic<Bool>(false)
        let inside = Atomic<Int>(0)
        let visits = Atomic<Int>(0)
    }

    /// Has the lock because somebody has unlocked it.
    private func isHad(_ lock: HandedLock) -> Bool {
        let deadline = Deadline.after(milliseconds: 20_000)
        return lock.lock(until: deadline) && !deadline.hasPassed
    }

    @Test func `a lock that somebody has is not to be had until the deadline`() {
        let lock = HandedLock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        let deadline = Deadline.after(milliseconds: 20)
        #expect(!lock.lock(until: deadline))
        #expect(deadline.hasPassed)
    }

    @Test func `who must not wait is nobody that waits`() {
        let lock = HandedLock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        let seen = Seen()
        withThreads(2) { number in
            if number == 0 {
                for _ in 0..<20_000 { #expect(!lock.lock(until: .after(milliseconds: 0))) }
                seen.isDone.store(true, ordering: .releasing)
            } else {
                var most = 0
                while !seen.isDone.load(ordering: .acquiring) { most = max(most, lock.waiters) }
                #expect(most == 0)
            }
        }
    }

    @Test func `an unlocked lock is had once`() {
        let lock = HandedLock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        lock.unlock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        #expect(!lock.lock(until: .after(milliseconds: 0)))
    }

    @Test func `one is inside at a time, whichever way each has come, and the lock is free at the end`() {
        let lock = HandedLock()
        let seen = Seen()
        withThreads(6) { number in
            for _ in 0..<2_000 {
                let isInside =
                    switch number % 3 {
                    case 0: lock.tryLock()
                    case 1: lock.lock(until: .after(milliseconds: 60_000))
                    default: lock.lock(until: .after(milliseconds: 0))
                    }
                guard isInside else { continue }
                let others = seen.inside.add(1, ordering: .relaxed).oldValue
                #expect(others == 0)
                seen.visits.add(1, ordering: .relaxed)
                seen.inside.subtract(1, ordering: .relaxed)
                lock.unlock()
            }
        }
        let all = seen.visits.load(ordering: .relaxed)
        #expect(all >= 4_000, "those who wait have all come in")
        #expect(lock.tryLock())
    }

    @Test func `a lock taken on one thread is unlocked on another for the one that waits`() {
        let lock = HandedLock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        withThreads(2) { number in
            if number == 0 { lock.unlock() } else { #expect(isHad(lock)) }
        }
        #expect(!lock.lock(until: .after(milliseconds: 0)))
    }

    @Test func `a thread that takes the lock again and again does not keep a sleeping one out`() {
        let lock = HandedLock()
        let seen = Seen()
        withThreads(2) { number in
            if number == 0 {
                while !seen.isDone.load(ordering: .acquiring) {
                    guard lock.tryLock() else { continue }
                    // It is held almost all the time, so a sleeping thread never comes upon a free lock.
                    for _ in 0..<10_000 where seen.isDone.load(ordering: .acquiring) { break }
                    lock.unlock()
                }
            } else {
                for _ in 0..<20 {
                    #expect(isHad(lock))
                    lock.unlock()
                }
                seen.isDone.store(true, ordering: .releasing)
            }
        }
        #expect(lock.tryLock())
    }

    @Test func `a lock that was handed to one who comes too late is there for the next`() {
        let lock = HandedLock()
        #expect(lock.tryLock())
        let left = Recorder<Int>()
        withThreads(3) { number in
            switch number {
            case 0:
                #expect(!lock.lock(until: .after(milliseconds: 20)))
                left.append(number)
            case 1:
                #expect(isHad(lock))
                lock.unlock()
            default:
                #expect(left.wait(for: 1))
                lock.unlock()
            }
        }
        #expect(lock.tryLock())
    }
}
