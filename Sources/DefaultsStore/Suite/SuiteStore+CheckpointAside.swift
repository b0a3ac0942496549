import Synchronization

/// A checkpoint that keeps nobody waiting for the disk: it has the lock only for the two moments in which it changes the files.
///
/// What others write meanwhile stays in the journal, behind what the new settings file has, and its header says how far it is
/// done (F18). Where nobody writes, the journal begins anew behind that (`SuiteStore+Tidying`). Killed anywhere,
/// it leaves what the other way leaves (`SuiteStore+Checkpoint`), which is also the way where this one cannot be gone.
extension SuiteStore {
    /// A longer journal is brought in under the lock, so that it begins anew: whoever opens the suite reads all of it, in bytes.
    private static let longestJournal = 64 << 10
    /// From which length on it begins anew where it can, so that it does not come to that.
    private static let longJournal = 32 << 10
    /// How long nobody has written where it is taken that nobody is writing, in nanoseconds.
    private static let quiet: Int64 = 20_000_000

    /// Brings the settings file up to a state.
    ///
    /// - Guarantee: where it returns an outcome, the settings file has all of the state, on the disk and with its name.
    /// - Parameters:
    ///   - deadline: of the waits for the lock; where it has passed, nothing is done.
    ///   - restarts: whether the journal begins anew wherever it can.
    /// - Returns: nil where that is to be done under the lock: something else than writes has come between, or there are
    ///   no files without a name here.
    /// - Throws: with every acknowledged write still there: what has to be done is done again by the next checkpoint.
    func checkpointAside(
        of state: SuiteSnapshot, until deadline: Deadline, remakes: Bool, restarts: Bool
    ) throws(DefaultsError) -> CheckpointSchedule.Outcome? {
        guard Safeguard.checkpointsAside.isOn, let files = state.files, files.page != nil, files.lock != nil,
            files.keepUnnamed.load(ordering: .relaxed), let journal = state.journal, journal.hasRecords,
            journal.file.isWritable, journal.end <= SuiteStore.longestJournal, state.values.isPending,
            !state.isDamaged, !isPoisoned(journal.file), !deadline.hasPassed
        else { return nil }
        let begin = SystemCalls.monotonicNanoseconds
        var waited: UInt64 = 0
        // Behind those who wait for the lock; what the disk takes is no wait for it.
        func visiting(
            looks: Bool, _ body: (inout WriteContext) throws(DefaultsError) -> Bool
        ) throws(DefaultsError) -> Bool {
            let asked = SystemCalls.monotonicNanoseconds
            var isDone = false
            try withVisit(
                until: deadline.later(byNanoseconds: asked - begin - waited), looks: looks,
                remakes: remakes, takesTurn: false
            ) { (visit) throws(DefaultsError) in
                waited += SystemCalls.monotonicNanoseconds - asked
                isDone = try body(&visit)
            }
            return isDone
        }
        // Both are waited for below; so the one is on its way while the other is made.
        SystemCalls.beginToSynchronize(journal.file.descriptor)
        let document = state.values.written
        guard document.bytes.count <= SettingsFile.limit else { return nil }
        let displaced = try SettingsFile.hold(files)
        defer { withExtendedLifetime(displaced) {} }
        let permissions = displaced?.status.permissions
        let unnamed = try TemporaryFile.writeUnnamed(
            document.bytes, permissions: (permissions ?? 0o600) & 0o666, files)
        guard let unnamed else {
            files.keepUnnamed.store(false, ordering: .relaxed)
            return nil
        }
        try synchronizeRecords(of: journal, files)
        let next = NextSettings(
            state: state, document: document, permissions: permissions, identity: unnamed.status.identity)
        guard
            try visiting(looks: true, { (visit) throws(DefaultsError) in try place(unnamed, next, &visit) })
        else { return nil }
        try DefaultsError.writing(files.location.path) { () throws(SystemError) in
            try SystemCalls.synchronizeFolder(files.folder)
        }
        var begins = restarts || journal.end >= SuiteStore.longJournal
        if !begins { begins = try isQuiet(journal, files) }
        let isFinished = try visiting(looks: false) { (visit) throws(DefaultsError) in
            try finish(next, &visit)
        }
        guard isFinished else { return nil }
        // Before the wait, which then covers what this says is done, whoever has noted it.
        let noted = published.load().journal
        try synchronizeRecords(of: journal, files)
        if begins, let noted {
            do throws(DefaultsError) {
                _ = try visiting(looks: false) { (visit) throws(DefaultsError) in try tidy(noted, &visit) }
            } catch {
                // What was asked for is done, and the rest can wait.
                if error.code != .lockTimeout { throw error }
            }
        }
        if published.load().journal?.isFullyCheckpointed == true { scheduleTidying() }
        return CheckpointSchedule.Outcome(
            duration: SystemCalls.monotonicNanoseconds - begin - waited, isLeft: false)
    }

