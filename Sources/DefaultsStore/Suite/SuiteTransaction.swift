/// Transactions: a visit through the gate whose changes rest on what it has read.
extension SuiteStore {
    /// Joins the caller's own open transaction, or waits for the gate and the writer's lock and loads the state.
    ///
    /// - Throws: `.lockTimeout` after five seconds in all, `.readOnly`, `.newerFormat`, `.insecureDirectory`, `.io`.
    ///   Nothing was changed.
    package func begin() throws(DefaultsError) -> OpenTransaction {
        if let joined = joined() {
            joined.depth += 1
            return joined
        }
        let deadline = Deadline.after(milliseconds: WriterLock.limit)
        guard gate.close(until: deadline) else { throw DefaultsError(.lockTimeout, path: location?.path) }
        let me = Visitor.current
        beginVisit(as: me)
        do {
            let transaction = OpenTransaction(
                self, visitor: me, try enter(until: deadline, looks: true))
            visit.withLock { $0?.transaction = transaction }
            return transaction
        } catch {
            endVisit().forEach { $0() }
            throw error
        }
    }

    /// Stages a change in a transaction.
    package func stage(_ value: StoredValue?, forKey key: KeyName, in transaction: OpenTransaction) {
        freshness.setStaged(true)
        transaction.changes.set(value, forKey: key)
    }

    /// Refuses to go on with what a parent of this process has begun: the lock and the commit are the parent's.
    package func checkIsOwn() throws(DefaultsError) {
        guard isInherited else { return }
        throw DefaultsError(
            .lostAccess, path: location?.path,
            underlyingDescription: "the process was forked in the middle; only its parent can commit this")
    }

    /// Takes staged changes back to what they were.
    package func rollBack(_ transaction: OpenTransaction, to changes: StagedChanges) {
        transaction.changes = changes
    }

    /// Has what is read from now on noted: past the caches, until the transaction ends.
    package func noteReads() { if location != nil { freshness.setStaged(true) } }

    /// Leaves a transaction; the outermost use commits it, gives the locks back and delivers the events.
    ///
    /// - Throws: what the commit threw; nothing of the transaction is stored then.
    package func end(_ transaction: OpenTransaction) throws(DefaultsError) {
        transaction.depth -= 1
        try checkIsOwn()
        guard transaction.depth == 0 else { return }
        let me = Visitor.current
        visit.withLock { visit in
            visit?.visitor = me
            visit?.transaction = nil
        }
        if transaction.visitor.thread != me.thread {
            report(DefaultsError(.suspendedAccess, path: location?.path))
        }
        let request = WriteRequest(transaction.changes)
        commit(WriteGroup(request), &transaction.footing)
        freshness.setStaged(false)
        transaction.footing.lock = nil
        leaveVisit(endVisit())
        try finish(request)
    }

