/// The lock that no thread owns, among threads.
@testable import DefaultsStore
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct CombiningLockConcurrencyTests {
    /// What those who wait for the lock want to be done.
    private final class Work: Sendable {
        let isDone = Atomic<Bool>(false)

        func follow(_ lock: CombiningLock) -> CombiningLock.Outcome {
            let deadline = Deadline.after(milliseconds: 20_000)
            let outcome = lock.follow(until: deadline) { isDone.load(ordering: .acquiring) }
            // Who was not woken finds out at the deadline.
            return deadline.hasPassed ? .late : outcome
        }
    }

    /// Has the lock because somebody has unlocked it.
    private func isHad(_ lock: CombiningLock) -> Bool {
        let deadline = Deadline.after(milliseconds: 20_000)
        return lock.lock(until: deadline) && !deadline.hasPassed
    }

    /// Takes the lock, has so many follow, does their work and unlocks it: all leave.
    private func leaveDone(_ count: Int, at lock: CombiningLock) {
        let work = Work()
        #expect(lock.tryLock())
        withThreads(count + 1) { number in
            guard number == 0 else {
                #expect(work.follow(lock) == .done)
                return
            }
            #expect(eventually { lock.waiters == count })
            work.isDone.store(true, ordering: .releasing)
            lock.unlock()
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

    @Test func `one is inside at a time, whichever way each has come, and the lock is free at the end`() {
        let (lock, room) = (CombiningLock(), Room())
        withThreads(6) { number in
            for _ in 0..<2_000 {
                let isInside =
                    switch number % 3 {
                    case 0: lock.tryLock()
                    case 1: lock.lock(until: .after(milliseconds: 60_000), yields: number)
                    default: lock.lock(until: .after(milliseconds: 0))
                    }
                guard isInside else { continue }
                room.visit()
                lock.unlock()
            }
        }
        let meetings = room.meetings.load(ordering: .relaxed)
        let visits = room.visits.load(ordering: .relaxed)
        #expect(meetings == 0)
        #expect(visits >= 4_000, "those who wait have all come in")
        #expect(lock.tryLock())
    }

    @Test func `those whose work is done leave at once, and the lock goes to one whose work is not`() {
        let (lock, work, other) = (CombiningLock(), Work(), Work())
        #expect(lock.tryLock())
        let left = Recorder<CombiningLock.Outcome>()
        withThreads(9) { number in
            guard number == 0 else {
                left.append(number == 1 ? other.follow(lock) : work.follow(lock))
                return
            }
            #expect(eventually { lock.waiters == 8 })
            work.isDone.store(true, ordering: .releasing)
            lock.unlock()
            #expect(left.wait(for: 8))
        }
        #expect(left.all.count { $0 == .locked } == 1)
        #expect(left.all.count { $0 == .done } == 7)
        #expect(!lock.tryLock())
    }

    @Test func `a lock that all who waited have left is free`() {
        let lock = CombiningLock()
        leaveDone(4, at: lock)
        #expect(lock.tryLock())
    }

    @Test func `a lock taken on one thread is unlocked on another for the one that waits`() {
        let lock = CombiningLock()
        #expect(lock.lock(until: .after(milliseconds: 0)))
        withThreads(2) { number in
            if number == 0 { lock.unlock() } else { #expect(isHad(lock)) }
        }
        #expect(!lock.lock(until: .after(milliseconds: 0)))
    }

    @Test func `one at a time is inside`() {
        let lock = CombiningLock()
        let visits = Recorder<Int>()
        withThreads(4) { number in
            for _ in 0..<50 {
                #expect(isHad(lock))
                visits.append(number)
                visits.append(number)
                lock.unlock()
            }
        }
        let all = visits.all
        #expect(all.count == 400)
        #expect(stride(from: 0, to: all.count, by: 2).allSatisfy { all[$0] == all[$0 + 1] })
    }

    @Test func `those who follow and those who wait come in by turns, so that neither keeps the others out`()
    {
        let (lock, work) = (CombiningLock(), Work())
        #expect(lock.tryLock())
        let visits = Recorder<String>()
        withThreads(7) { number in
            switch number {
            case 0:
                #expect(eventually { lock.waiters == 6 })
                lock.unlock()
            case 1...3:
                #expect(isHad(lock))
                visits.append("waited")
                lock.unlock()
            default:
                #expect(work.follow(lock) == .locked)
                visits.append("followed")
                lock.unlock()
            }
        }
        #expect(visits.all == ["followed", "waited", "followed", "waited", "followed", "waited"])
        #expect(lock.tryLock())
    }

    @Test func `a lock that all who followed have left goes to one who waits`() {
        let (lock, work) = (CombiningLock(), Work())
        #expect(lock.tryLock())
        withThreads(5) { number in
            switch number {
            case 0:
                #expect(eventually { lock.waiters == 4 })
                work.isDone.store(true, ordering: .releasing)
                lock.unlock()
            case 1: #expect(isHad(lock))
            default: #expect(work.follow(lock) == .done)
            }
        }
        #expect(!lock.tryLock())
    }

    @Test func `those whose work is done leave, though the lock goes to one who waits`() {
        let (lock, first, work) = (CombiningLock(), Work(), Work())
        #expect(lock.tryLock())
        let left = Recorder<Int>()
        withThreads(5) { number in
            switch number {
            case 0:
                #expect(eventually { lock.waiters == 1 })
                lock.unlock()
            case 1:
                // Since one who follows has passed, it is the turn of one who waits.
                #expect(first.follow(lock) == .locked)
                left.append(number)
                #expect(eventually { lock.waiters == 3 })
                work.isDone.store(true, ordering: .releasing)
                lock.unlock()
            case 2:
                #expect(left.wait(for: 1))
                #expect(isHad(lock))
                #expect(left.wait(for: 3), "the others do not need the lock")
                lock.unlock()
            default:
                #expect(left.wait(for: 1))
                #expect(work.follow(lock) == .done)
                left.append(number)
            }
        }
        #expect(lock.tryLock())
    }

    @Test func `whoever comes too late leaves, and the lock goes to the next`() {
        let lock = CombiningLock()
        #expect(lock.tryLock())
        let left = Recorder<Int>()
        withThreads(4) { number in
            switch number {
            case 0:
                #expect(!lock.lock(until: .after(milliseconds: 20)))
                left.append(number)
            case 1:
                #expect(lock.follow(until: .after(milliseconds: 20), unless: { false }) == .late)
                left.append(number)
            case 2:
                #expect(isHad(lock))
                lock.unlock()
            default:
                #expect(left.wait(for: 2))
                lock.unlock()
            }
        }
        #expect(lock.tryLock())
    }

    @Test func `a lock says once that it was crowded, if somebody followed when it was unlocked`() {
        let lock = CombiningLock()
        #expect(lock.tryLock())
        lock.unlock()
        #expect(!lock.wasCrowded())
        leaveDone(1, at: lock)
        #expect(lock.wasCrowded())
        #expect(!lock.wasCrowded())
    }
}
