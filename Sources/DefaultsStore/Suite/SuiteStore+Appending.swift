import Synchronization

/// How a commit gets into the journal.
extension SuiteStore {
    /// Appends a group of commits to the journal, and publishes those whose records are intact.
    ///
    /// - Throws: if no record is; the failure of a single request is in its outcome.
    func append(_ plan: WriteGroup, _ visit: inout WriteContext) throws(DefaultsError) {
        try openJournalForWriting(&visit)
        let journal = try usableJournal(&visit)
        let base = visit.base
        let raised = try withLock(visit) { (lock) throws(DefaultsError) in try lock.generation() }
        let known = Safeguard.raiseBeyondJournal.isOn ? max(raised, base.generation) : raised
        order.withLock { $0.isCommitting = true }
        var isPublished = false
        // Publishing ends the commit too.
        defer { if !isPublished { order.withLock { $0.isCommitting = false } } }
        // F4: the generation rises before anything else is written, so that no cache outlives the change.
        let rise = Safeguard.raiseByGroup.isOn ? UInt64(plan.count) : 1
        if Safeguard.raiseBeforeRecords.isOn { try raise(to: known + rise, visit) }
        let appended = try withLock(visit) { lock in
            let appended = Journal.append(
                plan.count, { plan[$0].planned }, to: journal, after: known, holding: lock)
            guard waitsForDisk.load(ordering: .relaxed), appended.error == nil else { return appended }
            return appended.with(Journal.withReserve(appended.state, holding: lock))
        }
        if !Safeguard.raiseBeforeRecords.isOn { try raise(to: known + rise, visit) }
        guard let error = appended.error else {
            isPublished = publish(appended: plan, appended.state, after: known, &visit)
            return
        }
        if let done = WriteGroup(plan.prefix(appended.count)) {
            isPublished = publish(appended: done, appended.state, after: known, &visit)
        }
        for request in plan.dropFirst(appended.count) { request.outcome = .failure(error) }
    }

    /// Publishes the commits whose records are intact.
    ///
    /// - Parameter generation: the generation before the first of them.
    /// - Returns: whether there was something to publish.
    private func publish(
        appended done: WriteGroup, _ journal: JournalState, after generation: UInt64,
        _ visit: inout WriteContext
    ) -> Bool {
        guard let values = done.last.values else { return false }
        let last = generation + UInt64(done.count)
        lastCommit.store(last, ordering: .sequentiallyConsistent)
        // Other processes may go on: the rest concerns this process alone, and its threads wait at the gate.
        visit.lock = nil
        publish(done, as: visit.base.committed(values, last, journal), &visit)
        return true
    }

    private func raise(to generation: UInt64, _ visit: borrowing WriteContext) throws(DefaultsError) {
        try withLock(visit) { (lock) throws(DefaultsError) in try lock.raise(to: generation) }
    }

    /// Reopens for writing, before anything else is written, a journal that was found when it could only be read.
    func openJournalForWriting(_ visit: inout WriteContext) throws(DefaultsError) {
        let base = visit.base
        guard let journal = base.journal, !journal.file.isWritable else { return }
        let open = try withLock(visit) { (lock) throws(DefaultsError) in
            try Journal.openedForWriting(journal, holding: lock)
        }
        visit.base = base.committed(base.values, base.generation, open)
    }

    /// Returns the journal, ready to be appended to.
    private func usableJournal(_ visit: inout WriteContext) throws(DefaultsError) -> JournalState {
        guard let journal = visit.base.journal else {
            return JournalState(
                file: try withLock(visit) { (lock) throws(DefaultsError) in
                    try Journal.openOrMake(holding: lock)
                },
                header: nil)
        }
        // Nobody has written since, so a missing journal was removed by hand, and only this process has its records.
        // A rule that reads values is user code, and runs under the lock.
        let isAtOnce = !visit.isRead && !guards.readValues
        let untouched = try withLock(visit) { (lock) throws(DefaultsError) in
            try Journal.untouched(journal, isAtOnce: isAtOnce, holding: lock)
        }
        guard let untouched else { return try replaceJournal(&visit, keepsOld: true) }
        if isPoisoned(untouched.file) { return try replaceJournal(&visit) }
        if untouched.surplus == 0 { return untouched }
        let cut = try withLock(visit) { (lock) throws(DefaultsError) in
            try Journal.cutSurplus(of: untouched, holding: lock)
        }
        if let cut { return cut }
        return try replaceJournal(&visit, keepsOld: true)
    }

    /// Replaces a journal that can no longer be trusted by a new file.
    ///
    /// - Parameter keepsOld: whether the old journal is known to contain bytes that are not ours; it is checked in
    ///   any case.
    @discardableResult
    func replaceJournal(
        _ visit: inout WriteContext, keepsOld: Bool = false
    ) throws(DefaultsError) -> JournalState {
        guard let journal = visit.base.journal else { throw DefaultsError(.io, path: location?.path) }
        let next = try withLock(visit) { (lock) throws(DefaultsError) in
            var isOurs = !keepsOld
            if isOurs { isOurs = try Journal.isUntouched(journal, lock.files) }
            if isOurs, journal.surplus > 0 {
                isOurs = try Journal.isSurplusTorn(journal, lock.files.location.journalPath)
            }
            return try Journal.replace(
                journal, changes: visit.base.values.changes, keepsOld: !isOurs, holding: lock)
        }
        durability.exchange(Durability(file: next.file, generation: next.generation))
        visit.base = visit.base.committed(visit.base.values, next.generation, next)
        publish(visit.base)
        return next
    }

    /// Completes, with an empty commit, what a writer began that died between raising the generation and appending,
    /// or restores a generation that power loss has set back.
    ///
    /// Until then every read checks the files, because the counter does not agree with them.
    func settle() {
        guard gate.close(until: .after(milliseconds: 0)) else { return }
        beginVisit(as: .duringCall)
        do throws(DefaultsError) {
            var visit = try enter(until: .after(milliseconds: 0), looks: true, remakes: false)
            if isUnsettled(visit.base) {
                let nothing = WriteRequest(emptyOver: visit.base.values)
                try append(WriteGroup(nothing), &visit)
                _ = try nothing.outcome?.get()
            }
            visit.lock = nil
            noteSuccess(of: .settling)
        } catch {
            if error.code != .lockTimeout, error.code != .readOnly { reportStanding(error, in: .settling) }
        }
        let told = endVisit()
        catchUpOnNotices()
        told.forEach { $0() }
    }
}