    /// Runs a body under the gate and the writer's lock, on the present state; it may not run a person's code.
    ///
    /// - Parameters:
    ///   - looks: whether the settings file is looked at, too.
    ///   - remakes: whether files that somebody has taken away are made again.
    ///   - takesTurn: whether it may go before others who wait, where it is this process's turn.
    /// - Throws: `.lockTimeout` at the deadline, and what the body throws.
    func withVisit(
        until deadline: Deadline, looks: Bool = true, remakes: Bool = true, takesTurn: Bool = true,
        _ body: (inout WriteContext) throws(DefaultsError) -> Void
    ) throws(DefaultsError) {
        guard gate.close(until: deadline) else { throw DefaultsError(.lockTimeout, path: location?.path) }
        beginVisit(as: .duringCall)
        let outcome: Result<Void, DefaultsError>
        do {
            var visit = try enter(
                until: deadline, looks: looks, remakes: remakes, takesTurn: takesTurn)
            try body(&visit)
            visit.lock = nil
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        let told = endVisit()
        catchUpOnNotices()
        told.forEach { $0() }
        try outcome.get()
    }

    /// Takes the writer's lock and makes sure that the state the visit rests on is the present one.
    ///
    /// - Parameters:
    ///   - looks: whether the settings file is looked at, too, for a save that no notice has told of yet: not needed by
    ///     changes that rest on nothing.
    ///   - remakes: whether files that somebody has taken away are made again.
    ///   - takesTurn: whether it may go before others who wait, where it is this process's turn.
    func enter(
        until deadline: Deadline, looks: Bool, remakes: Bool = true, takesTurn: Bool = true
    ) throws(DefaultsError) -> WriteContext {
        guard location != nil else { return WriteContext(base: try state(), lock: nil, isRead: looks) }
        var base = published.load()
        let lock = try lockPresentState(
            &base, until: deadline, looks: looks, remakes: remakes, takesTurn: takesTurn)
        return WriteContext(base: base, lock: lock, isRead: looks, remakes: remakes, takesTurn: takesTurn)
    }

    /// Takes the lock of the files that are there now in place of one that keeps nobody out any more.
    func relock(_ visit: inout WriteContext) throws(DefaultsError) {
        visit.lock = nil
        visit.lock = try lockPresentState(
            &visit.base, until: .after(milliseconds: WriterLock.limit), looks: true, remakes: visit.remakes,
            takesTurn: visit.takesTurn)
    }

    /// Takes the writer's lock of the files that are there now, and loads what they say.
    private func lockPresentState(
        _ base: inout SuiteSnapshot, until deadline: Deadline, looks: Bool, remakes: Bool, takesTurn: Bool
    ) throws(DefaultsError) -> HeldWriterLock {
        if !published.isPresent(base) { base = published.load() }
        while true {
            let files = try writableFiles(base, remakes)
            let held = try HeldWriterLock.acquire(
                files, until: deadline, takesTurn: takesTurn, meanwhile: { keepUp() })
            if let lock = held {
                let isCleared = try files.clearLeftovers(holding: lock)
                if !published.isPresent(base) { base = published.load() }
                if looks || isCleared || !isPresent(base, isLocked: true) || base.isDamaged {
                    base = try presentState()
                }
                if base.files === files { return lock }
            } else {
                try reopenFiles(remakes)
            }
            // Somebody takes the files away as fast as they are made.
            base = published.load()
            guard !deadline.hasPassed else { throw DefaultsError(.lockTimeout, path: location?.path) }
        }
    }

    /// The open files, with a lock file; made where somebody took it away, or where it could not be made before.
    private func writableFiles(_ base: SuiteSnapshot, _ remakes: Bool) throws(DefaultsError) -> SuiteFiles {
        if let files = base.files, files.lock != nil { return files }
        return try reopenFiles(remakes)
    }

    /// Opens the files again, making what is missing.
    ///
    /// - Throws: also why the files can only be read, and `.lockTimeout` where nothing is to be made again.
    @discardableResult
    private func reopenFiles(_ remakes: Bool) throws(DefaultsError) -> SuiteFiles {
        guard let location else { throw DefaultsError(.io) }
        guard remakes else { throw DefaultsError(.lockTimeout, path: location.path) }
        let files = try SuiteFiles.open(location)
        if case .readOnly(let refusal) = files.access { throw refusal }
        turn(to: files)
        try adopt(files)
        return files
    }

    /// Reads what others write while they have the lock, so that little of it is left to be read under the lock.
    ///
    /// Not where that takes long, since the one who waits longest keeps the others back. It finds that there is something
    /// by the generation, so that who only writes does not begin to listen.
    private func keepUp() {
        let known = published.load()
        guard let page = known.files?.page, page.number != known.generation, !known.isDamaged,
            known.values.document.bytes.count <= SuiteStore.mostKeptUp
        else { return }
        // What is met here is met again under the lock, and told there.
        do {
            let state = try reload()
            // Who has had to wait before writes again and again, and would search for each new key under the lock.
            let isUsed = known.files?.turn.hasBegun == true
            let isShort = state.values.document.bytes.count <= SuiteStore.mostKeptUp
            if isUsed, isShort { state.values.document.readToEnd() }
        } catch { return }
    }

    /// The largest settings file that is read while others have the lock, in bytes.
    private static let mostKeptUp = 1 << 20

    /// The present state, read under the writer's lock; a damaged file is given its time to become whole.
    func presentState() throws(DefaultsError) -> SuiteSnapshot {
        var base = published.load()
        // A load looks at the settings file itself, and into it where its times may not tell.
        let isKnown =
            isPresent(base, isLocked: true) && !base.isRecent
            ? try identityOnDisk(base) == base.identity : false
        if !isKnown { base = try reloadUnovertaken() }
        while let damage = base.damage {
            guard SystemCalls.monotonicNanoseconds - damage.firstSeen < SuiteLoading.patience else { break }
            SystemCalls.pause(nanoseconds: 5_000_000)
            base = try reloadUnovertaken()
        }
        return base
    }

    /// Loads the state anew until it is the published one: what a load has found that was overtaken by another thread's,
    /// a save that came between the two, nobody would be told of.
    private func reloadUnovertaken() throws(DefaultsError) -> SuiteSnapshot {
        for _ in 0..<10 {
            let state = try reload()
            if published.load() === state { return state }
        }
        return try reload()
    }

    func identityOnDisk(_ base: SuiteSnapshot) throws(DefaultsError) -> FileStatus.Identity? {
        guard let files = base.files else { return nil }
        return try SettingsFile.status(files)?.identity
    }
}
