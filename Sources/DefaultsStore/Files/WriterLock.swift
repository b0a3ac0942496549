import Synchronization

/// The lock that one writer among all processes holds at a time: `flock` on the lock file (L3 in
/// Concurrency.md).
///
/// It disappears with its process, so there are no stale locks, and process ids play no part.
enum WriterLock {
    /// How long a writer waits in total, in milliseconds.
    static let limit: UInt64 = 5_000
    /// How often a writer tries again at once before it rests: about as long as a set takes, and less than any rest,
    /// which the kernel lengthens by its timer slack.
    static let spins = 20

    /// Waits for the lock without ever blocking in the kernel, so that the wait has a limit.
    ///
    /// The process that has waited longest goes first: it leaves a note in the lock file, and the others do not try
    /// while that note is fresh, except the process whose turn it is. Otherwise a process that has just released the
    /// lock would take it again before any of those that rest between two tries.
    ///
    /// - Parameters:
    ///   - page: the mapped lock file; nil if it is not mapped yet, or never. Then nobody leaves a note: it would be
    ///     written without the lock, and a network file system may write the bytes around it once more, such as the
    ///     generation as it was.
    ///   - turn: the process's own.
    ///   - takesTurn: whether the turn counts, and a wait begins one.
    ///   - meanwhile: what there is to do while others hold the lock.
    /// - Cost: one system call if nobody waits.
    /// - Throws: `.lockTimeout` at the deadline; nothing was changed.
    static func wait(
        for file: borrowing Descriptor, _ page: MappedPage?, until deadline: Deadline,
        _ path: @autoclosure () -> String, turn: borrowing TimeSlice = TimeSlice(),
        takesTurn: Bool = true, meanwhile: () -> Void = {}
    ) throws(DefaultsError) {
        var tries = 0
        if page?.waiter == nil || takesTurn && turn.isOn {
            // Usually it is free, and the time does not matter.
            if try tryLock(file, path()) { return }
            tries += 1
            _ = SystemCalls.tryYield()
        }
        let since = SystemCalls.monotonicNanoseconds
        var (isNoted, hasRested) = (false, false)
        while true {
            let waiter = page?.waiter
            let isFirst = waiter?.comesBefore(since) != true
            if isFirst {
                if try tryLock(file, path()) { break }
                tries += 1
                // If others rest already, there are more than two processes: trying hard would keep the lock holder
                // from its work.
                if waiter == nil, tries <= spins {
                    if !deadline.hasPassed { meanwhile() }
                    if SystemCalls.tryYield() { continue }
                }
            }
            // Checked before the note is left: who does not wait any longer keeps nobody back.
            guard !deadline.hasPassed else {
                if isNoted, page?.waiter?.since == since { forgetWaiting(file, path()) }
                throw DefaultsError(.lockTimeout, path: path())
            }
            if isFirst, page != nil {  // F20
                try LockFile.markWaiting(file, since: since, path())
                isNoted = true
            }
            hasRested = true
            SystemCalls.pause(nanoseconds: isFirst ? rest(since: since) : longestRest)
            meanwhile()
        }
        // A dead process's note alone is no wait, and begins no turn.
        if takesTurn, tries > 0 || hasRested { turn.begin() }
        if isNoted { forgetWaiting(file, path()) }
    }

    /// Takes the note of a wait that is over away.
    ///
    /// A failure is not told: the lock is held, and would not be released after an error, or there is another failure to
    /// tell of; and a note that stays is soon ignored.
    private static func forgetWaiting(_ file: borrowing Descriptor, _ path: @autoclosure () -> String) {
        do { try LockFile.markWaiting(file, since: 0, path()) } catch { return }
    }

    /// Returns how long the first in line rests: a small part of what it has waited, because nobody works meanwhile.
    private static func rest(since: UInt64) -> UInt64 {
        min((SystemCalls.monotonicNanoseconds - since) / 16, longestRestOfFirst)
    }

    /// In nanoseconds.
    private static let longestRest: UInt64 = 500_000
    private static let longestRestOfFirst: UInt64 = 100_000

    private static func tryLock(
        _ file: borrowing Descriptor, _ path: @autoclosure () -> String
    ) throws(DefaultsError) -> Bool {
        return try DefaultsError.writing(path(), SystemCalls.tryLock(file))
    }
}

/// F9: the proof that this write session holds the writer's lock; what needs the lock takes it as an argument.
struct HeldWriterLock: ~Copyable, Sendable {
    let files: SuiteFiles
    private let raised = RaisedGeneration()

