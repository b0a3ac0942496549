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
/// Where many listen, they need the processors after each ring for longer than a commit takes. So a ring that was dear
/// notes for how long the bell rests, and what is committed meanwhile, by any process, waits for one ring afterwards. It
/// also notes the last commit that was there when it began: all that listen look for records after it, and find that one,
/// so nobody needs to ring for it any more. For the proof, a writer whose ring is put off is a slow one; if it dies, its
/// lock file is closed.
///
/// Other reads of the lock file, as by the index, wake those who listen for nothing; they do not read the page, which is
/// mapped.
struct Bell: ~Copyable, Sendable {
    /// For how many commits a note counts.
    static let validity: UInt64 = 1_024
    /// A ring that takes longer than this, in nanoseconds, is made on another thread the next time: so many are woken by
    /// it that the caller would wait for them.
    private static let longest: UInt64 = 40_000
    /// A ring that takes this much of a processor, in nanoseconds, is dear: it wakes dozens.
    static let dear: UInt64 = 150_000
    /// What a dear ring takes beyond this, in nanoseconds, the bell rests for half as long again, when it is over.
    private static let bearable: UInt64 = 8_000_000
    /// How long the bell rests at most after a dear ring has begun, in nanoseconds.
    static let longestRest: UInt64 = 50_000_000

    /// One more than the generation before the first commit that nobody has been woken for; 0 if there is none.
    private let due = Atomic<UInt64>(0)
    /// The generation of the last commit of this process.
    private let last = Atomic<UInt64>(0)
    private let isLong = Atomic<Bool>(false)
    /// For how long the bell rests after the last ring, in nanoseconds.
    private let rest = Atomic<UInt64>(0)
    /// Whether another thread is going to ring.
    private let isPutOff = Atomic<Bool>(false)
    private let isPrepared = Atomic<Bool>(false)
    private let isRefused = Atomic<Bool>(false)

    /// Notes that something was committed, for the holder of the lock.
    ///
    /// When it has been written: a thread that finds an earlier commit due may ring at any time.
    ///
    /// - Parameters:
    ///   - generation: the one before.
    ///   - last: the present one.
    func noteCommit(after generation: UInt64, upTo last: UInt64) {
        // Written by the holder of the lock alone, so it is the last one's. Before the next step, in which this thread
        // may leave the ring to another: that one takes what is due first, and then reads this.
        _ = self.last.exchange(last, ordering: .acquiringAndReleasing)
        // If an earlier one is due still, whoever takes that rings after this.
        _ = due.compareExchange(expected: 0, desired: generation &+ 1, ordering: .acquiringAndReleasing)
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
        let begin = SystemCalls.monotonicNanoseconds
        try SystemCalls.show(lock)
        isLong.store(SystemCalls.monotonicNanoseconds - begin > Bell.longest, ordering: .relaxed)
    }

    /// Rings for many, and notes what it was for and how long the bell rests now.
    fileprivate func ringForMany(
        _ lock: borrowing Descriptor, dearFrom dear: UInt64
    ) throws(SystemError) {
        // F24: read before the ring. A later commit may have been made after somebody has looked for records.
        let reached = reached
        let begin = SystemCalls.monotonicNanoseconds
        let expected = rest.load(ordering: .relaxed)
        // Or others would ring at the same time.
        if expected > 0 { LockFile.noteRest(lock, until: begin + expected) }
        let used = SystemCalls.threadProcessorNanoseconds
        try ring(lock)
        let isDear = SystemCalls.threadProcessorNanoseconds - used >= dear
        // By the clock: those who are woken mostly have the processors first, so it is their time too.
        let time = SystemCalls.monotonicNanoseconds - begin
        let excess = time - min(time, Bell.bearable)
        let rest = isDear ? min(time + excess / 2, Bell.longestRest) : 0
        self.rest.store(rest, ordering: .relaxed)
        if rest > 0 { LockFile.noteRing(lock, upTo: reached, restingUntil: begin + rest) }
    }

    /// Notes that another thread is going to ring.
    ///
    /// - Returns: false if one is already, which then does so for all that has been committed by now.
    func putOff() -> Bool { !isPutOff.exchange(true, ordering: .acquiringAndReleasing) }

    /// Notes that the caller is that thread, and that it has begun.
    func takeUp() { _ = isPutOff.exchange(false, ordering: .acquiringAndReleasing) }

    /// The generation of the last commit of this process.
    ///
    /// In an operation that writes: whoever commits after it finds that what was due has been taken, and rings.
    fileprivate var reached: UInt64 { last.bitwiseOr(0, ordering: .acquiringAndReleasing).newValue }

    /// Whether the last ring took long.
    fileprivate var takesLong: Bool { isLong.load(ordering: .relaxed) }

    /// Whether a note could be left so far.
    fileprivate var canBeHeard: Bool { !isRefused.load(ordering: .relaxed) }

    /// Has this process watch the journal instead.
    func refuse() { isRefused.store(true, ordering: .relaxed) }
}

