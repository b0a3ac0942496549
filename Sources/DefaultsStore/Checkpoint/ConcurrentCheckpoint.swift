import Synchronization

/// One checkpoint that hardly ever makes others wait for the disk: it holds the lock only for the moments in which it
/// changes the files. (Records that came in meanwhile and changed nothing are synced under it.)
///
/// What others write in the meantime stays in the journal, after what the new settings file has, and the journal's
/// header says how far it is checkpointed (F18). If nobody writes, the journal is restarted afterwards
/// (``JournalRestart``). A process that is killed at any point leaves what the ``LockedCheckpoint`` leaves, which is
/// also the way to go when this one is not possible.
struct ConcurrentCheckpoint {
    /// A journal longer than this, and than the settings file, is brought in under the lock, so that it restarts even if
    /// writers never pause: it takes room on the disk, and whoever does not see the note in the lock file reads all of it.
    private static let longestJournal = 1 << 20
    /// From this length on the journal is restarted whenever possible, so that it does not become that long.
    private static let longJournal = 32 << 10
    /// A tail of up to this many bytes is read under the lock.
    private static let shortTail = 16 << 10
    /// How often those that came meanwhile are read first, for a writer that is as fast.
    private static let mostReadings = 8
    /// How many saves in a row it takes up before it gives up.
    private static let mostSaves = 10
    /// Records that are synced after so many milliseconds are soon.
    private static let soon: UInt64 = 1_000
    /// How long there must have been no write before nobody is assumed to be writing, in nanoseconds.
    private static let quiet: Int64 = 20_000_000

    private let store: SettingsStore
    private let state: StoreSnapshot
    /// For the waits for the lock; after it, nothing is done.
    private let deadline: Deadline
    /// Whether a lock file that somebody has removed is created again.
    private let remakes: Bool
    /// Whether the journal is restarted wherever that is possible, because somebody has asked for the checkpoint.
    private let restarts: Bool

    init(
        of state: StoreSnapshot, in store: SettingsStore, until deadline: Deadline, remakes: Bool,
        restarts: Bool
    ) {
        (self.state, self.store, self.deadline) = (state, store, deadline)
        (self.remakes, self.restarts) = (remakes, restarts)
    }

    /// Brings the settings file up to the state.
    ///
    /// - Guarantee: if it returns an outcome, the settings file has all of the state, durable and under its name.
    /// - Returns: nil if the checkpoint has to be made under the lock: something other than writes has come in
    ///   between, or the file system has no unnamed files.
    /// - Throws: every acknowledged write is still there then; the next checkpoint repeats the work.
    func tryRun() throws(DefaultsError) -> CheckpointSchedule.Outcome? {
        guard Failpoint.checkpointsConcurrently.isOn, let files = state.files, files.lock != nil,
            files.supportsUnnamedFiles.load(ordering: .relaxed), let journal = state.journal,
            journal.hasRecords,
            journal.file.isWritable,
            journal.end <= max(Self.longestJournal, state.values.document.bytes.count),
            state.values.isPending,
            !state.isDamaged, !store.durability.isPoisoned(journal.file), !deadline.hasPassed
        else { return nil }
        let begin = SystemCalls.monotonicNanoseconds
        var waited: UInt64 = 0
        // After those who wait for the lock; the time that the disk takes does not count as waiting for it.
        func inSession(
            reads: Bool, _ body: (inout WriteSession) throws(DefaultsError) -> Bool
        ) throws(DefaultsError) -> Bool {
            // What others have written is read before, so that little is left to be read under the lock.
            if let page = files.page, page.number != store.latest.generation {
                try store.loader.reload()
            }
            let asked = SystemCalls.monotonicNanoseconds
            var isDone = false
            try store.writer.withSession(
                until: deadline.later(byNanoseconds: asked - begin - waited), reads: reads,
                remakes: remakes, takesTurn: false, isUnasked: !restarts
            ) { (session) throws(DefaultsError) in
                waited += SystemCalls.monotonicNanoseconds - asked
                isDone = try body(&session)
            }
            return isDone
        }
        // Both are synced below; so the journal's data is on its way while the file is written.
        SystemCalls.beginToSynchronize(journal.file.descriptor)
        let document = state.values.written
        guard document.bytes.count <= SettingsFile.limit else { return nil }
        // The displaced file is freed with it.
        defer { withExtendedLifetime(state) {} }
        let attributes = try FileAttributes.ofSettings(files)
        let unnamed = try TemporaryFile.writeUnnamed(document.bytes, like: attributes, files)
        guard let unnamed else {
            files.supportsUnnamedFiles.store(false, ordering: .relaxed)
            return nil
        }
        try synchronizeRecords(of: journal, files)
        let next = NextSettings(
            document: document, replaced: attributes.status, identity: unnamed.status.identity)
        guard
            try inSession(
                reads: true, { (session) throws(DefaultsError) in try place(unnamed, next, &session) })
        else { return nil }
        try DefaultsError.writing(files.location.path) { () throws(SystemError) in
            try SystemCalls.synchronizeFolder(files.folder)
        }
        store.keepVersions(of: document, next.identity, over: state)
        var begins = restarts || journal.end >= Self.longJournal
        if !begins { begins = try isQuiet(journal, files) }
        let tail = try readTail(behind: next, files)
        let isFinished = try inSession(reads: false) { (session) throws(DefaultsError) in
            try finish(next, tail, &session)
        }
        guard isFinished else { return nil }
        // Read before the sync, which then covers the header that this state describes, no matter which process wrote
        // it.
        let recorded = store.latest.journal
        // Otherwise it was replaced, as a whole and durably.
        let isKept = recorded?.hasSameNonce(as: journal) == true
        // What is written next is synced soon, and the header with it; or the journal is restarted when nobody writes.
        let isSyncedSoon = store.checkpointer.currentSchedule.delay <= Self.soon
        guard isKept, restarts || !isSyncedSoon || begins && recorded?.isFullyCheckpointed == true else {
            return CheckpointSchedule.Outcome(
                duration: SystemCalls.monotonicNanoseconds - begin - waited, isLeft: false)
        }
        try synchronizeRecords(of: journal, files)
        if begins, let recorded {
            do throws(DefaultsError) {
                _ = try inSession(reads: false) { (session) throws(DefaultsError) in
                    try JournalRestart(in: store).tryRun(&session, recorded: recorded)
                }
            } catch {
                // What was asked for is done; the restart can wait.
                if error.code != .lockTimeout { throw error }
            }
        }
        return CheckpointSchedule.Outcome(
            duration: SystemCalls.monotonicNanoseconds - begin - waited, isLeft: false)
    }

