/// One checkpoint under the lock: the journal's records go into the settings file, which is replaced as a whole.
struct LockedCheckpoint {
    /// What a checkpoint does about a settings file that cannot be read.
    enum Damage {
        /// Leaves the file, and the records in the journal, until a user has fixed it.
        case leaves
        /// It was asked for, and throws.
        case `throws`
        /// A person has asked for it: the file is replaced, its bytes kept.
        case replaces
    }

    private let store: SettingsStore

    init(in store: SettingsStore) { self.store = store }

    /// Brings the settings file up to date, and empties the journal.
    ///
    /// - Parameter damage: what becomes of a settings file that cannot be read.
    /// - Returns: the name that a file is kept under that was replaced although it could not be read.
    /// - Throws: every acknowledged write is still there then; the next checkpoint repeats the work.
    func run(_ session: inout WriteSession, ofDamaged damage: Damage) throws(DefaultsError) -> String? {
        for _ in 0..<10 {
            _ = try session.withLock { (lock) throws(DefaultsError) in
                try CrashRecovery.clear(holding: lock)
            }
            let loader = store.loader
            session.base = damage == .leaves ? try loader.presentState() : try loader.presentStateOnceFilled()
            let base = session.base
            if let known = base.damage {
                if damage == .leaves { return nil }
                if damage == .throws { throw known.refusal(because: "repairFiles() would replace it") }
            }
            try leavePoisonedJournal(&session)
            // A user may have saved the very values that are in the journal; then the settings file has them, but was
            // never synced.
            let isUnsure = damage != .leaves && base.journal?.hasRecords == true
            guard base.values.isPending || base.damage != nil || isUnsure else { return nil }
            try store.writer.openJournalForWriting(&session)
            if let next = try replaceSettings(with: session.base.values, session) {
                session.base = next.state
                let kept = next.kept
                next.commit.publish(session.base)
                return kept
            }
            if try session.withLock({ lock in !lock.files.isCurrent() }) {
                try store.writer.relock(&session)
            }
        }
        throw DefaultsError(
            .lockTimeout, path: store.path,
            underlyingDescription: "other programs keep saving the file")
    }

    /// Puts a text that a person has edited in the settings file's place.
    ///
    /// What the journal has over a file that could not be read stands over the text too.
    ///
    /// - Parameter original: the bytes that were edited; nil if there was no file.
    /// - Returns: nil if something else is stored by now; nothing was done then.
    func replaceFile(
        _ session: inout WriteSession, with text: SettingsDocument, editedFrom original: [UInt8]?
    ) throws(DefaultsError) -> DefaultsReplacement? {
        _ = try session.withLock { (lock) throws(DefaultsError) in
            try CrashRecovery.clear(holding: lock)
        }
        session.base = try store.loader.presentStateOnceFilled()
        let base = session.base
        guard try isFile(of: base, original), base.isDamaged || base.values.isAsInFile else { return nil }
        try leavePoisonedJournal(&session)
        try store.writer.openJournalForWriting(&session)
        let values = base.isDamaged ? base.values.replayed(on: text) : StoredValues(text)
        // A load publishes it like any other edit, so the commit ends without a state.
        guard let next = try replaceSettings(with: values, session) else { return nil }
        return DefaultsReplacement(of: next.state, backup: next.kept)
    }

    /// A new settings file in place.
    private struct Replaced: ~Copyable {
        let commit: Commit
        let state: StoreSnapshot
        /// The name that the old one is kept under, if it could not be read.
        let kept: String?
    }

