/// Background work that many may want: done once for all who wanted it before it began, by one thread at a time.
package final class CoalescedWork: Sendable {
    private enum Phase {
        case idle, due, underWay
        /// Somebody has wanted it since it began, so it is done once more.
        case underWayAndDue
    }

    private let phase = Locked(Phase.idle)  // A leaf.
    private let body: @Sendable () -> Void

    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Requests the work.
    ///
    /// What the caller has done before is seen by the body.
    ///
    /// - Returns: whether the caller has to have it performed; otherwise somebody else has.
    func want() -> Bool {
        phase.withLock { phase in
            let isFirst = phase == .idle
            phase = phase == .idle || phase == .due ? .due : .underWayAndDue
            return isFirst
        }
    }

    /// Runs the work; a request that came meanwhile runs it again, after the user code that it has queued.
    func perform(by pool: WorkerPool, on resource: WorkerPool.Resource) {
        begin()
        body()
        if end() { pool.run(on: resource) { [self] in perform(by: pool, on: resource) } }
    }

    /// Records that the work runs from now on: a later request runs it once more.
    func begin() { phase.withLock { $0 = .underWay } }

    /// Records that it has been done.
    ///
    /// - Returns: whether it is to be done again.
    func end() -> Bool {
        phase.withLock { phase in
            let isDue = phase == .underWayAndDue
            phase = isDue ? .due : .idle
            return isDue
        }
    }

    /// Whether somebody has wanted it since it began.
    var isWantedAgain: Bool { phase.withLock { $0 == .underWayAndDue } }

    var isIdle: Bool { phase.withLock { $0 == .idle } }
}

extension WorkerPool {
    package func run(_ work: CoalescedWork, on resource: Resource) {
        if work.want() { run(on: resource) { [self] in work.perform(by: self, on: resource) } }
    }
}
