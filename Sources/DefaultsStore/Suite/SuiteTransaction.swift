/// Transactions: a visit through the gate whose changes may depend on what it has read.
extension SuiteStore {
    /// Joins the caller's own open transaction, or waits for the gate and the writer's lock and loads the state.
    ///
    /// - Throws: `.lockTimeout` after five seconds in total, `.readOnly`, `.newerFormat`, `.insecureDirectory`,
    ///   `.io`. Nothing was changed.
    package func begin() throws(DefaultsError) -> OpenTransaction {
        if let joined = joined() {
            joined.depth += 1
            return joined
        }
        let deadline = Deadline.after(milliseconds: WriterLock.limit)
        guard gate.close(until: deadline, yields: Gate.fewYields) else {
            throw DefaultsError(.lockTimeout, path: location?.path)
        }
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
        stage(KeyChange(value, forKey: key), in: transaction)
    }

    /// Stages a change in a transaction.
    func stage(_ change: KeyChange, in transaction: OpenTransaction) {
        freshness.setStaged(true)
        transaction.changes.set(change)
    }

    /// Refuses to continue what a parent of this process has begun: the lock and the commit are the parent's.
    package func checkIsOwn() throws(DefaultsError) {
        guard isInherited else { return }
        throw DefaultsError(
            .lostAccess, path: location?.path,
            underlyingDescription: "the process was forked in the middle; only its parent can commit this")
    }

    /// Resets the staged changes to what they were at a mark.
    package func rollBack(_ transaction: OpenTransaction, to mark: StagedChanges.Mark) {
        transaction.changes.goBack(to: mark)
    }

    /// Has all reads recorded from now on, bypassing the caches, until the transaction ends.
    package func noteReads() { if location != nil { freshness.setStaged(true) } }

    /// Leaves a transaction; the outermost use commits it, releases the locks and delivers the events.
    ///
    /// - Throws: what the commit threw; nothing of the transaction is stored then.
    package func end(_ transaction: OpenTransaction) throws(DefaultsError) {
        transaction.depth -= 1
        try checkIsOwn()
        guard transaction.depth == 0 else {
            if transaction.depth == 1 { transaction.changes.forgetMarks() }
            return
        }
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

    /// Runs a body under the gate and the writer's lock, on the current state; it must not run user code.
    ///
    /// - Parameters:
    ///   - looks: whether the settings file is checked, too.
    ///   - remakes: whether files that somebody has removed are created again.
    ///   - takesTurn: whether it may go before others who wait, if it is this process's turn.
    /// - Throws: `.lockTimeout` at the deadline, and what the body throws.
    func withVisit(
        until deadline: Deadline, looks: Bool = true, remakes: Bool = true, takesTurn: Bool = true,
        _ body: (inout WriteContext) throws(DefaultsError) -> Void
    ) throws(DefaultsError) {
        guard gate.close(until: deadline, yields: Gate.fewYields) else {
            throw DefaultsError(.lockTimeout, path: location?.path)
        }
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

    /// Takes the writer's lock, and makes sure that the visit is based on the current state.
    ///
    /// - Parameters:
    ///   - looks: whether the settings file is checked, too, for a save that no notification has announced yet.
    ///     Changes that depend on nothing do not need that.
    ///   - remakes: whether files that somebody has removed are created again.
    ///   - takesTurn: whether it may go before others who wait, if it is this process's turn.
    func enter(
        until deadline: Deadline, looks: Bool, remakes: Bool = true, takesTurn: Bool = true
    ) throws(DefaultsError) -> WriteContext {
        guard location != nil else { return WriteContext(base: try state(), lock: nil, isRead: looks) }
        var base = published.load()
        let lock = try lockPresentState(
            &base, until: deadline, looks: looks, remakes: remakes, takesTurn: takesTurn)
        return WriteContext(base: base, lock: lock, isRead: looks, remakes: remakes, takesTurn: takesTurn)
    }

    /// Takes the lock of the files that are there now, in place of a lock that keeps nobody out any more.
    func relock(_ visit: inout WriteContext) throws(DefaultsError) {
        visit.lock = nil
        visit.lock = try lockPresentState(
            &visit.base, until: .after(milliseconds: WriterLock.limit), looks: true, remakes: visit.remakes,
            takesTurn: visit.takesTurn)
    }

    /// Takes the writer's lock of the files that are there now, and loads the state.
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
            // Somebody removes the files as fast as they are created.
            base = published.load()
            guard !deadline.hasPassed else { throw DefaultsError(.lockTimeout, path: location?.path) }
        }
    }

    /// Returns the open files with a lock file, which is created if somebody removed it or it could not be created
    /// before.
    private func writableFiles(_ base: SuiteSnapshot, _ remakes: Bool) throws(DefaultsError) -> SuiteFiles {
        if let files = base.files, files.lock != nil { return files }
        return try reopenFiles(remakes)
    }

    /// Opens the files again, creating what is missing.
    ///
    /// - Throws: also the reason if the files can only be read, and `.lockTimeout` if nothing is to be created.
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

    /// Reads what others write while they hold the lock, so that little is left to be read under the lock.
    ///
    /// Not if that takes long, because the process that waits longest keeps the others back. The generation reveals
    /// that there is something to read, so that a process that only writes does not begin to listen.
    private func keepUp() {
        let known = published.load()
        guard let page = known.files?.page, page.number != known.generation, !known.isDamaged,
            known.values.document.bytes.count <= SuiteStore.mostKeptUp
        else { return }
        // An error met here is met again under the lock, and reported there.
        do {
            let state = try reload()
            // A process that had to wait before writes again and again, and would search the text for each new key
            // under the lock.
            let isUsed = known.files?.turn.hasBegun == true
            let isShort = state.values.document.bytes.count <= SuiteStore.mostKeptUp
            if isUsed, isShort { state.values.document.readToEnd() }
        } catch { return }
    }

    /// The largest settings file that is read while others hold the lock, in bytes.
    private static let mostKeptUp = 1 << 20

    /// Returns the current state, read under the writer's lock; a damaged file is given time to become valid.
    func presentState() throws(DefaultsError) -> SuiteSnapshot {
        var base = published.load()
        // A load checks the settings file itself, and its contents if the times may not reveal a change.
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

    /// Returns the same when a file that was just emptied has been filled, or is found to stay empty.
    func settledState() throws(DefaultsError) -> SuiteSnapshot {
        var base = try presentState()
        while let damage = base.damage, damage.error == nil {
            SystemCalls.pause(nanoseconds: 5_000_000)
            base = try reloadUnovertaken()
        }
        return base
    }

    /// Loads the state again until it is the published one.
    ///
    /// If a load is overtaken by another thread's, nobody would be notified of a save between the two.
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
