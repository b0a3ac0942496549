import Synchronization

/// The commit: from changes that are wanted to records in the journal, and to the state that is published.
extension SuiteStore {
    /// Commits a group of requests, each on top of the one before, and notes in each what became of it.
    ///
    /// - Guarantee: whatever succeeded is seen by every process from here on, and survives a kill.
    func commit(_ requests: [WriteRequest], _ visit: OpenTransaction) {
        do throws(DefaultsError) {
            for _ in 0..<10 {
                if try isCommitted(requests, visit) { return }
                try rebase(visit)
            }
            throw DefaultsError(
                .lockTimeout, path: location?.path,
                underlyingDescription: "other programs keep saving the file")
        } catch {
            for request in requests where request.outcome == nil { request.outcome = .failure(error) }
        }
    }

    /// Commits what can be on the state the visit rests on.
    ///
    /// - Returns: false where that is no longer the present one.
    private func isCommitted(_ requests: [WriteRequest], _ visit: OpenTransaction) throws(DefaultsError)
        -> Bool
    {
        // F8: what was computed from values that were read rests on the settings file as it is now.
        let guards = guards.all
        let isRead = location != nil && (visit.isRead || guards.contains { $0.readsValues() })
        if isRead {
            guard try restsOnPresentFiles(visit) else { return false }
        }
        if visit.base.damage != nil, requests.contains(where: \.mendsDamage) {
            try checkpoint(visit, mends: true)
        }
        if hasOrphans(visit.base) { try checkpoint(visit, mends: false) }
        try checkReads(of: visit, for: requests)
        let (plan, idle) = plan(requests, on: visit.base, guards)
        // So does what does nothing.
        if location != nil, !isRead, !idle.isEmpty, Safeguard.compareBeforeDoingNothing.isOn {
            guard try restsOnPresentFiles(visit) else { return false }
        }
        idle.forEach { $0.outcome = .success([]) }
        if plan.isEmpty { return true }
        if location == nil {
            publishInMemory(plan, visit)
        } else if visit.base.files?.page == nil {
            return try commitDirectly(plan, visit)
        } else {
            try append(plan, visit)
        }
        return true
    }

    /// Whether changes are pending that no journal has: it was taken away together with the lock file.
    private func hasOrphans(_ base: SuiteSnapshot) -> Bool {
        base.files?.page != nil && base.values.isPending && base.journal?.hasRecords != true
    }

    /// F8: refuses what rests on values that are others now; what was staged without reading stands.
    private func checkReads(
        of visit: OpenTransaction, for requests: [WriteRequest]
    ) throws(DefaultsError) {
        guard visit.hasReadOtherwise, requests.contains(where: { !$0.changes.isEmpty }) else { return }
        throw DefaultsError(.conflict, path: location?.path)
    }

    /// What each request changes, given the ones before it; one that would make the file too large fails here.
    ///
    /// - Returns: what is to be written, and the requests that change nothing.
    private func plan(
        _ requests: [WriteRequest], on base: SuiteSnapshot, _ guards: [CommitGuard]
    ) -> (plan: [PlannedCommit], idle: [WriteRequest]) {
        var plan: [PlannedCommit] = []
        var idle: [WriteRequest] = []
        var values = base.values
        for request in requests where request.outcome == nil {
            do throws(DefaultsError) { try checkBeforeCommit(request.changes, on: values, guards) } catch {
                request.outcome = .failure(error)
                continue
            }
            let changes = request.changes.effective(on: values)
            guard !changes.isEmpty else {
                idle.append(request)
                continue
            }
            var next = values
            next.apply(changes)
            if next.greatestSize > SettingsFile.limit, next.written.bytes.count > SettingsFile.limit {
                request.outcome = .failure(DefaultsError(.valueTooLarge, path: location?.path))
                continue
            }
            values = next
            plan.append(PlannedCommit(request: request, changes: changes, values: next))
        }
        return (plan, idle)
    }

    /// Puts the visit onto what is there now: the changes hold absolute values.
    private func rebase(_ visit: OpenTransaction) throws(DefaultsError) {
        let isLocked = try withLock(visit) { lock in lock.files.isCurrent() }
        guard !isLocked else {
            visit.base = try presentState()
            return
        }
        // The folder or its lock file was replaced: the lock that is held keeps nobody out any more.
        visit.lock = nil
        visit.lock = try lockPresentState(&visit.base, until: .after(milliseconds: WriterLock.limit))
    }

    /// Whether the lock is the one everybody takes, and the settings file the one the state came from.
    func restsOnPresentFiles(_ visit: OpenTransaction) throws(DefaultsError) -> Bool {
        let base = visit.base
        let isLocked = try withLock(visit) { lock in lock.files === base.files && lock.files.isCurrent() }
        guard isLocked else { return false }
        return try identityOnDisk(base) == base.identity
    }

    private func publishInMemory(_ plan: [PlannedCommit], _ visit: OpenTransaction) {
        let generation = visit.base.generation + UInt64(plan.count)
        freshness.beginInMemory(generation)
        guard let last = plan.last else { return }
        publish(plan, as: visit.base.committed(last.values, generation, nil), visit)
    }

    /// Publishes the state behind some commits; the observers hear of each.
    func publish(_ plan: [PlannedCommit], as state: SuiteSnapshot, _ visit: OpenTransaction) {
        // Between the commits of a group only the observers' view moves: what is published is the last state.
        var seen: StoredValues?
        for (place, commit) in plan.enumerated() {
            let isLast = place == plan.count - 1
            let pending = hub.replace(
                unheard: commit.request?.changes.unheard ?? [], values: { seen ?? published.load().values },
                swap: {
                    if isLast { publish(state) }
                    seen = commit.values
                    return .thisProcess
                })
            commit.request?.outcome = .success(pending)
        }
        visit.base = state
    }

    /// Publishes a state that the holder of the lock has made.
    func publish(_ state: SuiteSnapshot) {
        order.withLock { order in
            order.lastTicket = tickets.add(1, ordering: .acquiringAndReleasing).newValue
            order.isCommitting = false
            put(state)
        }
    }

    /// Runs a body with the proof of the visit's lock.
    func withLock<Result>(
        _ visit: OpenTransaction, _ body: (borrowing HeldWriterLock) throws(DefaultsError) -> Result
    ) throws(DefaultsError) -> Result {
        switch visit.lock {
        case .some(let lock): return try body(lock)
        case .none: throw DefaultsError(.io, path: location?.path)
        }
    }
}

extension WriteRequest {
    /// Whether a damaged file has to be replaced for it, though it may change no value that is known.
    fileprivate var mendsDamage: Bool { !changes.isEmpty || changes.removesAll }
}