    /// Waits for the lock of these files.
    ///
    /// - Parameters:
    ///   - takesTurn: whether the process may go before others who wait, if it is its turn.
    ///   - meanwhile: what there is to do while others hold the lock.
    /// - Returns: nil if the lock file was replaced in the meantime: the caller has to open the files again.
    static func acquire(
        _ files: SuiteFiles, until deadline: Deadline, takesTurn: Bool = true, meanwhile: () -> Void = {}
    ) throws(DefaultsError) -> HeldWriterLock? {
        guard files.lock != nil else { throw DefaultsError(.readOnly, path: files.location.lockPath) }
        // Who waits leaves a note in the file, which of a newer format may mean something else.
        if let page = files.page, !LockFile.isKnown(page) {
            guard files.isCurrent() else { return nil }
            try files.withLock { (lock) throws(DefaultsError) in
                try LockFile.checkVersion(lock, page, files.location.lockPath)
            }
        }
        do throws(DefaultsError) {
            try files.withLock { (lock) throws(DefaultsError) in
                try WriterLock.wait(
                    for: lock, files.page, until: deadline, files.location.lockPath, turn: files.turn,
                    takesTurn: takesTurn, meanwhile: meanwhile)
            }
        } catch {
            // Another machine has removed it.
            guard error.systemError?.isStale == true, !files.isCurrent() else { throw error }
            return nil
        }
        let held = HeldWriterLock(files: files)
        guard files.isCurrent() else { return nil }
        try files.withLock { (lock) throws(DefaultsError) in
            try LockFile.checkVersion(lock, files.page, files.location.lockPath)
        }
        return held
    }

    /// Raises the generation before anything else is written (F4).
    ///
    /// - Throws: also if the generation would not count any more, so that no record has one that nobody reads.
    func raise(to generation: UInt64) throws(DefaultsError) {
        guard generation <= LockFile.greatestGeneration else {
            throw DefaultsError(
                .ioFailure, path: files.location.lockPath,
                underlyingDescription:
                    "its generation or the journal's is damaged; end the programs that use the suite, then "
                    + "move both files away, and they are made anew")
        }
        // Even if it fails half way.
        if let page = files.page { raised.recordRise(from: page.number) }
        try files.withLock { (lock) throws(DefaultsError) in
            try LockFile.raise(lock, to: generation, files.location.lockPath)
        }
    }

    /// - Throws: also if it is one that counting never reaches, and that could not be raised.
    func generation() throws(DefaultsError) -> UInt64 {
        let generation = try files.generation()
        guard generation <= LockFile.greatestGeneration else {
            throw DefaultsError(
                .ioFailure, path: files.location.lockPath,
                underlyingDescription: "its generation is damaged; remove the file, and it is made anew")
        }
        return generation
    }

    // If unlocking fails, the lock is released with the descriptor at the latest; the write itself is done.
    deinit {
        // A forked child has a copy of the proof, but the lock is its parent's.
        guard !Fork.isRefused else { return }
        // F24: when everything has been written that others are to be woken for.
        if let before = raised.before {
            files.bell.recordCommit(after: before)
        }
        do {
            try files.withLock { (lock) throws(SystemError) in
                try SystemCalls.unlock(lock)
            }
        } catch {
            SystemCalls.writeToStandardError(
                "TypedDefaults: a writer's lock could not be given back: \(error)")
        }
    }
}

/// The generation before the first rise in a session.
private struct RaisedGeneration: ~Copyable, Sendable {
    /// One more than it; 0 if there was no rise.
    private let number = Atomic<UInt64>(0)

    var before: UInt64? {
        let number = number.load(ordering: .relaxed)
        return number == 0 ? nil : number - 1
    }

    func recordRise(from generation: UInt64) {
        if number.load(ordering: .relaxed) == 0 { number.store(generation &+ 1, ordering: .relaxed) }
    }
}

/// How long a process that has waited for the writer's lock may take it again and again although others wait.
///
/// Handing the lock over takes as long as several sets: the next process has to wake up, and nobody works meanwhile.
/// So processes that write without pause take turns. A process that has not waited has no turn: one that writes all
/// day lets the first other one go before it.
struct TimeSlice: ~Copyable, Sendable {
    /// In nanoseconds; a waiting process endures as many turns as there are others.
    static let length: UInt64 = 3_000_000

    private let end = Atomic<UInt64>(0)

    /// By the clock and not by a count, because what is done under the lock may take long.
    var isOn: Bool {
        let end = end.load(ordering: .relaxed)
        return end != 0 && SystemCalls.monotonicNanoseconds < end
    }

    /// Whether there has been a turn: then this is not the first time that the process had to wait.
    var hasBegun: Bool { end.load(ordering: .relaxed) != 0 }

    /// Begins a turn, after the process has waited for the lock and taken it.
    func begin() { end.store(SystemCalls.monotonicNanoseconds + TimeSlice.length, ordering: .relaxed) }
}
