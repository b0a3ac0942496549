import Synchronization

/// The commit: from the requested changes to records in the journal, and to the published state.
extension SuiteStore {
    /// Commits a group of requests, each on top of the previous one, and notes the outcome of each.
    ///
    /// - Guarantee: from here on, every process sees what succeeded, and it survives a kill.
    func commit(_ requests: WriteGroup, _ visit: inout WriteContext) {
        do throws(DefaultsError) {
            for _ in 0..<10 {
                if try isCommitted(requests, &visit) { return }
                try rebase(&visit)
            }
            throw DefaultsError(
                .lockTimeout, path: location?.path,
                underlyingDescription: "other programs keep saving the file")
        } catch {
            for request in requests where request.outcome == nil { request.outcome = .failure(error) }
        }
    }

    /// Commits what can be committed on the state that the visit is based on.
    ///
    /// - Returns: false if that is no longer the current state.
    private func isCommitted(_ requests: WriteGroup, _ visit: inout WriteContext) throws(DefaultsError)
        -> Bool
    {
        // F8: what was computed from values that were read is based on the settings file as it is now.
        let guards = guards.all
        let isRead =
            location != nil
            && (visit.isRead || guards?.readsValues == true || requests.isOfStored)
        if isRead {
            guard try restsOnPresentFiles(visit) else { return false }
        }
        if requests.contains(where: { !$0.changes.isEmpty }) { try refuseReadOnly(visit.base) }
        if hasOrphans(visit.base) { try checkpoint(&visit, ofDamaged: .leaves) }
        if isJournalFull(visit.base) { try checkpoint(&visit, ofDamaged: .throws) }
        try checkReads(of: visit, for: requests)
        let (planned, idle) = plan(requests, on: visit.base, guards)
        if idle > 0 {
            // So is a change that would do nothing.
            if location != nil, !isRead, Safeguard.compareBeforeDoingNothing.isOn {
                guard try restsOnPresentFiles(visit) else { return false }
            }
            for request in requests where request.isIdle { request.outcome = .success([]) }
        }
        if planned == requests.count {
            try write(requests, &visit)
        } else if let plan = WriteGroup(requests.filter(\.isPlanned)) {
            try write(plan, &visit)
        }
        return true
    }

    /// Writes what was planned, on the state that the visit is based on.
    private func write(_ plan: WriteGroup, _ visit: inout WriteContext) throws(DefaultsError) {
        if location == nil { publishInMemory(plan, &visit) } else { try append(plan, &visit) }
    }

    /// F22: refuses to write to a settings file that its owner has made read-only.
    ///
    /// That the mode has changed is found by a load, or by the next checkpoint; only then is the file looked at.
    private func refuseReadOnly(_ base: SuiteSnapshot) throws(DefaultsError) {
        guard let files = base.files, files.isReadOnly.load(ordering: .relaxed),
            let status = try SettingsFile.status(files)
        else { return }
        try SettingsFile.refuseReadOnly(status, files)
    }

    /// Whether changes are pending that no journal has, because it was removed together with the lock file.
    private func hasOrphans(_ base: SuiteSnapshot) -> Bool {
        base.files != nil && base.values.isPending && base.journal?.hasRecords != true
    }

    /// A journal of more bytes than this, and of more than twice the settings file's, is full.
    private static let greatestJournal = 16 << 20

    /// Whether the journal has become so long that a checkpoint comes before the next record.
    ///
    /// Usually one is made long before; but if all of them fail, every process that opens the suite would have to
    /// read ever more.
    private func isJournalFull(_ base: SuiteSnapshot) -> Bool {
        // The length first and alone, because every write asks.
        let length = base.journal?.end ?? 0
        guard length > SuiteStore.greatestJournal else { return false }
        return length / 2 > base.values.document.bytes.count
    }

    /// F8: refuses changes that are based on values which have changed since; what was staged without reading stands.
    private func checkReads(
        of visit: borrowing WriteContext, for requests: WriteGroup
    ) throws(DefaultsError) {
        guard visit.hasStaleReads, requests.contains(where: { !$0.changes.isEmpty }) else { return }
        throw DefaultsError(.conflict, path: location?.path)
    }

    /// Works out what each request changes, given the ones before it.
    ///
    /// A request that is not allowed, or would make the file too large, fails here.
    ///
    /// - Returns: how many are to be written, and how many change nothing.
    private func plan(
        _ requests: WriteGroup, on base: SuiteSnapshot, _ guards: CommitGuardList?
    ) -> (planned: Int, idle: Int) {
        var (planned, idle) = (0, 0)
        /// The last request that is to be written.
        var last: Int?
        for place in requests.indices {
            let request = requests[place]
            request.values = nil
            guard request.outcome == nil else { continue }
            do throws(DefaultsError) {
                if base.isDamaged { try checkDamage(of: base, before: request.changes) }
                let values = last.flatMap { requests[$0].values } ?? base.values
                if try plan(request, on: values, base.isDamaged, guards) {
                    planned += 1
                    last = place
                } else {
                    idle += 1
                }
            } catch {
                request.outcome = .failure(error)
            }
        }
        return (planned, idle)
    }

