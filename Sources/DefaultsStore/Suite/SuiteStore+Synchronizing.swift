import Synchronization

/// How far the journal is known to be on the disk, and which file of it cannot be trusted.
struct Durability: Sendable {
    /// The journal's file whose name is on the disk too.
    var file: JournalFile?
    /// The last generation that is on the disk with it.
    var generation: UInt64 = 0
    /// A file that the kernel refused to synchronize, or to cut: nothing is appended to it any more.
    var poisoned: JournalFile?
}

/// Waiting until acknowledged writes survive power loss.
extension SuiteStore {
    /// Waits until all acknowledged writes are on the disk.
    ///
    /// - Cost: one `fdatasync`, shared by the threads that wait at the same time; none where the journal is empty.
    /// - Throws: `.io`, `.diskFull`: it is not known whether they are; it throws until the journal has been replaced by
    ///   a file that is.
    func synchronize() throws(DefaultsError) {
        guard location != nil else { return }
        let wanted = try state()
        guard let journal = wanted.journal, journal.hasRecords else { return }
        // One who waits before us may wait for our writes too.
        let passage = synchronizing.pass(until: .after(milliseconds: 60_000)) {
            durability.withLock { $0.file === journal.file && $0.generation >= wanted.generation }
        }
        switch passage {
        case .needless: return
        case .late: throw DefaultsError(.lockTimeout, path: location?.path)
        case .passed:
            defer { synchronizing.open() }
            // Who waits once waits again.
            waitsForDisk.store(true, ordering: .relaxed)
            try synchronizeJournal()
        }
    }

    private func synchronizeJournal() throws(DefaultsError) {
        let present = try state()
        guard let journal = present.journal, let files = present.files, journal.hasRecords else { return }
        guard !isPoisoned(journal.file) else {
            try withVisit(until: .after(milliseconds: WriterLock.limit)) { (visit) throws(DefaultsError) in
                guard let present = visit.base.journal, isPoisoned(present.file) else { return }
                try replaceJournal(&visit)
            }
            return
        }
        do { try Journal.synchronize(journal.file, files.location.journalPath) } catch {
            poison(journal.file)
            throw error
        }
        let isNamed = durability.withLock { $0.file === journal.file }
        // F15: a file whose name is lost is lost, whoever made it.
        if !isNamed {
            try DefaultsError.writing(files.location.path) { () throws(SystemError) in
                try SystemCalls.synchronizeFolder(files.folder)
            }
        }
        durability.withLock { durability in
            durability.file = journal.file
            durability.generation = present.generation
        }
    }

    /// Notes that nothing may be appended to a file of the journal any more.
    func poison(_ file: JournalFile) {
        durability.withLock { $0.poisoned = file }
        hasPoisoned.store(true, ordering: .releasing)
    }

    /// Whether a file of the journal cannot be trusted any more.
    func isPoisoned(_ file: JournalFile) -> Bool {
        hasPoisoned.load(ordering: .acquiring)
            && durability.withLock { $0.poisoned?.isFile(of: file) ?? false }
    }
}