    /// F2: else the settings file might have what an older journal, all that is left after power loss, takes back.
    ///
    /// F18: or a record might be done again that somebody has saved another value over since.
    func synchronizeRecords(of journal: JournalState, _ files: SuiteFiles) throws(DefaultsError) {
        do { try Journal.synchronize(journal.file, files.location.journalPath) } catch {
            poison(journal.file)
            throw error
        }
    }

    /// Whether nobody has written for a moment: then nobody is kept waiting by a journal that begins anew.
    private func isQuiet(_ journal: JournalState, _ files: SuiteFiles) throws(DefaultsError) -> Bool {
        let written = try DefaultsError.reading(files.location.journalPath) { () throws(SystemError) in
            try SystemCalls.status(of: journal.file.descriptor).identity.modified
        }
        return SystemCalls.wallNanoseconds - written >= SuiteStore.quiet
    }

    /// A settings file that is on the disk and has no name yet, or has it since a moment ago.
    private struct NextSettings {
        /// What it has.
        let state: SuiteSnapshot
        let document: SettingsDocument
        /// Those of the settings file that it is made from; nil where there was none.
        let permissions: UInt32?
        let identity: FileStatus.Identity
    }

    /// Puts the next settings file in place; the journal stays as it is.
    ///
    /// - Returns: false where something else than writes has come between.
    private func place(
        _ unnamed: borrowing TemporaryFile.Written, _ next: NextSettings, _ visit: inout WriteContext
    ) throws(DefaultsError) -> Bool {
        let (base, state) = (visit.base, next.state)
        guard hasOnlyNewRecords(base, since: state), base.identity == state.identity,
            base.values.document.isSame(as: state.values.document), let files = base.files,
            try SettingsFile.status(files)?.permissions == next.permissions
        else { return false }
        // Before anything is replaced: a refusal would come behind each new file, and each of them be loaded by everybody.
        _ = try isJournalUntouched(visit)
        // Nobody writes into it before it has the name, and with the clock beyond its time whoever does gives it another.
        let moment = SystemCalls.wallNanoseconds
        // What the kernel tells of the names is looked at when this is over, and found to be known.
        order.withLock { $0.isCommitting = true }
        defer { order.withLock { $0.isCommitting = false } }
        let isPlaced = try withLock(visit) { (lock) throws(DefaultsError) in
            let isChanged = try Leftovers.clear(holding: lock)
            guard !isChanged else { return false }
            guard try TemporaryFile.name(unnamed, holding: lock) else {
                files.keepUnnamed.store(false, ordering: .relaxed)
                return false
            }
            return try SettingsFile.place(over: base.identity, holding: lock)
        }
        guard isPlaced else { return false }
        CheckedText.note(next.document, files)
        // As whoever loads now finds it: that the records are done is said when the name is on the disk.
        visit.base = SuiteSnapshot(
            values: base.values.over(next.document), generation: base.generation, epoch: base.epoch,
            identity: next.identity, files: files, journal: base.journal, begun: base.begun,
            isRecent: files.isRecent(next.identity, readSince: moment))
        publish(visit.base)
        return true
    }

    /// Has the journal say that what the settings file has is done.
    ///
    /// - Returns: false where that is no longer the one, or the journal is not.
    private func finish(_ next: NextSettings, _ visit: inout WriteContext) throws(DefaultsError) -> Bool {
        let base = visit.base
        guard hasOnlyNewRecords(base, since: next.state), base.identity == next.identity,
            try restsOnPresentFiles(visit), let files = base.files, let journal = base.journal,
            let header = journal.header, let known = next.state.journal
        else { return false }
        order.withLock { $0.isCommitting = true }
        defer { order.withLock { $0.isCommitting = false } }
        var values = StoredValues(next.document)
        if journal.generation > known.generation {
            for record in try Journal.records(after: known, files.location.journalPath).records {
                record.apply(to: &values)
            }
        }
        // Behind those there may be some that change nothing, which has to be on the disk like the others.
        let done = values.isPending ? known : journal
        if done.end > known.end { try synchronizeRecords(of: journal, files) }
        let mark = CheckpointMark(nonce: header.nonce, generation: done.generation, end: done.end)
        do throws(DefaultsError) {
            try withLock(visit) { (lock) throws(DefaultsError) in
                try Journal.note(mark, in: journal, holding: lock)
                try lock.note(mark)
            }
        } catch {
            // Its header may be half written.
            poison(journal.file)
            throw error
        }
        visit.base = SuiteSnapshot(
            values: values, generation: base.generation, epoch: base.epoch, identity: base.identity,
            files: files, journal: journal.with(checkpointed: done.generation), begun: base.begun,
            isRecent: base.isRecent)
        publish(visit.base)
        return true
    }

    /// Whether nothing but records has been added to the journal since a state.
    private func hasOnlyNewRecords(_ base: SuiteSnapshot, since state: SuiteSnapshot) -> Bool {
        guard base.files === state.files, !base.isDamaged, let journal = base.journal,
            let known = state.journal
        else { return false }
        return journal.hasSameNonce(as: known) && !isPoisoned(journal.file)
    }
}
