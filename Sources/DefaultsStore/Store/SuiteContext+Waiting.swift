import _Concurrency

/// The current task's work that may have to wait: for other writers, or for the disk.
extension SuiteContext {
    /// Does some work that may have to wait for the locks of threads and of writers.
    ///
    /// Here and now if nothing is in its way, without suspending the task. Otherwise when the tasks that have come before
    /// have done theirs, on a thread of the pool.
    ///
    /// - Parameter work: done until a deadline, and once more if it could not be done without waiting. What it begins,
    ///   ``Writer`` notes.
    /// - Throws: what the work throws; `CancellationError` if the task is cancelled before it has the locks.
    package func whenFree<Result: Sendable>(
        isolation: isolated (any Actor)?, _ work: @Sendable (Deadline) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        let deadline = Deadline.after(milliseconds: WriterLock.limit)
        let queue = queues.writing
        // Those who wait already go first, or a task that has written later would be overtaken by what it wrote before.
        if !queue.isBusy, isOpenNearby {
            let call = AsyncCall()
            do { return try work(Deadline(nanoseconds: 0, for: call)) } catch {
                guard hasOnlyWaited(call, error) else { throw error }
            }
        }
        return try await inTurn(try join(queue), until: deadline, work)
    }

    /// Does some work that waits for the disk, on a thread of the pool, when the tasks that have come before have done
    /// theirs.
    ///
    /// - Throws: what the work throws; `CancellationError` if the task is cancelled while it waits for others.
    package func onDisk(
        isolation: isolated (any Actor)?, _ work: @Sendable (Deadline) throws -> Void
    ) async throws {
        try Task.checkCancellation()
        try await inTurn(try join(queues.syncing), until: .after(milliseconds: Durability.limit), work)
    }

    private func join(_ queue: TaskQueue) throws -> AsyncCall {
        // Its turn would wait for threads that are not there.
        do { try DefaultsError.refuseInChild(location?.path) } catch { throw error.inSuite(name) }
        return queue.join()
    }

    /// Does some work of the current task on a thread that may block, when its turn has come.
    ///
    /// Outside of any actor: from an actor's own code the task would return to the actor while the call is still its
    /// executor, and the actor would go on with the thread.
    private nonisolated func inTurn<Result: Sendable>(
        _ call: AsyncCall, until deadline: Deadline, _ work: @Sendable (Deadline) throws -> Result
    ) async throws -> Result {
        try await withTaskExecutorPreference(call) { try await perform(call, until: deadline, work) }
    }

    private nonisolated func perform<Result: Sendable>(
        _ call: AsyncCall, until deadline: Deadline, _ work: @Sendable (Deadline) throws -> Result
    ) async throws -> Result {
        // What the work leaves to user code comes behind its turn.
        defer { call.leave() }
        try Task.checkCancellation()
        guard !deadline.hasPassed else {
            throw DefaultsError(.lockTimeout, suite: name, path: location?.path)
        }
        do { return try work(deadline.of(call)) } catch {
            guard Task.isCancelled, hasOnlyWaited(call, error) else { throw error }
            throw CancellationError()
        }
    }

    /// How many tasks wait for those of which one waits for the locks.
    package var waitingTasks: Int { waiting.load()?.writing.waitingTasks ?? 0 }

    package var hasWaitingTasks: Bool { waiting.load()?.writing.isBusy == true }

    private var queues: TaskQueues { waiting.load() ?? waiting.storeIfNil(TaskQueues()) }

    /// Whether the suite is open, in memory or in files that this machine answers for, and sound ones: all else may take
    /// its time.
    private var isOpenNearby: Bool {
        guard let store = openStore else { return false }
        guard !store.isInMemory else { return true }
        let state = store.latest
        return state.files?.page != nil && !state.isDamaged
    }

    /// Whether work has failed because it had to wait, or was not to wait any longer: it has done nothing then.
    private func hasOnlyWaited(_ call: AsyncCall, _ error: any Error) -> Bool {
        (error as? DefaultsError)?.code == .lockTimeout && !call.hasBegun
    }
}

/// The tasks that wait for the locks of a suite, and those that wait for its disk.
final class TaskQueues: Sendable {
    let writing = TaskQueue()
    let syncing = TaskQueue()
}