    /// F3: refuses what cannot be stored beside a settings file that cannot be read; all else waits in the journal until
    /// a person has mended it.
    private func checkDamage(of base: SuiteSnapshot, before changes: StagedChanges) throws(DefaultsError) {
        guard let files = base.files, let damage = base.damage, damage.isSalvaged,
            !changes.isEmpty || changes.removesAll
        else { return }
        if changes.removesAll {
            throw damage.refusal(because: "not all keys are known that are to be removed")
        }
        // Nobody has ever written here, and it may be anything.
        let isUnknown = base.values.document.count == 0 && base.begun == 0 && base.journal?.header == nil
        if isUnknown || files.location.isBehindLink {
            throw damage.refusal(
                because: "it may be no settings file at all, so nothing is written; repair() would replace it"
            )
        }
    }

    /// - Parameters:
    ///   - values: those before the commit.
    ///   - isDamaged: whether the settings file cannot be read, and may say something else than is known.
    /// - Returns: whether anything changes.
    private func plan(
        _ request: WriteRequest, on values: consuming StoredValues, _ isDamaged: Bool,
        _ guards: CommitGuardList?
    ) throws(DefaultsError) -> Bool {
        guard !request.changes.isEmpty else { return false }
        guard request.isOfStored else {
            return try plan(request, request.changes, on: values, isDamaged, guards)
        }
        return try plan(request, try request.changes(over: values), on: values, isDamaged, guards)
    }

    /// - Parameter wanted: what the request changes on these values.
    private func plan(
        _ request: WriteRequest, _ wanted: StagedChanges, on values: consuming StoredValues,
        _ isDamaged: Bool, _ guards: CommitGuardList?
    ) throws(DefaultsError) -> Bool {
        try guards?.check(wanted, on: values)
        let entries = wanted.entries
        let changes = isDamaged ? values.unrecorded(entries) : values.effective(entries)
        guard !changes.isEmpty else { return false }
        var size = values.greatestSize(with: changes)
        if size > SettingsFile.limit {
            var next = copy values
            next.apply(changes)
            size = next.written.bytes.count
            guard size <= SettingsFile.limit else {
                throw DefaultsError(.valueTooLarge, path: location?.path)
            }
        }
        values.apply(changes, size: size, isInMemory: location == nil)
        (request.planned, request.values) = (changes, values)
        return true
    }

    /// Moves the visit to the state that is there now; this is possible because the changes hold absolute values.
    private func rebase(_ visit: inout WriteContext) throws(DefaultsError) {
        let isLocked = try withLock(visit) { lock in lock.files.isCurrent() }
        guard !isLocked else {
            visit.base = try presentState()
            return
        }
        // The folder or its lock file was replaced.
        try relock(&visit)
    }

    /// Whether the lock is the one that everybody takes, and the settings file the one that the state came from.
    func restsOnPresentFiles(_ visit: borrowing WriteContext) throws(DefaultsError) -> Bool {
        let base = visit.base
        let isLocked = try withLock(visit) { lock in lock.files === base.files && lock.files.isCurrent() }
        guard isLocked else { return false }
        return try identityOnDisk(base) == base.identity
    }

    private func publishInMemory(_ plan: WriteGroup, _ visit: inout WriteContext) {
        let generation = visit.base.generation + UInt64(plan.count)
        freshness.beginInMemory(generation)
        guard let values = plan.last.values else { return }
        publish(plan, as: visit.base.committed(values, generation, nil), &visit)
    }

    /// Publishes the state after some commits; the observers are notified of each commit.
    func publish(_ plan: WriteGroup, as state: SuiteSnapshot, _ visit: inout WriteContext) {
        var displaced = VersionCell.Displaced()
        hub.inTurn { hub in
            // The last state is published before anybody is notified of the first commit; after that only the
            // observers' view moves.
            var seen: Int?
            // A load may have published another state since; otherwise only what was planned is different.
            let isNext = published.isPresent(visit.base)
            for place in plan.indices {
                let request = plan[place]
                let pending = hub.replace(
                    unheard: request.changes.unheard ?? [],
                    touched: isNext || seen != nil ? Set(request.planned.map(\.key)) : nil,
                    values: { seen.flatMap { plan[$0].values } ?? published.load().values },
                    swap: {
                        if seen == nil { displaced = publish(state) }
                        seen = place
                        return .thisProcess
                    })
                request.outcome = .success(pending)
            }
        }
        withExtendedLifetime(displaced) {}
        visit.base = state
    }

    /// Publishes a state that the lock holder has made; this ends the commit.
    ///
    /// - Returns: what is to be released when the caller has left the hub.
    @discardableResult
    func publish(_ state: SuiteSnapshot) -> VersionCell.Displaced {
        order.withLock { order in
            order.lastTicket = tickets.add(1, ordering: .acquiringAndReleasing).newValue
            order.isCommitting = false
            return put(state)
        }
    }

    /// Runs a body with the proof of the visit's lock.
    func withLock<Result>(
        _ visit: borrowing WriteContext, _ body: (borrowing HeldWriterLock) throws(DefaultsError) -> Result
    ) throws(DefaultsError) -> Result {
        switch visit.lock {
        case .some(let lock): return try body(lock)
        case .none: throw DefaultsError(.io, path: location?.path)
        }
    }
}

extension WriteRequest {
    /// Whether the request is to be written.
    fileprivate var isPlanned: Bool { values != nil }
    /// Whether there is nothing to be done for the request.
    fileprivate var isIdle: Bool { values == nil && outcome == nil }
}
