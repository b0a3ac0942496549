/// The tasks that wait for one suite, in the order in which they came.
///
/// One of them at a time has its turn: a thread of the pool, which may block. The others are suspended, and keep none.
/// So however many wait, they take one thread, and none of those that Swift runs all tasks on.
package final class TaskLine: Sendable {
    private struct Leaving {
        let job: UnownedJob
        let call: AsyncCall
    }

    private struct State {
        /// The one whose turn it is.
        var first: AsyncCall?
        var others = Queue<AsyncCall>()
        /// Whether somebody comes to look for those that have waited too long.
        var isWatched = false
        /// Tasks that do not wait any longer.
        var leaving = Queue<Leaving>()
        var isLettingGo = false
    }

    // Lock L7: protects the lists; nothing is taken, called or resumed under it.
    private let state = Locked(State())
    private let late: any Error
    private var place: WorkerPool.Place { .tasks(ObjectIdentifier(self)) }

    /// Creates an empty line.
    ///
    /// - Parameter late: what is thrown to a task that has waited too long for its turn.
    init(late: any Error) { self.late = late }

    /// Whether a task has its turn.
    var isBusy: Bool { state.withLock { $0.first != nil } }

    /// How many tasks wait for their turn.
    package var waitingTasks: Int { state.withLock { $0.others.count } }

    /// Does some work of the current task, which may block, when its turn has come.
    ///
    /// - Throws: what the work throws; before it begins, `CancellationError` if the task is cancelled, and what was given
    ///   for a task that is late.
    func run<Result: Sendable>(
        _ call: AsyncCall, isolation: isolated (any Actor)?, _ work: @Sendable (Deadline) throws -> Result
    ) async throws -> Result {
        try await withTaskCancellationHandler(
            operation: {
                join(call)
                return try await runOutside(call, work)
            }, onCancel: { call.cancel() }, isolation: isolation)
    }

    /// The same outside of any actor.
    ///
    /// From an actor's own code the task would return to the actor while the call is still
    /// its executor, and the actor would go on with the thread.
    private nonisolated func runOutside<Result: Sendable>(
        _ call: AsyncCall, _ work: @Sendable (Deadline) throws -> Result
    ) async throws -> Result {
        try await withTaskExecutorPreference(call) { try await inTurn(call, work) }
    }

    /// The same from when the task runs on the thread that it has got.
    private nonisolated func inTurn<Result: Sendable>(
        _ call: AsyncCall, _ work: @Sendable (Deadline) throws -> Result
    ) async throws -> Result {
        defer { leave(call) }
        guard !call.isCancelled else { throw CancellationError() }
        guard call.hasTurn else { throw late }
        return try work(call.deadline)
    }

    private func join(_ call: AsyncCall) {
        let isFirst = state.withLock { state in
            guard state.first == nil else {
                state.others.append(call)
                return false
            }
            state.first = call
            return true
        }
        if !isFirst { return watch() }
        if !call.giveTurn() { giveTurnOn(from: call) }
    }

    /// Ends a call's turn, if it has it; then comes what its work leaves to people's code, which may wait for another
    /// task's turn.
    func leave(_ call: AsyncCall) {
        let hasTurn = state.withLock { $0.first === call }
        guard hasTurn else { return }
        giveTurnOn(from: call)
        WorkerPool.shared.turnToPeople(in: place)
    }

    /// Gives the turn to the next one, if a call has it.
    private func giveTurnOn(from call: AsyncCall) {
        var last = call
        while true {
            let next = state.withLock { state -> AsyncCall? in
                guard state.first === last else { return nil }
                state.first = state.others.popFirst()
                return state.first
            }
            guard let next, !next.giveTurn() else { return }
            last = next
        }
    }

    /// Runs a task whose turn it is, on a thread that it may keep.
    func run(_ job: UnownedJob, of call: AsyncCall) {
        WorkerPool.shared.run(in: place) { job.runSynchronously(on: call.asUnownedTaskExecutor()) }
    }

    /// Runs a task that does not wait any longer, and ends its call at once; one thread does so for all of them.
    func letGo(_ job: UnownedJob, of call: AsyncCall) {
        let isAlone = state.withLock { state in
            state.leaving.append(Leaving(job: job, call: call))
            defer { state.isLettingGo = true }
            return !state.isLettingGo
        }
        guard isAlone else { return }
        WorkerPool.shared.run(in: place) { [self] in
            while let next = nextLeaving() {
                next.job.runSynchronously(on: next.call.asUnownedTaskExecutor())
            }
        }
    }

    private func nextLeaving() -> Leaving? {
        state.withLock { state in
            let next = state.leaving.popFirst()
            if next == nil { state.isLettingGo = false }
            return next
        }
    }

    /// Has somebody look for those that have waited too long: when the first one has.
    ///
    /// Usually each has its turn before, and finds out by itself; but what the one whose turn it is does may take long.
    private func watch() {
        let next = state.withLock { state -> AsyncCall? in
            guard !state.isWatched, let next = state.others.first else { return nil }
            state.isWatched = true
            return next
        }
        guard let next else { return }
        let now = SystemCalls.monotonicNanoseconds
        let rest = max(next.deadline.nanoseconds, now) - now
        // If no thread can be had, they find out when they have their turn.
        EventLoop.shared.scheduleAnyway(afterMilliseconds: rest / 1_000_000 + 1, in: place) { [weak self] in
            self?.endLate()
        }
    }

    private func endLate() {
        let over = state.withLock { state in
            var over: [AsyncCall] = []
            state.isWatched = false
            // Whoever came later is late later.
            while let next = state.others.first, next.deadline.hasPassed, let call = state.others.popFirst() {
                over.append(call)
            }
            return over
        }
        over.forEach { $0.miss() }
        watch()
    }
}
