/// Runs the tasks that wait for a suite one after another, in the order of their calls, on a thread of the pool that may
/// block.
///
/// However many tasks wait, they take one thread, and none of those that Swift runs all tasks on.
package final class TaskQueue: Sendable {
    private enum Turn: Equatable {
        case nobody
        /// A thread is on its way.
        case awaited
        case thread(UInt)
    }

    private struct State {
        var calls = Queue<AsyncCall>()
        var turn = Turn.nobody

        /// - Returns: whether a thread has to come for the first call, whose task has been suspended by now.
        mutating func callThread() -> Bool {
            guard turn == .nobody, calls.first?.isSuspended == true else { return false }
            turn = .awaited
            return true
        }

        /// Nil if there is none, or if another thread has the turn.
        mutating func next(for thread: UInt) -> AsyncCall? {
            guard turn == .awaited || turn == .thread(thread) else { return nil }
            let next = calls.first?.isSuspended == true ? calls.popFirst() : nil
            turn = next == nil ? .nobody : .thread(thread)
            return next
        }
    }

    // Lock L7: protects the list; of others only the calls' own are taken under it, and no task is resumed.
    private let state = Locked(State())
    private var resource: WorkerPool.Resource { .tasks(ObjectIdentifier(self)) }

    init() {}

    var isBusy: Bool { state.withLock { $0.turn != .nobody || !$0.calls.isEmpty } }

    package var waitingTasks: Int { state.withLock { $0.calls.count } }

    /// Enqueues a call of the current task.
    func join() -> AsyncCall {
        let call = AsyncCall(in: self)
        state.withLock { $0.calls.append(call) }
        return call
    }

    /// Gives a call whose task has been suspended its turn, if it is the first.
    func wake() {
        if state.withLock({ $0.callThread() }) { serve() }
    }

    /// Ends the caller's turn, if it has it, before its task goes on: what comes then is user code, which may wait for
    /// another task's turn.
    func endTurn() {
        let me = SystemCalls.threadID
        let (hadTurn, isAwaited) = state.withLock { state in
            guard state.turn == .thread(me) else { return (false, false) }
            state.turn = .nobody
            return (true, state.callThread())
        }
        if isAwaited { serve() }
        if hadTurn { WorkerPool.shared.turnToUserCode(on: resource) }
    }

    func run(_ job: UnownedJob, of call: AsyncCall) {
        WorkerPool.shared.run(on: resource) { job.runSynchronously(on: call.asUnownedTaskExecutor()) }
    }

    private func serve() {
        WorkerPool.shared.run(on: resource) { [self] in
            let me = SystemCalls.threadID
            while let call = state.withLock({ $0.next(for: me) }) { call.resume() }
        }
    }
}
