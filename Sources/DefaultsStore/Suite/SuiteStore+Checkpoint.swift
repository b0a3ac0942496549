/// The checkpoint: the journal's records go into the settings file, which is replaced whole.
extension SuiteStore {
    /// Brings the settings file up to date, and empties the journal.
    ///
    /// - Parameters:
    ///   - repairs: whether a settings file that cannot be used is replaced too, its bytes kept; else it is left to the
    ///     person who is perhaps about to mend it, and the records stay in the journal.
    ///   - prepared: the text of an earlier state.
    /// - Throws: with every acknowledged write still there: what has to be done is done again by the next checkpoint.
    func checkpoint(
        _ visit: inout WriteContext, repairs: Bool, _ prepared: PreparedText? = nil
    ) throws(DefaultsError) {
        for _ in 0..<10 {
            _ = try withLock(visit) { (lock) throws(DefaultsError) in try Leftovers.clear(holding: lock) }
            visit.base = try presentState()
            let base = visit.base
            if base.damage != nil, !repairs { return }
            // What the kernel refused to synchronize once is not asked for again.
            if let journal = base.journal, isPoisoned(journal.file) { try replaceJournal(&visit) }
            // Whose values the settings file has, though nobody has waited for it: a person may have saved the same.
            let isUnsure = repairs && base.journal?.hasRecords == true
            guard base.values.isPending || base.damage != nil || isUnsure else { return }
            try openJournalForWriting(&visit)
            if let next = try replaceSettings(with: visit.base.values, visit, prepared) {
                visit.base = next
                publish(next)
                return
            }
            if try withLock(visit, { lock in !lock.files.isCurrent() }) {
                try relock(&visit)
            }
        }
        throw DefaultsError(
            .lockTimeout, path: location?.path, underlyingDescription: "other programs keep saving the file")
    }

    /// The commit where no page is mapped: each replaces the settings file, and has waited for the disk.
    func commitDirectly(_ plan: WriteGroup, _ visit: inout WriteContext) throws(DefaultsError) -> Bool {
        // What a write left that was refused half way would refuse this one too.
        let isChanged = try withLock(visit) { (lock) throws(DefaultsError) in
            try Leftovers.clear(holding: lock)
        }
        if isChanged { return false }
        // Records that are still there would be done again over the new file.
        if visit.base.values.isPending {
            try checkpoint(&visit, repairs: true)
            return false
        }
        guard let values = plan.last.values else { return true }
        try withLock(visit) { (lock) throws(DefaultsError) in
            try lock.raise(to: max(try lock.generation(), visit.base.generation) + 1)
        }
        order.withLock { $0.isCommitting = true }
        defer { order.withLock { $0.isCommitting = false } }
        guard let next = try replaceSettings(with: values, visit) else { return false }
        publish(plan, as: next, &visit)
        return true
    }

    /// Writes a new settings file, puts it in place and begins the journal anew.
    ///
    /// - Returns: the state after it; nil where the settings file or the lock file is no longer the one that the
    ///   present state came from.
    private func replaceSettings(
        with values: StoredValues, _ visit: borrowing WriteContext, _ prepared: PreparedText? = nil
    ) throws(DefaultsError) -> SuiteSnapshot? {
        let base = visit.base
        // Both are waited for below; so the one is on its way while the other is made.
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
        // Before anything is replaced: a refusal would come behind each new file, and each of them be loaded by everybody.
        let isUntouched = try isJournalUntouched(visit)
        let permissions = try base.files.flatMap { (files) throws(DefaultsError) in
            try SettingsFile.status(files)?.permissions
        }
        let next = try withLock(visit) { (lock) throws(DefaultsError) in
            try TemporaryFile.write(
                document.bytes, permissions: (permissions ?? 0o600) & 0o666, holding: lock
            ).status
        }
        // Nobody writes into it before it has the name, and with the clock beyond its time whoever does gives it another.
        let moment = SystemCalls.wallNanoseconds
        guard try isPlaced(visit) else {
            try withLock(visit) { lock in TemporaryFile.discard(holding: lock) }
            return nil
        }
        let (journal, generation) = try restartJournal(visit, isUntouched)
        if let files = base.files { CheckedText.note(document, files) }
        return SuiteSnapshot(
            values: StoredValues(document), generation: generation, epoch: base.epoch,
            identity: next.identity,
            files: base.files, journal: journal, begun: generation,
            isRecent: base.files?.isRecent(next.identity, readSince: moment) ?? false)
    }

    /// Puts the new settings file in place, on the disk with its name.
    private func isPlaced(_ visit: borrowing WriteContext) throws(DefaultsError) -> Bool {
        let base = visit.base
        // F2: else the settings file might have what an older journal, all that is left after power loss, takes back.
        if let journal = base.journal, journal.hasRecords {
            do { try Journal.synchronize(journal.file, location?.path ?? "") } catch {
                poison(journal.file)
                try withLock(visit) { lock in TemporaryFile.discard(holding: lock) }
                throw error
            }
        }
        guard try restsOnPresentFiles(visit) else { return false }
        return try withLock(visit) { (lock) throws(DefaultsError) in
            // F3: the bytes of a file that could not be used have another name before anything replaces them.
            if base.damage != nil {
                _ = try DamagedCopies.keep(fileNamed: lock.files.location.settings, holding: lock)
            }
            guard try SettingsFile.place(over: base.identity, holding: lock) else { return false }
            try DefaultsError.writing(lock.files.location.path) { () throws(SystemError) in
                try SystemCalls.synchronizeFolder(lock.files.folder)
            }
            return true
        }
    }

    /// Whether the journal is the one that the state was read from, where there is one, and may be written in place.
    func isJournalUntouched(_ visit: borrowing WriteContext) throws(DefaultsError) -> Bool {
        guard let journal = visit.base.journal else { return false }
        return try withLock(visit) { (lock) throws(DefaultsError) in
            try Journal.isUntouched(journal, lock.files)
        }
    }

    /// F5: says in the journal that the settings file stands for everything, after raising the generation.
    ///
    /// - Parameter isNoted: whether the header on the disk says that all records are done.
    func restartJournal(
        _ visit: borrowing WriteContext, _ isUntouched: Bool, isNoted: Bool = false
    ) throws(DefaultsError) -> (JournalState, UInt64) {
        let base = visit.base
        let open = try withLock(visit) { (lock) throws(DefaultsError) in
            guard let journal = base.journal else {
                return JournalState(file: try Journal.openOrMake(holding: lock), header: nil)
            }
            // Once more, since the disk has been waited for meanwhile.
            if isUntouched, try Journal.isUntouched(journal, lock.files),
                let cut = try Journal.cutSurplus(of: journal, holding: lock)
            {
                return cut
            }
            // One that is kept whole makes way for one without records: the settings file has them.
            return try Journal.replace(journal, changes: [], keepsOld: true, holding: lock)
        }
        do throws(DefaultsError) {
            return try withLock(visit) { (lock) throws(DefaultsError) in
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
