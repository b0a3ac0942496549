/// The lock that one writer of all processes holds at a time: `flock` on the lock file.
///
/// It goes with its process, so there are no stale ones, and no process id is ever looked at.
enum WriterLock {
    /// How long a writer waits in all, in milliseconds.
    static let limit: UInt64 = 5_000

    /// How long a note of somebody who waits is good for: longer than two looks are apart.
    private static let patience: UInt64 = 5_000_000
    /// The longest rest between two looks at the lock.
    private static let longestRest: UInt64 = 1_000_000

    /// Waits for the lock without ever blocking in the kernel, so that the wait has an end.
    ///
    /// - Throws: `.lockTimeout` at the deadline; nothing was changed.
    static func wait(
        for file: borrowing Descriptor, until deadline: Deadline, _ path: String
    ) throws(DefaultsError) {
        var rest: UInt64 = 50_000
        while true {
            if try DefaultsError.writing(path, { () throws(SystemError) in try SystemCalls.tryLock(file) }) {
                return
            }
            guard !deadline.hasPassed else { throw DefaultsError(.lockTimeout, path: path) }
            try LockFile.noteWaiting(file, path)
            SystemCalls.pause(nanoseconds: rest)
            rest = min(rest * 2, longestRest)
        }
    }

    /// Lets another process that waits for the lock have it first.
    ///
    /// Whoever has just given the lock back would otherwise take it again before any that looks once a millisecond.
    /// It stands aside until somebody else has begun a commit, or the note has become old: its writer may be gone.
    ///
    /// - Cost: two loads where nobody waits.
    static func yield(to page: MappedPage, until deadline: Deadline) {
        let begun = page.number
        guard page.process == SystemCalls.processID else { return }
        while let waiter = page.waiter, waiter.process != SystemCalls.processID, page.number == begun,
            SystemCalls.monotonicNanoseconds &- waiter.since < patience, !deadline.hasPassed
        {
            SystemCalls.pause(nanoseconds: 100_000)
        }
    }
}

/// F9: the proof that this visit to the store holds the writer's lock; what needs the lock takes it as an argument.
struct HeldWriterLock: ~Copyable, Sendable {
    /// The files the lock belongs to.
    let files: SuiteFiles

    /// Waits for the lock of these files.
    ///
    /// - Returns: nil when the lock file was replaced meanwhile: the caller has to open the files anew.
    static func acquire(_ files: SuiteFiles, until deadline: Deadline) throws(DefaultsError)
        -> HeldWriterLock?
    {
        let path = files.location.path(of: files.location.lock)
        guard files.lock != nil else { throw DefaultsError(.readOnly, path: path) }
        if let page = files.page { WriterLock.yield(to: page, until: deadline) }
        try withLockFile(files) { (lock) throws(DefaultsError) in
            try WriterLock.wait(for: lock, until: deadline, path)
        }
        let held = HeldWriterLock(files: files)
        guard files.isCurrent() else { return nil }
        try withLockFile(files) { (lock) throws(DefaultsError) in try LockFile.checkVersion(lock, path) }
        return held
    }

    /// Raises the generation before anything else is written (F4).
    func raise(to generation: UInt64) throws(DefaultsError) {
        let path = files.location.path(of: files.location.lock)
        try HeldWriterLock.withLockFile(files) { (lock) throws(DefaultsError) in
            try LockFile.raise(lock, to: generation, path)
        }
    }

    // A refused unlock leaves a lock that goes with the descriptor at the latest; the write itself is done.
    deinit {
        do {
            try HeldWriterLock.withLockFile(files) { (lock) throws(SystemError) in
                try SystemCalls.unlock(lock)
            }
        } catch {
            SystemCalls.writeToStandardError(
                "TypedDefaults: a writer's lock could not be given back: \(error)")
        }
    }

    private static func withLockFile<Failure: Error>(
        _ files: SuiteFiles, _ body: (borrowing Descriptor) throws(Failure) -> Void
    ) throws(Failure) {
        switch files.lock {
        case .some(let lock): try body(lock)
        case .none: break
        }
    }
}