    /// F2: otherwise the settings file could have values that an older journal, all that is left after power loss,
    /// takes back.
    ///
    /// F18: and a record could be applied again over another value that somebody has saved since.
    private func synchronizeRecords(of journal: JournalState, _ files: SuiteFiles) throws(DefaultsError) {
        try store.durability.synchronizeRecords(in: journal.file, files.location.journalPath)
    }

    /// Without recent writes, a restart of the journal keeps no writer waiting.
    private func isQuiet(_ journal: JournalState, _ files: SuiteFiles) throws(DefaultsError) -> Bool {
        let written = try DefaultsError.reading(files.location.journalPath) { () throws(SystemError) in
            try SystemCalls.status(of: journal.file.descriptor).identity.modified
        }
        // The time may be any, also one that lies centuries away.
        let (age, isOverflown) = SystemCalls.wallNanoseconds.subtractingReportingOverflow(written)
        return isOverflown || age >= Self.quiet
    }

    /// A settings file that is durable and has no name yet, or has just been given it.
    private struct NextSettings {
        let document: SettingsDocument
        /// The settings file that it replaces, and whose attributes it gets; nil if there was none.
        let replaced: FileStatus?
        let identity: FileStatus.Identity
    }

    private func isLike(_ present: FileStatus?, _ model: FileStatus?) -> Bool {
        guard let present, let model else { return present == nil && model == nil }
        return present.hasSameRules(as: model)
    }

    /// Puts the next settings file in place; the journal stays as it is.
    ///
    /// - Returns: false if something other than writes has come in between.
    private func place(
        _ unnamed: borrowing TemporaryFile.Written, _ next: NextSettings, _ session: inout WriteSession
    ) throws(DefaultsError) -> Bool {
        let base = session.base
        guard hasOnlyNewRecords(base), base.identity == state.identity,
            base.values.document.isSame(as: state.values.document), let files = base.files,
            try isLike(SettingsFile.status(files), next.replaced)
        else { return false }
        // Checked before anything is replaced: otherwise each failure would leave a new file behind, and everybody
        // would load it.
        _ = try JournalRestart(in: store).isUntouched(session)
        // Nobody writes to the file before it has its name; a write after the clock has passed its time gives it
        // another time.
        let time = SystemCalls.wallNanoseconds
        // Notifications about the names are handled when this is over, and found to be about what is known.
        guard let commit = Commit(on: base, in: store) else { return false }
        var held: SettingsFile.Held?
        let isPlaced = try session.withLock { (lock) throws(DefaultsError) in
            let isChanged = try CrashRecovery.clear(holding: lock)
            guard !isChanged else { return false }
            guard try TemporaryFile.name(unnamed, holding: lock) else {
                files.supportsUnnamedFiles.store(false, ordering: .relaxed)
                return false
            }
            held = try SettingsFile.holdNext(holding: lock)
            return try SettingsFile.place(over: base.identity, holding: lock)
        }
        guard isPlaced else { return false }
        if let refusal = unnamed.refusal { store.report(.unlike(files.location.path, refusal)) }
        // As a load finds it at this point: the records are declared checkpointed only once the name is durable.
        session.base = base.with(values: base.values.replayed(on: next.document)).placed(
            next.identity, held, isRecent: files.isRecent(next.identity, readSince: time))
        commit.publish(session.base)
        return true
    }

