/// A lock that no thread owns: an access in place that suspends ends on another thread.
///
/// A running thread may take it before one that sleeps, because a handover waits for the scheduler. A thread that has
/// slept for a millisecond is handed the lock, so that nobody starves. The idea is that of Go's `sync.Mutex`.
// Unchecked is sound because what varies is only touched under the monitor's mutex.
final class HandedLock: @unchecked Sendable {
    private let monitor = Monitor()
    private var isLocked = false
    private var isHanded = false
    private var sleeping = 0
    private var isStarved = false
    /// In nanoseconds, after which a sleeping thread is handed the lock.
    private static let starvationThreshold: UInt64 = 1_000_000

    /// To sleep and be woken takes longer than most sessions.
    private static let yields = 50

    func tryLock() -> Bool { monitor.sync { takeIfFree() } }

    /// Waits for the lock until a deadline.
    ///
    /// - Returns: whether the caller has to ``unlock()`` it.
    func lock(until deadline: Deadline) -> Bool {
        for _ in 0..<HandedLock.yields {
            if tryLock() { return true }
            guard SystemCalls.tryYield() else { break }
        }
        return monitor.sync {
            if takeIfFree() { return true }
            // Or it could be handed to a caller that must not wait, while that gets the mutex back.
            if deadline.hasPassed { return false }
            sleeping += 1
            defer { sleeping -= 1 }
            let begin = SystemCalls.monotonicNanoseconds
            var isInTime = true
            while true {
                if isHanded {
                    (isHanded, isStarved) = (false, false)
                    return true
                }
                if takeIfFree() { return true }
                guard isInTime else { return false }
                if SystemCalls.monotonicNanoseconds - begin > HandedLock.starvationThreshold {
                    isStarved = true
                }
                isInTime = monitor.wait(until: deadline)
            }
        }
    }

    /// Hands the lock to the next waiter; from any thread.
    func unlock() {
        monitor.sync {
            if sleeping > 0, isStarved { isHanded = true } else { isLocked = false }
            if sleeping > 0 { monitor.wakeOne() }
        }
    }

    var waiters: Int { monitor.sync { sleeping } }

    private func takeIfFree() -> Bool {
        guard !isLocked else { return false }
        isLocked = true
        return true
    }
}
