import Synchronization

/// A call by which a task may have to wait: its place in a ``TaskLine``, until when it waits, and whether it still wants to.
///
/// It is the task's executor from when the task stands in line until its work is done. So until its turn the task is
/// suspended like one that waits for any executor, and keeps no thread. On the thread that it then has it is the same
/// task, with all that is local to it.
package final class AsyncCall: TaskExecutor {
    private enum Turn {
        /// Until then the task is suspended, if it has got so far.
        case awaited(UnownedJob?)
        case had
        /// The task was cancelled, or has waited too long.
        case missed
    }

    private struct State {
        var turn = Turn.awaited(nil)
        /// Where a thread of the task's may be asleep.
        var bed: Monitor?
    }

    private let line: TaskLine
    /// When the wait ends, in monotonic nanoseconds.
    private let end: UInt64
    private let state = Locked(State())  // A leaf, also taken under a monitor's mutex.
    private let cancelled = Atomic<Bool>(false)
    // Only the task itself touches it.
    private let begun = Atomic<Bool>(false)

    /// Creates a call that does not stand in the line yet.
    init(in line: TaskLine, until deadline: Deadline) {
        self.line = line
        end = deadline.nanoseconds
    }

    /// Until when the task waits.
    var deadline: Deadline { Deadline(nanoseconds: end, for: self) }

    /// The deadline of work that must not wait: it has passed.
    var atOnce: Deadline { Deadline(nanoseconds: 0, for: self) }

    /// Whether the task has been cancelled.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Notes that the work has what it waited for: from here on, a cancellation has no effect.
    ///
    /// - Returns: false if the task has been cancelled before.
    func noteBegun() -> Bool {
        guard !isCancelled else { return false }
        begun.store(true, ordering: .relaxed)
        return true
    }

    /// Whether the work has, or had, what it waited for.
    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    /// Suspends the task until its turn, for the runtime.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let turn = state.withLock { state in
            if case .awaited = state.turn { state.turn = .awaited(job) }
            return state.turn
        }
        switch turn {
        case .awaited: break
        case .had: line.run(job, of: self)
        case .missed: line.letGo(job, of: self)
        }
    }

    /// Gives the call its turn.
    ///
    /// - Returns: false if it does not wait any more.
    func giveTurn() -> Bool {
        let (isWanted, job) = state.withLock { state -> (Bool, UnownedJob?) in
            guard case .awaited(let job) = state.turn else { return (false, nil) }
            state.turn = .had
            return (true, job)
        }
        if let job { line.run(job, of: self) }
        return isWanted
    }

    /// Lets the next one in the line have its turn, if this one has it.
    func leave() { line.leave(self) }

    /// Ends the wait because the task is cancelled: also that of a thread that waits for it.
    func cancel() {
        cancelled.store(true, ordering: .releasing)
        miss()
        let bed = state.withLock { state in
            let bed = state.bed
            state.bed = nil
            return bed
        }
        bed?.wakeEverybody()
    }

    /// Ends the wait for the turn.
    func miss() {
        let job = state.withLock { state -> UnownedJob? in
            guard case .awaited(let job) = state.turn else { return nil }
            state.turn = .missed
            return job
        }
        if let job { line.letGo(job, of: self) }
    }

    /// Whether it has had its turn.
    var hasTurn: Bool {
        state.withLock { state in
            if case .had = state.turn { true } else { false }
        }
    }

    /// Notes that a thread of the task's is about to sleep, under the mutex that it sleeps with.
    ///
    /// - Returns: false if it must not: the task is cancelled, which would wake nobody any more.
    func lieDown(in bed: Monitor) -> Bool {
        // What it slept in before is not let go of under the mutex, so it leaves the lock.
        let before = state.withLock { state in
            let before = state.bed
            state.bed = bed
            return before
        }
        withExtendedLifetime(before) {}
        return !isCancelled
    }
}
