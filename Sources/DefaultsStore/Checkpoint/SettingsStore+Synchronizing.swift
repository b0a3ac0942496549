import Synchronization

/// How far the journal is known to be durable, and which journal file cannot be trusted.
struct Durability: Sendable {
    /// The journal file whose name is durable too.
    var file: JournalFile?
    /// The last generation that is durable in it.
    var generation: UInt64 = 0
    /// A file that the kernel refused to sync or to truncate: nothing is appended to it any more.
    var poisoned: JournalFile?
}

/// Waiting until acknowledged writes survive power loss.
extension SettingsStore {
    /// Waits until all acknowledged writes are durable.
    ///
    /// - Cost: one `fdatasync`, shared by all threads that wait at the same time; none if the journal is empty.
    /// - Throws: `.io`, `.diskFull`: it is not known whether they are durable; further calls throw as well until the
    ///   journal has been replaced by a durable file.
    func synchronize() throws(DefaultsError) {
        guard location != nil else { return }
        let wanted = try state()
        guard let journal = wanted.journal, journal.hasRecords else { return }
        // A thread that waits before this one may wait for this thread's writes too.
        let outcome = synchronizing.follow(until: .after(milliseconds: 60_000)) {
            durability.withLock { $0.file === journal.file && $0.generation >= wanted.generation }
        }
        switch outcome {
        case .done: return
        case .late: throw DefaultsError(.lockTimeout, path: location?.path)
        case .locked:
            defer { synchronizing.unlock() }
            // A process that waits once usually waits again.
            waitsForDisk.store(true, ordering: .relaxed)
            // Where many wait, most of those that were just woken write again at once: they share this wait.
            if synchronizing.wasCrowded() { SystemCalls.yield() }
            try synchronizeJournal()
        }
    }

    private func synchronizeJournal() throws(DefaultsError) {
        let present = try state()
        guard let journal = present.journal, let files = present.files, journal.hasRecords else { return }
        guard !isPoisoned(journal.file) else {
            try refuseInsideTransaction()
            try withSession(until: .after(milliseconds: WriterLock.limit)) {
                (session) throws(DefaultsError) in
                guard let present = session.base.journal, isPoisoned(present.file) else { return }
                try replaceJournal(&session)
            }
            return
        }
        do { try Journal.synchronize(journal.file, files.location.journalPath) } catch {
            poison(journal.file)
            throw error
        }
        // Somebody may have removed it: what is durable without a name is lost with this process.
        let isInPlace = try DefaultsError.reading(files.location.journalPath) { () throws(SystemError) in
            try Journal.isInPlace(journal, files)
        }
        guard isInPlace else {
            // It is replaced like one that cannot be trusted, unless somebody else has done so.
            poison(journal.file)
            return try synchronizeJournal()
        }
        let isNamed = durability.withLock { $0.file === journal.file }
        // F15: a file whose name is lost is lost, no matter who made it.
        if !isNamed {
            try DefaultsError.writing(files.location.path) { () throws(SystemError) in
                try SystemCalls.synchronizeFolder(files.folder)
            }
        }
        // Another journal's file is closed with its last reference, which may take its time, so it leaves the lock.
        let old = durability.withLock { durability in
            let old = durability.file
            durability.file = journal.file
            durability.generation = present.generation
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Notes that nothing may be appended to a journal file any more.
    func poison(_ file: JournalFile) {
        let old = durability.withLock { durability in
            let old = durability.poisoned
            durability.poisoned = file
            return old
        }
        withExtendedLifetime(old) {}
        hasPoisoned.store(true, ordering: .releasing)
    }

    /// Whether a journal file can no longer be trusted.
    func isPoisoned(_ file: JournalFile) -> Bool {
        hasPoisoned.load(ordering: .acquiring)
            && durability.withLock { $0.poisoned?.isFile(of: file) ?? false }
    }
}
