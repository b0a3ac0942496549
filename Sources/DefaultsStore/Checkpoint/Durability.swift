import Synchronization

/// Waits until acknowledged writes survive power loss: how far the journal is durable, and which journal file cannot be
/// trusted.
struct Durability: Sendable {
    fileprivate struct State {
        /// The journal file whose name is durable too.
        var file: JournalFile?
        var generation: UInt64 = 0
        /// A file that the kernel refused to sync or to truncate: nothing is appended to it any more.
        var poisoned: JournalFile?
    }

    fileprivate let store: SettingsStore

    /// Whether a thread has waited for the disk, which makes a reserve worth its cost (F17).
    var isAwaited: Bool { store.durabilityState.hasWaited.load(ordering: .relaxed) }

    /// How long a thread waits for another thread's sync, in milliseconds.
    static let limit: UInt64 = 60_000

    /// Whether all acknowledged writes are durable already.
    var isUpToDate: Bool {
        get throws(DefaultsError) {
            let wanted = try store.state()
            return wanted.journal?.hasRecords != true || isDurable(wanted)
        }
    }

    /// Waits until all acknowledged writes are durable.
    ///
    /// - Parameter deadline: until when it waits for threads that wait for the disk; nil for a minute from now.
    /// - Cost: one `fdatasync`, shared by all threads that wait at the same time; none if the journal is empty.
    /// - Throws: `.ioFailure`, `.diskFull`: it is not known whether they are durable; further calls throw as well until the
    ///   journal has been replaced by a durable file. `.lockTimeout` at once inside a session of the caller's own, which
    ///   would keep all writers waiting for the disk.
    func synchronize(until deadline: Deadline? = nil) throws(DefaultsError) {
        guard let location = store.location else { return }
        try store.writer.refuseInsideSession()
        let deadline = deadline ?? .after(milliseconds: Durability.limit)
        repeat {
            let wanted = try store.state()
            guard wanted.journal?.hasRecords == true else { return }
            // A thread that waits before this one may wait for this thread's writes too.
            let outcome = store.durabilityState.waiting.begin(until: deadline) { isDurable(wanted) }
            switch outcome {
            case .done: return
            case .late: throw DefaultsError(.lockTimeout, path: location.path)
            case .mine: if try trySynchronizeJournal(of: wanted) { return }
            }
            // With no lock held, because it may report failures. What it puts in the journal's place is durable; what
            // somebody else has put there may not be.
            try replacePoisonedJournal(until: deadline)
        } while !deadline.hasPassed
        throw DefaultsError(.lockTimeout, path: location.path)
    }

    private func isDurable(_ wanted: StoreSnapshot) -> Bool {
        store.durabilityState.state.withLock { state in
            state.file != nil && state.file === wanted.journal?.file && state.generation >= wanted.generation
        }
    }

    /// Synchronizes the journal, and unlocks.
    ///
    /// Nothing is loaded or reported meanwhile: that may run user code, which may wait for this lock.
    ///
    /// - Parameter wanted: a state that is to be durable.
    /// - Returns: false if the journal cannot be trusted and has to be replaced.
    private func trySynchronizeJournal(of wanted: StoreSnapshot) throws(DefaultsError) -> Bool {
        defer { store.durabilityState.waiting.end() }
        // A process that waits once usually waits again.
        store.durabilityState.hasWaited.store(true, ordering: .relaxed)
        // Where many wait, most of those that were just woken write again at once: they share this wait.
        if store.durabilityState.waiting.takeWasShared() { SystemCalls.yield() }
        // What others wait for has been published, unless a commit of this process is under way. Generations of two
        // lock files cannot be compared.
        let latest = store.latest
        let isLater = latest.files === wanted.files && latest.generation >= wanted.generation
        let present = isLater ? latest : wanted
        guard let journal = present.journal, let files = present.files, journal.hasRecords else {
            return true
        }
        guard !isPoisoned(journal.file) else { return false }
        try synchronizeRecords(in: journal.file, files.location.journalPath)
        // Somebody may have removed it: what is durable without a name is lost with this process.
        let isInPlace = try DefaultsError.reading(files.location.journalPath) { () throws(SystemError) in
            try Journal.isInPlace(journal, files)
        }
        guard isInPlace else {
            // It is replaced like one that cannot be trusted, unless somebody else has done so.
            poison(journal.file)
            return false
        }
        let isNamed = store.durabilityState.state.withLock { $0.file === journal.file }
        // F15: a file whose name is lost is lost, no matter who made it.
        if !isNamed {
            try DefaultsError.writing(files.location.path) { () throws(SystemError) in
                try SystemCalls.synchronizeFolder(files.folder)
            }
        }
        // Another journal's file is closed with its last reference, which may take its time, so it leaves the lock.
        let old = store.durabilityState.state.withLock { state in
            let old = state.file
            state.file = journal.file
            state.generation = present.generation
            return old
        }
        withExtendedLifetime(old) {}
        return true
    }

    /// Replaces a poisoned journal by a durable file.
    private func replacePoisonedJournal(until deadline: Deadline) throws(DefaultsError) {
        try store.writer.withSession(until: deadline.within(milliseconds: WriterLock.limit)) {
            (session) throws(DefaultsError) in
            guard let present = session.base.journal, isPoisoned(present.file) else { return }
            try store.writer.replaceJournal(&session)
        }
    }

    /// Waits until the records in a journal file are durable.
    ///
    /// - Parameter path: what an error names.
    /// - Throws: `.ioFailure`, `.diskFull`; the file cannot be trusted any more then.
    func synchronizeRecords(in file: JournalFile, _ path: String) throws(DefaultsError) {
        do { try Journal.synchronize(file, path) } catch {
            poison(file)
            throw error
        }
    }

    /// Continues with the durable journal that has replaced a poisoned one.
    func begin(with journal: JournalState) {
        store.durabilityState.state.exchange(State(file: journal.file, generation: journal.generation))
    }

    /// Nothing is appended to the file any more.
    func poison(_ file: JournalFile) {
        let old = store.durabilityState.state.withLock { state in
            let old = state.poisoned
            state.poisoned = file
            return old
        }
        withExtendedLifetime(old) {}
        store.durabilityState.hasPoisoned.store(true, ordering: .releasing)
    }

    func isPoisoned(_ file: JournalFile) -> Bool {
        store.durabilityState.hasPoisoned.load(ordering: .acquiring)
            && store.durabilityState.state.withLock { $0.poisoned?.isFile(of: file) ?? false }
    }
}

/// What a store's ``Durability`` remembers.
///
/// The ``Durability`` itself is a value, made for each use. It holds the store, which so outlives the call.
final class DurabilityState: Sendable {
    // Lock L1b: one wait for the journal's disk at a time; may take L7.
    fileprivate let waiting = SharedWork()
    fileprivate let state = Locked(Durability.State())  // A leaf.
    fileprivate let hasPoisoned = Atomic<Bool>(false)
    fileprivate let hasWaited = Atomic<Bool>(false)
}

extension SettingsStore {
    var durability: Durability { Durability(store: self) }
}
