import Synchronization

/// How a process that has written wakes those that listen, after it has given the lock back (F24).
///
/// Who listens has the kernel tell of every read of the lock file, and notes in its page that somebody listens. Who has
/// raised the generation looks at that note once the lock is free again, and rings if it is fresh: it reads one byte of
/// the lock file. So nobody is woken while the lock is held, and a suite that nobody listens to costs its writers one
/// look at the page.
///
/// The note is the generation at which it was made, and counts for the next ``validity`` commits. Nobody takes it away: who
/// listens renews it when half of them have passed, and a note that outlives its process costs the writers some rings.
///
/// Proof that nobody sleeps through a commit. Who listens makes sure that the note is fresh, and then looks for records;
/// who commits appends the record, and then looks at the note. So either the record was there when the listener looked, or
/// the writer saw the note, and rings. Each ring has the listener look at the note again, and it has hundreds of them to do
/// so.
///
/// - A listener that is stopped between reading the generation and writing the note may put an old one over a fresh one.
///   It finds that when it looks at the note once more, renews it, and rings for those who wrote meanwhile.
/// - Whoever dies before it rings closes the lock file, of which the kernel tells all who watch the folder.
/// - A writer that is stopped before it rings, with the lock free, is made up for by the next one.
///
/// Other reads of the lock file wake those who listen for nothing; they do not read the page, which is mapped.
struct Doorbell: ~Copyable, Sendable {
    /// For how many commits a note is valid.
    static let validity: UInt64 = 1_024

    /// One more than the generation before the first commit that nobody has been woken for; 0 if there is none.
    private let due = Atomic<UInt64>(0)
    private let isPrepared = Atomic<Bool>(false)
    private let isRefused = Atomic<Bool>(false)

    /// Records that something was committed, for the holder of the lock.
    ///
    /// When it has been written: a thread that finds an earlier commit due may ring at any time.
    ///
    /// - Parameter generation: the one before.
    func recordCommit(after generation: UInt64) {
        // If an earlier one is due still, whoever takes that rings after this. This writes `due` all the same, so that
        // the record is before it for whoever takes that.
        var known: UInt64 = 0
        while true {
            let outcome = due.compareExchange(
                expected: known, desired: known == 0 ? generation &+ 1 : known,
                ordering: .acquiringAndReleasing)
            if outcome.exchanged { return }
            known = outcome.original
        }
    }

    /// Whether something was committed since the last time that this was asked, while somebody listened.
    fileprivate func isToRing(by page: MappedPage) -> Bool {
        guard due.load(ordering: .relaxed) != 0 else { return false }
        let before = due.exchange(0, ordering: .acquiringAndReleasing)
        // F24: and the records before the look at the note.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return before != 0 && page.hasListener(at: before - 1)
    }

    fileprivate func ring(_ lock: borrowing Descriptor) throws(SystemError) {
        // The read need not give the file another time.
        if !isPrepared.exchange(true, ordering: .relaxed) { SystemCalls.keepAccessTime(lock) }
        try SystemCalls.show(lock)
    }

    /// Whether a note could be left so far.
    fileprivate var isUsable: Bool { !isRefused.load(ordering: .relaxed) }

    /// This process watches the journal instead.
    func refuse() { isRefused.store(true, ordering: .relaxed) }
}

extension SuiteFiles {
    /// Whether this process can say that it listens, and so is woken by the bell.
    ///
    /// One that may not write the lock file watches the journal instead.
    var hasDoorbell: Bool {
        guard let page, lock != nil else { return false }
        return LockFile.isKnown(page) && bell.isUsable
    }

    /// Records that a process listens, unless there is a fresh note; before it looks for records.
    ///
    /// - Returns: whether there is one now.
    func markListener() -> Bool {
        guard let page, hasDoorbell else { return false }
        var tries = 0
        while !page.hasRecentListener {
            tries += 1
            guard tries < 10, markListener(at: page.number) else {
                bell.refuse()
                break
            }
        }
        // An old note of this process may have stood in the place of a newer one.
        if tries > 1 {
            do { try ring() } catch { bell.refuse() }
        }
        // F24: the note comes before the look for records to all processors; see Protocol.md.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return bell.isUsable
    }

    private func markListener(at generation: UInt64) -> Bool {
        switch lock {
        case .some(let lock):
            do { try LockFile.markListener(lock, at: generation) } catch { return false }
            return true
        case .none: return false
        }
    }

    /// Has some work done after each ring that a body takes note of.
    ///
    /// - Throws: if the system has no watch to give, or there is no lock file, and so no bell.
    func watchDoorbell(
        _ work: CoalescedWork, notes: @escaping @Sendable () -> Bool
    ) throws(SystemError) -> EventLoop.Watch {
        switch lock {
        case .some(let lock):
            try EventLoop.shared.watch(lock, for: .reading, on: resource, work) { _ in notes() }
        case .none: throw .missing(for: "inotify_add_watch")
        }
    }

    /// Whether something was committed since the last time that this was asked, and somebody listens.
    var isToRing: Bool { page.map { bell.isToRing(by: $0) } ?? false }

    /// Wakes all who listen.
    ///
    /// - Throws: what kept the lock file from being read; who listens hears of it at the next commit, or when this
    ///   process ends.
    func ring() throws(SystemError) {
        switch lock {
        case .some(let lock): try bell.ring(lock)
        case .none: break
        }
    }
}

extension LockFile {
    /// Records that a process listens, and at which generation.
    fileprivate static func markListener(
        _ file: borrowing Descriptor, at generation: UInt64
    ) throws(SystemError) {
        // Sixteen bytes, which no system copies byte by byte.
        try SystemCalls.write(
            numbers: ((generation + 1).littleEndian, UInt64(0)), to: file, at: MappedPage.listenerPlace)
    }
}

extension MappedPage {
    fileprivate static let listenerPlace = 40

    /// Whether a process listened, as far as a writer can tell that found a generation before its commit.
    ///
    /// A note of a later generation counts, whatever has set the generation back.
    fileprivate func hasListener(at generation: UInt64) -> Bool {
        let marked = number(at: MappedPage.listenerPlace)
        return marked > generation || marked != 0 && generation - (marked - 1) < Doorbell.validity
    }

    /// Whether the note that a process listens need not be renewed yet.
    var hasRecentListener: Bool {
        let marked = number(at: MappedPage.listenerPlace)
        // One more than a generation; a note of a later generation than the present one is renewed, too.
        return marked != 0 && number &- (marked - 1) < Doorbell.validity / 2
    }
}
