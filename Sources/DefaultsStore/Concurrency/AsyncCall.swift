import Synchronization

/// A call of a task that may have to wait: its place in a ``TaskQueue``, and whether its work has begun.
///
/// It is the task's executor until its work is done. So until its turn the task is suspended like one that waits for any
/// executor, and keeps no thread; on the thread that it then has it is the same task, with all that is local to it.
package final class AsyncCall: TaskExecutor {
    private struct State {
        var job: UnownedJob?
        var hasTurn = false
    }

    private let queue: TaskQueue?
    private let state = Locked(State())  // A leaf, also taken under L7.
    // Only the task itself touches it.
    private let begun = Atomic<Bool>(false)

    /// - Parameter queue: where the task waits; nil for a call that does not.
    init(in queue: TaskQueue? = nil) { self.queue = queue }

    /// Suspends the task until its turn, for the runtime.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hasTurn = state.withLock { state in
            if !state.hasTurn { state.job = job }
            return state.hasTurn
        }
        if hasTurn { queue?.run(job, of: self) } else { queue?.wake() }
    }

    var isSuspended: Bool { state.withLock { $0.job != nil } }

    /// Gives the task its turn, on the calling thread.
    func resume() {
        let job = state.withLock { state in
            defer { state = State(hasTurn: true) }
            return state.job
        }
        job?.runSynchronously(on: asUnownedTaskExecutor())
    }

    /// Records that the work has what it waited for: from here on, a cancellation has no effect.
    ///
    /// - Returns: false if the task has been cancelled before.
    func markBegun() -> Bool {
        guard !Task.isCancelled else { return false }
        begun.store(true, ordering: .relaxed)
        return true
    }

    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    func leave() { queue?.endTurn() }
}
