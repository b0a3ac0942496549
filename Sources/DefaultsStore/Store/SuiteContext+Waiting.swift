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
        let line = lines.writing
        let call = AsyncCall(in: line, until: .after(milliseconds: WriterLock.limit))
        // Those who wait already go first, or a task that has written later would be overtaken by what it wrote before.
        if !line.isBusy, isOpenNearby {
            do { return try work(call.atOnce) } catch {
                guard hasOnlyWaited(call, error) else { throw error }
            }
        }
        return try await whenFree(call, in: line, isolation: isolation, work)
    }

    /// Does some work that waits for the disk, on a thread of the pool, when the tasks that have come before have done
    /// theirs.
    ///
    /// - Throws: what the work throws; `CancellationError` if the task is cancelled while it waits for others.
    package func onDisk(
        isolation: isolated (any Actor)?, _ work: @Sendable (Deadline) throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let line = lines.syncing
        let call = AsyncCall(in: line, until: .after(milliseconds: Durability.limit))
        try await whenFree(call, in: line, isolation: isolation, work)
    }

    private func whenFree<Result: Sendable>(
        _ call: AsyncCall, in line: TaskLine, isolation: isolated (any Actor)?,
        _ work: @Sendable (Deadline) throws -> Result
    ) async throws -> Result {
        // In line it would wait for threads that are not there.
        do { try DefaultsError.refuseInChild(location?.path) } catch { throw error.inSuite(name) }
        return try await line.run(call, isolation: isolation) { deadline in
            do { return try work(deadline) } catch {
                guard call.isCancelled, hasOnlyWaited(call, error) else { throw error }
                throw CancellationError()
            }
        }
    }

    /// How many tasks wait for those of which one waits for the locks.
    package var waitingTasks: Int { waiting.load()?.writing.waitingTasks ?? 0 }

    /// Whether a task has its turn to wait for the locks.
    package var hasWaitingTasks: Bool { waiting.load()?.writing.isBusy == true }

    private var lines: WaitingTasks {
        waiting.load()
            ?? waiting.storeIfNil(
                WaitingTasks(late: DefaultsError(.lockTimeout, suite: name, path: location?.path)))
    }

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
final class WaitingTasks: Sendable {
    let writing: TaskLine
    let syncing: TaskLine

    init(late: DefaultsError) {
        writing = TaskLine(late: late)
        syncing = TaskLine(late: late)
    }
}
