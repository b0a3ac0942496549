/// Writes that rest on nothing they have read: threads that wait for the gate meanwhile are combined into one group.
///
/// The idea is that of flat combining (Hendler, Incze, Shavit, Tzafrir): whoever gets the gate does everybody's work.
extension SuiteStore {
    /// Commits some changes, all or nothing.
    ///
    /// - Cost: where nothing was written meanwhile, six system calls whatever the size of the suite; none waits for
    ///   the disk.
    /// - Throws: what kept them from being stored; the old values are there then.
    func write(_ changes: OpenTransaction.Changes) throws(DefaultsError) {
        let request = WriteRequest(changes)
        waiting.withLock { $0.append(request) }
        leaveVisit(try passGate(for: request))
        finish(changes, try request.outcome?.get() ?? [])
    }

    /// How many writes wait for the gate, to be committed as a group.
    package var waitingWrites: Int { waiting.withLock { $0.count } }

    /// What follows a commit once the locks are given back.
    func finish(_ changes: OpenTransaction.Changes, _ pending: [Subscription]) {
        let written = Set(changes.order.map(\.string))
        listeningLogs.forEach { $0.forgetStanding { $0.key.map(written.contains) ?? false } }
        pending.forEach { $0.deliver() }
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
    private func passGate(for request: WriteRequest) throws(DefaultsError) -> [@Sendable () -> Void] {
        var deadline = Deadline.after(milliseconds: WriterLock.limit)
        while !gate.close(until: deadline) {
            let isStillWaiting = waiting.withLock { waiting in
                let count = waiting.count
                waiting.removeAll { $0 === request }
                return waiting.count < count
            }
            guard !isStillWaiting else { throw DefaultsError(.lockTimeout, path: location?.path) }
            // Somebody has taken it on: it may be done, so its end has to be awaited, and that one's time is limited.
            deadline = .after(milliseconds: WriterLock.limit)
        }
        guard request.outcome == nil else {
            gate.open()
            return []
        }
        beginVisit()
        do throws(DefaultsError) {
            let visit = try enter(until: deadline, looks: false)
            commit(takeWaiting(), visit)
            visit.lock = nil
        } catch {
            waiting.withLock { $0.removeAll { $0 === request } }
            request.outcome = .failure(error)
        }
        return endVisit()
    }

    private func takeWaiting() -> [WriteRequest] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
