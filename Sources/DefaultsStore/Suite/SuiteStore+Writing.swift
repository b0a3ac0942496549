import Synchronization

/// Writes that depend on nothing they have read: threads that wait for the gate at the same time form one group.
///
/// The idea is flat combining (Hendler, Incze, Shavit, Tzafrir): the thread that gets the gate does the work of all.
extension SuiteStore {
    /// Commits some changes, all or nothing.
    ///
    /// - Cost: six system calls if nobody else has written in between, whatever the size of the suite; none waits for
    ///   the disk.
    /// - Throws: what prevented them from being stored; the old values are still there then.
    func write(_ changes: consuming StagedChanges) throws(DefaultsError) {
        try write(WriteRequest(changes))
    }

    /// Commits what a request wants, all or nothing.
    ///
    /// - Throws: `.conflict` also if a change cannot be laid over what is stored, which the request then has.
    func write(_ request: WriteRequest) throws(DefaultsError) {
        let deadline = Deadline.after(milliseconds: WriterLock.limit)
        if gate.closeAtOnce() {
            leaveVisit(doAll(with: request, until: deadline))
        } else {
            waiting.withLock { $0.append(request) }
            hasWaiting.store(true, ordering: .relaxed)
            leaveVisit(try passGate(for: request, until: deadline))
        }
        try finish(request)
    }

    /// How many writes wait for the gate, to be committed as a group.
    package var waitingWrites: Int { waiting.withLock { $0.count } }

    /// Does what follows a commit after the locks are released.
    ///
    /// - Throws: what the commit threw.
    func finish(_ request: WriteRequest) throws(DefaultsError) {
        let pending = try request.outcome?.get() ?? []
        if FailureLog.isAnyStanding {
            for log in listeningLogs {
                log.forgetStanding(ofKeys: request.changes.order.lazy.map(\.string))
                log.forgetStanding(in: .settling)
            }
        }
        for subscription in pending { subscription.deliver() }
    }

    /// Does what follows a visit after the locks are released; user code, which may take its time, comes last.
    func leaveVisit(_ told: [@Sendable () -> Void]) {
        catchUpOnNotices()
        scheduleCheckpoint()
        told.forEach { $0() }
    }

    /// Waits for the gate, and commits what is waiting unless another thread has done so.
    ///
    /// - Returns: what to report now that no lock is held.
    private func passGate(
        for request: WriteRequest, until first: Deadline
    ) throws(DefaultsError) -> [@Sendable () -> Void] {
        var deadline = first
        while true {
            switch gate.pass(until: deadline, yields: Gate.fewYields, unless: { request.isDone }) {
            case .passed where request.outcome == nil: return doAll(with: request, until: deadline)
            case .passed:
                gate.open()
                return []
            case .needless: return []
            case .late:
                let isStillWaiting = waiting.withLock { waiting in
                    let count = waiting.count
                    waiting.removeAll { $0 === request }
                    return waiting.count < count
                }
                guard !isStillWaiting else { throw DefaultsError(.lockTimeout, path: location?.path) }
                // Another thread has taken this request on. Its outcome has to be awaited; that thread's time is
                // limited.
                deadline = .after(milliseconds: WriterLock.limit)
            }
        }
    }

    /// Commits what is waiting, then the caller's own request unless it is among the waiting ones.
    ///
    /// - Returns: what to report now that the gate is open again.
    private func doAll(with request: WriteRequest, until deadline: Deadline) -> [@Sendable () -> Void] {
        beginVisit(as: .duringCall)
        do throws(DefaultsError) {
            var visit = try enter(until: deadline, looks: false)
            let requests = takeWaiting(with: request)
            commit(requests, &visit)
            visit.lock = nil
            for place in requests.indices { requests[place].finish() }
        } catch {
            waiting.withLock { $0.removeAll { $0 === request } }
            request.outcome = .failure(error)
        }
        return endVisit()
    }

    private func takeWaiting(with request: WriteRequest) -> WriteGroup {
        // A request that has arrived but is not visible here yet is committed by its own thread.
        guard hasWaiting.load(ordering: .relaxed) else { return WriteGroup(request) }
        return waiting.withLock { waiting in
            hasWaiting.store(false, ordering: .relaxed)
            defer { waiting = [] }
            let isAmong = waiting.contains { $0 === request }
            return (isAmong ? WriteGroup(waiting) : nil) ?? WriteGroup(request, behind: waiting)
        }
    }
}
