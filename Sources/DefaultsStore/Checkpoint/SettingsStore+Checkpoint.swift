/// The checkpoint under the lock: the journal's records go into the settings file, which is replaced as a whole.
extension SettingsStore {
    /// What a checkpoint does about a settings file that cannot be read.
    enum Damage {
        /// It leaves the file, and the records in the journal, until a person has mended it.
        case leaves
        /// It was asked for, and throws.
        case `throws`
        /// A person has asked for it: the file is replaced, its bytes kept.
        case replaces
    }

    /// Brings the settings file up to date, and empties the journal.
    ///
    /// - Parameters:
    ///   - damage: what becomes of a settings file that cannot be read.
    ///   - prepared: the text of an earlier state.
    /// - Returns: the name that a file is kept under that was replaced although it could not be read.
    /// - Throws: every acknowledged write is still there then; the next checkpoint repeats the work.
    @discardableResult
    func checkpoint(
        _ session: inout WriteSession, ofDamaged damage: Damage, _ prepared: PreparedText? = nil
    ) throws(DefaultsError) -> String? {
        for _ in 0..<10 {
            _ = try withLock(session) { (lock) throws(DefaultsError) in try CrashRecovery.clear(holding: lock)
            }
            session.base = damage == .leaves ? try presentState() : try presentStateOnceFilled()
            let base = session.base
            if let known = base.damage {
                if damage == .leaves { return nil }
                if damage == .throws { throw known.refusal(because: "repair() would replace it") }
            }
            // A sync that the kernel refused once is never tried again.
            if let journal = base.journal, isPoisoned(journal.file) { try replaceJournal(&session) }
            // A user may have saved the very values that are in the journal; then the settings file has them, but was
            // never synced.
            let isUnsure = damage != .leaves && base.journal?.hasRecords == true
            guard base.values.isPending || base.damage != nil || isUnsure else { return nil }
            try openJournalForWriting(&session)
            if let next = try replaceSettings(with: session.base.values, session, prepared) {
                session.base = next.state
                publish(next.state)
                return next.kept
            }
            if try withLock(session, { lock in !lock.files.isCurrent() }) {
                try relock(&session)
            }
        }
        throw DefaultsError(
            .lockTimeout, path: location?.path, underlyingDescription: "other programs keep saving the file")
    }

    /// A new settings file in place.
    struct Replaced {
        let state: StoreSnapshot
        /// The name that the old one is kept under, if it could not be read.
        let kept: String?
    }

    /// Writes a new settings file, puts it in place and restarts the journal.
    ///
    /// - Returns: the state after it; nil if the settings file or the lock file is no longer the one that the current
    ///   state came from.
    func replaceSettings(
        with values: StoredValues, _ session: borrowing WriteSession, _ prepared: PreparedText? = nil
    ) throws(DefaultsError) -> Replaced? {
        let base = session.base
        // Both are synced below; so the journal's data is on its way while the file is written.
        if let journal = base.journal, journal.hasRecords {
            SystemCalls.beginToSynchronize(journal.file.descriptor)
        }
        let brought = prepared?.brought(upTo: values).flatMap {
            $0.bytes.count <= SettingsFile.limit ? $0 : nil
        }
        let document = brought ?? values.written
        guard document.bytes.count <= SettingsFile.limit else {
            throw DefaultsError(.valueTooLarge, path: location?.path)
        }
        // Checked before anything is replaced: otherwise each failure would leave a new file behind, and everybody
        // would load it.
        let isUntouched = try isJournalUntouched(session)
        let (next, refusal, held) = try withLock(session) { (lock) throws(DefaultsError) in
            let written = try TemporaryFile.write(
                document.bytes, like: Likeness.ofSettings(lock.files), holding: lock)
            return (written.status, written.refusal, try SettingsFile.holdNext(holding: lock))
        }
        // Nobody writes to the file before it has its name; a write after the clock has passed its time gives it
        // another time.
        let moment = SystemCalls.wallNanoseconds
        guard let placed = try placeSettings(session) else {
            try withLock(session) { lock in TemporaryFile.discard(holding: lock) }
            return nil
        }
        if let refusal { report(.unlike(location?.path ?? "", refusal)) }
        let (journal, generation) = try restartJournal(session, isUntouched)
        if let files = base.files { CheckedText.note(document, files) }
        let state = StoreSnapshot(
            values: StoredValues(document), generation: generation, epoch: base.epoch,
            identity: next.identity,
            files: base.files, journal: journal, begun: generation,
            isRecent: base.files?.isRecent(next.identity, readSince: moment) ?? false, held: held)
        return Replaced(state: state, kept: placed.kept)
    }

    /// What has become of the settings file that was replaced.
    private struct Placed {
        /// The name that it is kept under, if it could not be read.
        let kept: String?
    }

    /// Puts the new settings file in place, durable and under its name.
    private func placeSettings(_ session: borrowing WriteSession) throws(DefaultsError) -> Placed? {
        let base = session.base
        // F2: otherwise the settings file could have values that an older journal, all that is left after power loss,
        // takes back.
        if let journal = base.journal, journal.hasRecords {
            do { try Journal.synchronize(journal.file, location?.path ?? "") } catch {
                poison(journal.file)
                try withLock(session) { lock in TemporaryFile.discard(holding: lock) }
                throw error
            }
        }
        guard try restsOnPresentFiles(session) else { return nil }
        return try withLock(session) { (lock) throws(DefaultsError) -> Placed? in
            // F3: the bytes of a file that cannot be used have another name before anything replaces them.
            let copy = base.damage == nil ? nil : try keepDamaged(holding: lock)
            do throws(DefaultsError) {
                guard try SettingsFile.place(over: base.identity, holding: lock) else { return nil }
            } catch {
                // If nothing has replaced the file, the next attempt would keep it once more.
                if let copy { QuarantinedFiles.drop(copy, of: base.identity, holding: lock) }
                throw error
            }
            try DefaultsError.writing(lock.files.location.path) { () throws(SystemError) in
                try SystemCalls.synchronizeFolder(lock.files.folder)
            }
            return Placed(kept: copy)
        }
    }