extension SuiteFiles {
    /// Whether this process can say that it listens, and so is woken by the bell.
    ///
    /// One that may not write the lock file watches the journal instead.
    var hasBell: Bool {
        guard let page, lock != nil else { return false }
        return LockFile.isKnown(page) && bell.canBeHeard
    }

    /// Notes that a process listens, unless there is a fresh note; before it looks for records.
    ///
    /// - Returns: whether there is one now.
    func noteListener() -> Bool {
        guard let page, hasBell else { return false }
        var tries = 0
        while !page.hasRecentListener {
            tries += 1
            guard tries < 10, noteListener(at: page.number) else {
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
        return bell.canBeHeard
    }

    private func noteListener(at generation: UInt64) -> Bool {
        switch lock {
        case .some(let lock):
            do { try LockFile.noteListener(lock, at: generation) } catch { return false }
            return true
        case .none: return false
        }
    }

    /// Has an errand done after each ring that a body takes note of.
    ///
    /// - Throws: if the system has no watch to give, or there is no lock file, and so no bell.
    func watchBell(
        _ errand: Errand, notes: @escaping @Sendable () -> Bool
    ) throws(SystemError) -> EventLoop.Watch {
        switch lock {
        case .some(let lock):
            try EventLoop.shared.watch(lock, for: .reading, in: place, errand) { _ in notes() }
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

    /// Wakes all who listen, who are many, and has the bell rest for a while.
    ///
    /// - Parameter dear: what a ring costs at least that is noted, and after which the bell rests.
    /// - Throws: the same.
    func ringForMany(dearFrom dear: UInt64 = Bell.dear) throws(SystemError) {
        switch lock {
        case .some(let lock): try bell.ringForMany(lock, dearFrom: dear)
        case .none: break
        }
    }

    /// Whether a ring would keep its caller for long, or come too soon after another one.
    var isRingDear: Bool { bell.takesLong || restOfBell != nil }

    /// How long the bell still rests, in milliseconds; nil if it does not.
    var restOfBell: UInt64? {
        guard let left = page?.restOfBell else { return nil }
        return left / 1_000_000 + 1
    }

    /// Whether somebody has woken all who listen since the last commit of this process.
    var isRungFor: Bool { page?.isRung(for: bell.reached) ?? false }
}

extension LockFile {
    /// Notes that a process listens, and at which generation.
    fileprivate static func noteListener(
        _ file: borrowing Descriptor, at generation: UInt64
    ) throws(SystemError) {
        // A generation that was set back by hand may stand behind the one that was rung for, which is forgotten here.
        try SystemCalls.write(
            numbers: ((generation + 1).littleEndian, UInt64(0)), to: file, at: MappedPage.listenerPlace)
    }

    /// Notes until when the bell rests.
    fileprivate static func noteRest(_ file: borrowing Descriptor, until time: UInt64) {
        do { try SystemCalls.write(numbers: time.littleEndian, to: file, at: MappedPage.restPlace) } catch {
            // The only consequence is that others ring too.
            return
        }
    }

    /// Notes that all who listen have been woken since a generation's record was there, and until when the bell rests.
    fileprivate static func noteRing(
        _ file: borrowing Descriptor, upTo generation: UInt64, restingUntil time: UInt64
    ) {
        let numbers = ((generation + 1).littleEndian, time.littleEndian)
        do { try SystemCalls.write(numbers: numbers, to: file, at: MappedPage.rungPlace) } catch {
            // The same.
            return
        }
    }
}

extension MappedPage {
    fileprivate static let listenerPlace = 40
    fileprivate static let rungPlace = 48
    fileprivate static let restPlace = 56

    /// Whether a process listened, as far as a writer can tell that found a generation before its commit.
    ///
    /// A note of a later generation counts, whatever has set the generation back.
    fileprivate func hasListener(at generation: UInt64) -> Bool {
        let noted = number(at: MappedPage.listenerPlace)
        return noted > generation || noted != 0 && generation - (noted - 1) < Bell.validity
    }

    /// Whether the note that a process listens need not be renewed yet.
    var hasRecentListener: Bool {
        let noted = number(at: MappedPage.listenerPlace)
        // One more than a generation; a note of a later generation than the present one is renewed, too.
        return noted != 0 && number &- (noted - 1) < Bell.validity / 2
    }

    /// Whether all who listen have been woken since a generation's record was there.
    fileprivate func isRung(for generation: UInt64) -> Bool {
        let noted = number(at: MappedPage.rungPlace)
        // One more than a generation; one that has not come yet was noted before the generation was set back.
        return noted > generation && noted <= number + 1
    }

    /// How long the bell still rests, in nanoseconds; nil if it does not.
    fileprivate var restOfBell: UInt64? {
        let end = number(at: MappedPage.restPlace)
        // Most bells never rest, and need no look at the time.
        guard end > 0 else { return nil }
        let time = SystemCalls.monotonicNanoseconds
        // A time beyond that is another one's, such as of before the machine was started.
        guard end > time, end - time <= Bell.longestRest else { return nil }
        return end - time
    }
}