    /// Writes a new settings file, puts it in place and restarts the journal.
    ///
    /// - Returns: the state after it; nil if the settings file or the lock file is no longer the one that the current
    ///   state came from.
    private func replaceSettings(
        with values: StoredValues, _ session: borrowing WriteSession
    ) throws(DefaultsError) -> Replaced? {
        let base = session.base
        // Both are synced below; so the journal's data is on its way while the file is written.
        if let journal = base.journal, journal.hasRecords {
            SystemCalls.beginToSynchronize(journal.file.descriptor)
        }
        let document = values.written
        guard document.bytes.count <= SettingsFile.limit else {
            throw DefaultsError(.valueTooLarge, path: store.path)
        }
        // Checked before anything is replaced: otherwise each failure would leave a new file behind, and everybody
        // would load it.
        let restart = JournalRestart(in: store)
        let isUntouched = try restart.isUntouched(session)
        let (next, refusal, held) = try session.withLock { (lock) throws(DefaultsError) in
            let written = try TemporaryFile.write(
                document.bytes, like: FileAttributes.ofSettings(lock.files), holding: lock)
            return (written.status, written.refusal, try SettingsFile.holdNext(holding: lock))
        }
        // Nobody writes to the file before it has its name; a write after the clock has passed its time gives it
        // another time.
        let time = SystemCalls.wallNanoseconds
        guard let placed = try placeSettings(session) else {
            try session.withLock { lock in TemporaryFile.discard(holding: lock) }
            return nil
        }
        if let refusal { store.report(.unlike(store.path ?? "", refusal)) }
        let (journal, generation) = try restart.run(session, isUntouched)
        // Behind the session: it waits for the disk.
        store.writer.afterSession { [store, kept = placed.kept] in
            store.keepVersions(of: document, next.identity, over: base, quarantined: kept)
        }
        let state = base.with(values: StoredValues(document), generation: generation, journal: journal)
            .placed(
                next.identity, held, isRecent: base.files?.isRecent(next.identity, readSince: time) ?? false
            )
        let kept = placed.kept
        return Replaced(commit: placed.commit, state: state, kept: kept)
    }

    /// What has become of the settings file that was replaced.
    private struct Placed: ~Copyable {
        let commit: Commit
        /// The name that it is kept under, if it could not be read.
        let kept: String?
    }

    /// Puts the new settings file in place, durable and under its name.
    private func placeSettings(_ session: borrowing WriteSession) throws(DefaultsError) -> Placed? {
        let base = session.base
        // F2: otherwise the settings file could have values that an older journal, all that is left after power loss,
        // takes back.
        if let journal = base.journal, journal.hasRecords {
            do { try store.durability.synchronizeRecords(in: journal.file, store.path ?? "") } catch {
                try session.withLock { lock in TemporaryFile.discard(holding: lock) }
                throw error
            }
        }
        guard try session.isCurrent(), let commit = Commit(on: base, in: store) else {
            return nil
        }
        var copy: String?
        let isPlaced = try session.withLock { (lock) throws(DefaultsError) in
            // F3: the bytes of a file that cannot be used have another name before anything replaces them.
            if base.damage != nil { copy = try keepDamaged(holding: lock) }
            do throws(DefaultsError) {
                guard try SettingsFile.place(over: base.identity, holding: lock) else { return false }
            } catch {
                // If nothing has replaced the file, the next attempt would keep it once more.
                if let copy { QuarantinedFiles.drop(copy, of: base.identity, holding: lock) }
                throw error
            }
            try DefaultsError.writing(lock.files.location.path) { () throws(SystemError) in
                try SystemCalls.synchronizeFolder(lock.files.folder)
            }
            return true
        }
        return isPlaced ? Placed(commit: commit, kept: copy) : nil
    }

    /// - Returns: the name that the settings file is kept under.
    private func keepDamaged(holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> String {
        do { return try QuarantinedFiles.keep(fileNamed: lock.files.location.settings, holding: lock) } catch
        {
            TemporaryFile.discard(holding: lock)
            throw error
        }
    }

    /// Has the journal replaced if it can no longer be trusted: a sync that the kernel refused once is never tried again.
    private func leavePoisonedJournal(_ session: inout WriteSession) throws(DefaultsError) {
        guard let journal = session.base.journal, store.durability.isPoisoned(journal.file) else { return }
        try store.writer.replaceJournal(&session)
    }

    private func isFile(of base: StoreSnapshot, _ bytes: [UInt8]?) throws(DefaultsError) -> Bool {
        guard let files = base.files else { return false }
        let present = try SettingsFile.read(files)
        return present?.bytes == bytes && present?.status.identity == base.identity
    }
}

extension DefaultsReplacement {
    init(of state: StoreSnapshot, backup name: String?) {
        let settings = state.values.keys.filter(\.isSetting)
        self.init(
            keyCount: settings.count,
            backupPath: name.flatMap { name in state.files.map { $0.location.path(of: name) } })
    }
}