    /// What the journal has behind the state: the records that came in the meantime.
    private struct Tail {
        var values: StoredValues
        var journal: JournalState
    }

    /// Reads the records that came in the meantime, so that few are left to be read under the lock, however fast they come.
    ///
    /// A line that is being written is left to the next reading; and should the journal no longer be the same run, which
    /// is found out under the lock, nothing of what was read applies.
    private func readTail(behind next: NextSettings, _ files: SuiteFiles) throws(DefaultsError) -> Tail? {
        guard let known = state.journal else { return nil }
        var tail = Tail(values: StoredValues(next.document), journal: known)
        for _ in 0..<Self.mostReadings {
            guard try files.generation() > tail.journal.generation, try add(to: &tail, files) > Self.shortTail
            else { break }
        }
        return tail
    }

    /// - Returns: the number of bytes of the added records.
    private func add(to tail: inout Tail, _ files: SuiteFiles) throws(DefaultsError) -> Int {
        let read = try Journal.records(after: tail.journal, files.location.journalPath)
        for record in read.records { record.apply(to: &tail.values) }
        defer { tail.journal = read.state }
        return read.state.end - tail.journal.end
    }

    /// Declares in the journal that what the settings file has is checkpointed.
    ///
    /// F26: that file had those records durable and under its name, so they are done, also if another one is there by now.
    /// A record that is left is what came after them.
    ///
    /// - Returns: false if the journal is no longer that one, or the file that is there cannot be read.
    private func finish(
        _ next: NextSettings, _ tail: Tail?, _ session: inout WriteSession
    ) throws(DefaultsError) -> Bool {
        for _ in 0..<Self.mostSaves {
            try takeUpSave(over: next, &session)
            guard hasOnlyNewRecords(session.base) else { return false }
            // Otherwise somebody has saved again, and the records must not be laid over that save.
            guard try session.isCurrent(), let commit = Commit(on: session.base, in: store) else { continue }
            return try declare(next, tail, &session, in: commit)
        }
        return false
    }

    /// Bases the session on what somebody has saved in the next file's place.
    private func takeUpSave(over next: NextSettings, _ session: inout WriteSession) throws(DefaultsError) {
        if try session.isCurrent(), session.base.identity == next.identity { return }
        // F14: another one may have died over a save that is to get its name back.
        _ = try session.withLock { (lock) throws(DefaultsError) in
            try CrashRecovery.clear(holding: lock)
        }
        session.base = try store.loader.presentStateOnceFilled()
    }

    private func declare(
        _ next: NextSettings, _ tail: Tail?, _ session: inout WriteSession, in commit: consuming Commit
    ) throws(DefaultsError) -> Bool {
        let base = session.base
        guard let files = base.files, let journal = base.journal, let header = journal.header,
            let known = state.journal, var tail
        else { return false }
        if journal.generation > tail.journal.generation { _ = try add(to: &tail, files) }
        let values = tail.values.replayed(on: base.values.document)
        // The mark alone is not looked for by those who know the journal: what is stored has to be the same.
        let isSame = base.values.changes.allSatisfy { values.value(forKey: $0.key).isSame(as: $0.value) }
        guard isSame, journal.checkpointed < known.generation else {
            if !isSame { try store.writer.replaceJournal(&session, with: values, in: commit) }
            return true
        }
        // After those records there may be some that change nothing; they have to be durable like the others.
        let done = values.isPending ? known : journal
        if done.end > known.end { try synchronizeRecords(of: journal, files) }
        let mark = CheckpointMark(nonce: header.nonce, generation: done.generation, end: done.end)
        do throws(DefaultsError) {
            try session.withLock { (lock) throws(DefaultsError) in
                try Journal.record(mark, in: journal, holding: lock)
                try lock.record(mark)
            }
        } catch {
            // Its header may be half written.
            store.durability.poison(journal.file)
            throw error
        }
        session.base = base.with(
            values: values, journal: journal.with(checkpointed: done.generation, end: done.end))
        commit.publish(session.base)
        // Saved in between, and loaded by somebody with the records: a new generation has that one load again.
        if try session.isCurrent() { return true }
        session.base = try store.loader.presentStateOnceFilled()
        guard hasOnlyNewRecords(session.base), let again = Commit(on: session.base, in: store) else {
            return false
        }
        try store.writer.replaceJournal(&session, with: session.base.values, in: again)
        return true
    }

    /// Whether nothing but records has been added to the journal since the state.
    private func hasOnlyNewRecords(_ base: StoreSnapshot) -> Bool {
        guard base.files === state.files, !base.isDamaged, let journal = base.journal,
            let known = state.journal
        else { return false }
        return journal.hasSameNonce(as: known) && !store.durability.isPoisoned(journal.file)
    }
}