    /// - Returns: the name that the settings file is kept under.
    private func keepDamaged(holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> String {
        do { return try QuarantinedFiles.keep(fileNamed: lock.files.location.settings, holding: lock) } catch
        {
            TemporaryFile.discard(holding: lock)
            throw error
        }
    }

    /// Whether the journal, if there is one, is the one that the state was read from, and may be written in place.
    func isJournalUntouched(_ session: borrowing WriteSession) throws(DefaultsError) -> Bool {
        guard let journal = session.base.journal else { return false }
        return try withLock(session) { (lock) throws(DefaultsError) in
            try Journal.isUntouched(journal, lock.files)
        }
    }

    /// F5: records in the journal that the settings file has everything, after raising the generation.
    ///
    /// - Parameter isNoted: whether the durable header declares all records checkpointed.
    func restartJournal(
        _ session: borrowing WriteSession, _ isUntouched: Bool, isNoted: Bool = false
    ) throws(DefaultsError) -> (JournalState, UInt64) {
        let base = session.base
        let open = try withLock(session) { (lock) throws(DefaultsError) in
            guard let journal = base.journal else {
                return JournalState(file: try Journal.openOrMake(holding: lock), header: nil)
            }
            // Checked again, because the disk has been waited for in the meantime.
            if isUntouched, try Journal.isUntouched(journal, lock.files),
                let cut = try Journal.cutSurplus(of: journal, holding: lock)
            {
                return cut
            }
            // A journal that is kept as a whole is replaced by one without records: the settings file has them.
            return try Journal.replace(journal, changes: [], keepsOld: true, holding: lock)
        }
        do throws(DefaultsError) {
            return try withLock(session) { (lock) throws(DefaultsError) in
                let generation = max(try lock.generation(), base.generation) + 1
                try lock.raise(to: generation)
                return (
                    try Journal.restart(open, at: generation, isNoted: isNoted, holding: lock), generation
                )
            }
        } catch {
            poison(open.file)
            throw error
        }
    }
}

/// Replacing the settings file because a person wants that: one that cannot be read, or one that was edited.
///
/// Nothing else replaces a file that cannot be read: what is written meanwhile waits in the journal.
extension SettingsStore {
    /// Replaces a settings file that cannot be read by what is known of it; its bytes are kept beside it (F3).
    ///
    /// - Returns: nil if the file can be read.
    func repair(until deadline: Deadline) throws(DefaultsError) -> DefaultsReplacement? {
        try refuseInsideTransaction()
        var replacement: DefaultsReplacement?
        try withSession(until: deadline) { (session) throws(DefaultsError) in
            guard session.base.isDamaged else { return }
            let kept = try checkpoint(&session, ofDamaged: .replaces)
            replacement = kept.map { DefaultsReplacement(of: session.base, original: $0) }
        }
        return replacement
    }

    /// Puts a text that a person has edited in the settings file's place.
    ///
    /// What the journal has over a file that could not be read stands over the text too.
    ///
    /// - Parameter original: the bytes that were edited; nil if there was no file.
    /// - Returns: nil if something else is stored by now; nothing was done then.
    func replaceFile(
        with text: SettingsDocument, editedFrom original: [UInt8]?, until deadline: Deadline
    ) throws(DefaultsError) -> DefaultsReplacement? {
        guard location != nil else { return nil }
        try refuseInsideTransaction()
        var replacement: DefaultsReplacement?
        try withSession(until: deadline) { (session) throws(DefaultsError) in
            _ = try withLock(session) { (lock) throws(DefaultsError) in try CrashRecovery.clear(holding: lock)
            }
            session.base = try presentStateOnceFilled()
            let base = session.base
            guard try isFile(of: base, original), base.isDamaged || base.values.isAsInFile else { return }
            if let journal = base.journal, isPoisoned(journal.file) { try replaceJournal(&session) }
            try openJournalForWriting(&session)
            let values = base.isDamaged ? base.values.over(text) : StoredValues(text)
            replacement = try replaceSettings(with: values, session).map {
                DefaultsReplacement(of: $0.state, original: $0.kept)
            }
        }
        // A load finds it like any other edit, and tells the observers.
        raiseEpoch()
        try reload()
        return replacement
    }

    /// Whether the settings file that a state came from has some bytes.
    private func isFile(of base: StoreSnapshot, _ bytes: [UInt8]?) throws(DefaultsError) -> Bool {
        guard let files = base.files else { return false }
        let present = try SettingsFile.read(files)
        return present?.bytes == bytes && present?.status.identity == base.identity
    }
}

extension DefaultsReplacement {
    fileprivate init(of state: StoreSnapshot, original name: String?) {
        let settings = state.values.keys.filter(\.isSetting)
        self.init(
            keys: settings.count,
            original: name.flatMap { name in state.files.map { $0.location.path(of: name) } })
    }
}
