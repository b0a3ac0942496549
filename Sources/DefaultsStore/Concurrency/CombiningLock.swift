/// A lock that no thread owns, and under which one thread may do the work of those that wait.
///
/// Not a mutex: an access in place that suspends ends on another thread. Some threads wait until they have it. Others
/// follow: they leave as soon as the one that has it has done their work. Who unlocks it hands it to these, so that it
/// cannot take it again and again without sleeping itself; whoever of them wakes first has it. Those who wait and those
/// who follow take turns.
///
/// All that varies is under a mutex that is held for a few instructions. Whoever sleeps has found there, under it, that
/// nothing is to be done, and whoever changes that announces it under the mutex; so nobody sleeps who has something to
/// do.
// Unchecked is sound because what varies is only touched under the monitor's mutex.
final class CombiningLock: @unchecked Sendable {
    private let monitor = Monitor(conditions: 2)
    private static let handedToWaiter = 0
    private static let unlocked = 1

    /// Whether somebody has it, or it is handed to somebody who has yet to take it.
    private var isLocked = false
    private var waiting = 0
    private var following = 0
    private var isHandedToWaiter = false
    private var isHandedToFollower = false
    /// Whether it was handed to a follower the last time.
    private var wasFollowed = false
    /// Whether somebody followed when it was unlocked.
    private var isCrowded = false

    /// How often a thread lets others run before it sleeps, where the lock is mostly had for microseconds: to put a
    /// thread to sleep and wake it takes longer than that.
    static let fewYields = 50

    /// How following has ended.
    enum Outcome: Hashable {
        /// The caller has the lock, and has to ``unlock()`` it.
        case locked
        /// Nothing needs to be done any more.
        case done
        /// The deadline has passed.
        case late
    }

    /// Takes the lock if it is free.
    ///
    /// - Returns: whether the caller has to ``unlock()`` it. In a forked child a lock of the parent is never free: who
    ///   had it is not there to unlock it.
    func tryLock() -> Bool {
        guard !monitor.isInherited else { return false }
        return monitor.sync { takeIfFree() }
    }

    /// Waits for the lock until a deadline.
    ///
    /// - Parameter yields: how often the thread lets others run before it sleeps.
    /// - Returns: whether the caller has to ``unlock()`` it.
    func lock(until deadline: Deadline, yields: Int = 0) -> Bool {
        guard !monitor.isInherited else { return false }
        if lockSoon(yields: yields, unless: { false }) == .locked { return true }
        return monitor.sync {
            if takeIfFree() { return true }
            // Or it could be handed to a caller that must not wait, while that gets the mutex back.
            if deadline.hasPassed { return false }
            waiting += 1
            defer { waiting -= 1 }
            while !isHandedToWaiter {
                let isInTime = monitor.wait(for: CombiningLock.handedToWaiter, until: deadline)
                guard isInTime || isHandedToWaiter else { return false }
            }
            isHandedToWaiter = false
            return true
        }
    }

    /// Waits for the lock, unless what the caller wants to do under it is done by somebody else before.
    ///
    /// All threads whose work is done leave together, and not one after the other with the lock.
    ///
    /// - Parameters:
    ///   - yields: how often the thread lets others run before it sleeps.
    ///   - isDone: asked whenever the lock is unlocked; short, and takes nothing but a leaf.
    func follow(until deadline: Deadline, yields: Int = 0, unless isDone: () -> Bool) -> Outcome {
        guard !monitor.isInherited else { return .late }
        if isDone() { return .done }
        if let outcome = lockSoon(yields: yields, unless: isDone) { return outcome }
        return monitor.sync {
            if takeIfFree() { return .locked }
            following += 1
            var isInTime = !deadline.hasPassed
            while true {
                if isDone() {
                    stopFollowing()
                    return .done
                }
                if isHandedToFollower {
                    isHandedToFollower = false
                    following -= 1
                    return .locked
                }
                // What has been done, or handed over, by the deadline counts.
                guard isInTime else {
                    stopFollowing()
                    return .late
                }
                isInTime = monitor.wait(for: CombiningLock.unlocked, until: deadline)
            }
        }
    }

    /// Lets the next one have the lock; from any thread.
    func unlock() {
        guard !monitor.isInherited else { return }
        monitor.sync {
            // Also if it is handed to somebody else: the work of some may have been done.
            if following > 0 {
                isCrowded = true
                monitor.wakeAll(CombiningLock.unlocked)
            }
            handOn()
        }
    }

    /// Whether somebody followed when it was unlocked last; once for each time.
    func wasCrowded() -> Bool {
        guard !monitor.isInherited else { return false }
        return monitor.sync {
            defer { isCrowded = false }
            return isCrowded
        }
    }

    /// How many threads wait now, or follow.
    var waiters: Int { monitor.isInherited ? 0 : monitor.sync { waiting + following } }

    /// Waits without sleeping.
    ///
    /// - Returns: nil if the lock was not to be had.
    private func lockSoon(yields: Int, unless isDone: () -> Bool) -> Outcome? {
        for _ in 0..<yields {
            if tryLock() { return .locked }
            guard SystemCalls.tryYield() else { return nil }
            if isDone() { return .done }
        }
        return nil
    }
}

/// Steps under the monitor's mutex.
extension CombiningLock {
    private func takeIfFree() -> Bool {
        guard !isLocked else { return false }
        isLocked = true
        return true
    }

    /// Gives the lock, which the caller has, to the next one.
    private func handOn() {
        if following > 0, !wasFollowed || waiting == 0 {
            (isHandedToFollower, wasFollowed) = (true, true)
        } else if waiting > 0 {
            (isHandedToWaiter, wasFollowed) = (true, false)
            monitor.wakeOne(CombiningLock.handedToWaiter)
        } else {
            (isLocked, wasFollowed) = (false, false)
        }
    }

    /// The last one who follows leaves a lock that was handed to them to whoever waits.
    private func stopFollowing() {
        following -= 1
        guard following == 0, isHandedToFollower else { return }
        isHandedToFollower = false
        handOn()
    }
}
