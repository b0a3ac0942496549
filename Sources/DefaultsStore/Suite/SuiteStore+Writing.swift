import Synchronization

/// Writes that rest on nothing they have read: threads that wait for the gate meanwhile are combined into one group.
///
/// The idea is that of flat combining (Hendler, Incze, Shavit, Tzafrir): whoever gets the gate does everybody's work.
extension SuiteStore {
    /// Commits some changes, all or nothing.
    ///
    /// - Cost: where nothing was written meanwhile, six system calls whatever the size of the suite; none waits for
    ///   the disk.
    /// - Throws: what kept them from being stored; the old values are there then.
    func write(_ changes: consuming StagedChanges) throws(DefaultsError) {
        let request = WriteRequest(changes)
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

    /// What follows a commit once the locks are given back.
    ///
    /// - Throws: what the commit threw.
    func finish(_ request: WriteRequest) throws(DefaultsError) {
        let pending = try request.outcome?.get() ?? []
        if FailureLog.isAnyStanding {
            for log in listeningLogs {
                log.forgetStanding {
                    $0.key.map { request.changes.value(forKey: KeyName($0)) != nil } ?? false
                }
            }
        }
        for subscription in pending { subscription.deliver() }
    }

    /// What follows a visit once the locks are given back; a person's code, which may take its time, comes last.
    func leaveVisit(_ told: [@Sendable () -> Void]) {
        catchUpOnNotices()
        scheduleCheckpoint()
        told.forEach { $0() }
    }

    /// Waits for the gate, and does what waits there unless another thread has done it.
    ///
    /// - Returns: what to tell now that no lock is held.
    private func passGate(
        for request: WriteRequest, until first: Deadline
    ) throws(DefaultsError) -> [@Sendable () -> Void] {
        var deadline = first
        while true {
            switch gate.pass(until: deadline, unless: { request.isDone }) {
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
                // Somebody has taken it on: its end has to be awaited, and that one's time is limited.
                deadline = .after(milliseconds: WriterLock.limit)
            }
        }
    }

    /// Commits what waits, and the caller's own request behind it, unless that waits among the others.
    ///
    /// - Returns: what to tell now that the gate is open again.
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
        // One that has come but is not seen here yet does its own work.
        guard hasWaiting.load(ordering: .relaxed) else { return WriteGroup(request) }
        return waiting.withLock { waiting in
            hasWaiting.store(false, ordering: .relaxed)
            defer { waiting = [] }
            let isAmong = waiting.contains { $0 === request }
            return (isAmong ? WriteGroup(waiting) : nil) ?? WriteGroup(request, behind: waiting)
        }
    }
}
