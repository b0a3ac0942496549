import Synchronization

/// The only way to the journal: the locks of threads and of writers, and the commit.
///
/// `write` opens a session: it waits for the lock between threads, then for the writer's lock, on the current state. `commit`
/// and `tryCommit` find out what differs and whether it is allowed, and begin again if another program has saved. `append`
/// hands the record to the journal, releases the writer's lock, and publishes the state.
package struct Writer: Sendable {
    fileprivate let store: SettingsStore

    func add(_ commitGuard: CommitGuard) { store.writerState.guards.add(commitGuard) }

    func remove(_ commitGuard: CommitGuard) { store.writerState.guards.remove(commitGuard) }

    /// Commits what a request wants, all or nothing.
    ///
    /// - Parameter deadline: until when it waits for the locks; nil for five seconds from now.
    /// - Cost: six system calls if nobody else has written in between, whatever the size of the suite; none waits for
    ///   the disk.
    /// - Throws: what prevented it from being stored; the old values are still there then.
    func write(_ request: WriteRequest, until deadline: Deadline? = nil) throws(DefaultsError) {
        let deadline = deadline ?? .after(milliseconds: WriterLock.limit)
        try openSession(as: .duringCall, until: deadline)
        do throws(DefaultsError) {
            var session = try enter(until: deadline, reads: false)
            try admit(deadline)
            commit(request, &session)
        } catch {
            request.outcome = .failure(error)
        }
        leaveCommit(closeSession())
        try finish(request)
    }

    package var waitingThreads: Int { store.writerState.threads.waiters }

    /// Does what follows a commit after the locks are released.
    ///
    /// - Throws: what the commit threw.
    private func finish(_ request: WriteRequest) throws(DefaultsError) {
        let pending = try request.outcome?.get() ?? []
        if FailureLog.isAnyLasting {
            for log in store.listeningLogs {
                log.forgetLasting(ofKeys: request.changes.order.lazy.map(\.string))
                log.forgetLasting(in: .recovering)
            }
        }
        for subscription in pending { subscription.deliver() }
    }

    /// Does what follows a session that may have committed; user code, which may take its time, comes last.
    private func leaveCommit(_ reports: [@Sendable () -> Void]) {
        store.monitor.seeToDeferredNotices()
        store.checkpointer.schedule()
        reports.forEach { $0() }
    }

    /// Returns the transaction that the calling thread and task have open, if any.
    ///
    /// - Cost: one load if nobody is inside.
    package func joined() -> WriteTransaction? {
        // A thread with an open transaction has set this before, or was handed what another thread had set.
        guard store.writerState.hasOpenSession.load(ordering: .relaxed) else { return nil }
        return store.writerState.openSession.withLock { session in
            session?.owner.isCurrent == true ? session?.transaction : nil
        }
    }

    var isCallerInside: Bool {
        store.writerState.hasOpenSession.load(ordering: .relaxed)
            && store.writerState.openSession.withLock { $0?.owner.isCurrent == true }
    }

    func isInside(_ thread: UInt) -> Bool {
        store.writerState.openSession.withLock { $0?.owner.thread == thread }
    }

    /// Takes L2 and records who has the session.
    ///
    /// - Throws: `.lockTimeout` at the deadline, and at once inside the caller's own session.
    private func openSession(as owner: SessionOwner, until deadline: Deadline) throws(DefaultsError) {
        try refuseInsideSession()
        guard store.writerState.threads.lock(until: deadline) else {
            throw DefaultsError(.lockTimeout, path: store.path)
        }
        markOpen(as: owner)
    }

    private func markOpen(as owner: SessionOwner) {
        store.writerState.openSession.withLock { $0 = OpenSession(owner: owner) }
        store.writerState.hasOpenSession.store(true, ordering: .relaxed)
    }

    /// Lets the next thread have a session.
    ///
    /// - Returns: what to report now that no lock is held.
    private func closeSession() -> [@Sendable () -> Void] {
        store.writerState.hasOpenSession.store(false, ordering: .relaxed)
        let reports = store.writerState.openSession.withLock { session in
            let last = session
            session = nil
            return last?.reports ?? []
        }
        store.writerState.threads.unlock()
        store.monitor.wakeListeners()
        return reports
    }

    /// Runs a body now, or when the caller's session is over.
    @inline(never)
    func afterSession(_ body: @escaping @Sendable () -> Void) {
        guard store.writerState.hasOpenSession.load(ordering: .relaxed) else { return body() }
        let waits = store.writerState.openSession.withLock { session in
            guard session?.owner.isCurrent == true else { return false }
            session?.reports.append(body)
            return true
        }
        if !waits { body() }
    }

    /// Joins the caller's own open transaction, or waits for the locks of threads and of writers and loads the state.
    ///
    /// - Parameter deadline: until when it waits for both; nil for five seconds from now.
    /// - Throws: `.lockTimeout`, `.readOnly`, `.unsupportedFormat`, `.insecureDirectory`,
    ///   `.ioFailure`. Nothing was changed.
    package func begin(until deadline: Deadline? = nil) throws(DefaultsError) -> WriteTransaction {
        if let joined = joined() {
            try admit(deadline)
            joined.depth += 1
            return joined
        }
        let deadline = deadline ?? .after(milliseconds: WriterLock.limit)
        let me = SessionOwner.current
        try openSession(as: me, until: deadline)
        do {
            let session = try enter(until: deadline, reads: true)
            try admit(deadline)
            let transaction = WriteTransaction(store, owner: me, session)
            store.writerState.openSession.withLock { $0?.transaction = transaction }
            return transaction
        } catch {
            closeSession().forEach { $0() }
            throw error
        }
    }

    /// Records that a task's call has what it waited for; the next task has its turn when the session is over.
    ///
    /// - Throws: `.lockTimeout` if the task has been cancelled before.
    private func admit(_ deadline: Deadline?) throws(DefaultsError) {
        guard let call = deadline?.call else { return }
        guard call.markBegun() else { throw DefaultsError(.lockTimeout, path: store.path) }
        afterSession { call.leave() }
    }

    package func stage(_ value: StoredValue?, forKey key: KeyName, in transaction: WriteTransaction) {
        stage(StoredChange(value, forKey: key), in: transaction)
    }

    package func stage(_ change: StoredChange, in transaction: WriteTransaction) {
        store.setStaged(true)
        transaction.changes.set(change)
    }

    /// Refuses what would wait for the lock that the caller's own session has: a transaction, or a commit that asks a
    /// validation.
    func refuseInsideSession() throws(DefaultsError) {
        guard isCallerInside else { return }
        throw DefaultsError(
            .lockTimeout, path: store.path,
            underlyingDescription:
                "it is called inside a transaction or a validation of the same suite, which keeps the lock until it is over"
        ).advising("Call it behind that.")
    }

    package func rollBack(_ transaction: WriteTransaction, to mark: StagedChanges.Mark) {
        transaction.changes.goBack(to: mark)
    }

    /// Has all reads recorded from now on, bypassing the caches, until the transaction ends.
    package func recordReads() { if !store.isInMemory { store.setStaged(true) } }

    /// Leaves a transaction; the outermost use commits it, releases the locks and delivers the events.
    ///
    /// - Throws: what the commit threw; nothing of the transaction is stored then.
    package func end(_ transaction: WriteTransaction) throws(DefaultsError) {
        transaction.depth -= 1
        // The lock and the commit are the parent's.
        try DefaultsError.refuseInChild(store.path)
        guard transaction.depth == 0 else {
            if transaction.depth == 1 { transaction.changes.forgetMarks() }
            return
        }
        let me = SessionOwner.current
        store.writerState.openSession.withLock { session in
            session?.owner = me
            session?.transaction = nil
        }
        if transaction.owner.thread != me.thread {
            store.report(DefaultsError(.accessAcrossAwait, path: store.path))
        }
        let request = WriteRequest(transaction.changes)
        commit(request, &transaction.session)
        store.setStaged(false)
        transaction.session.unlock()
        leaveCommit(closeSession())
        try finish(request)
    }

    /// Runs a body under both locks, on the current state; it must not run user code.
    ///
    /// - Parameters:
    ///   - reads: whether the settings file is checked, too.
    ///   - remakes: whether files that somebody has removed are created again.
    ///   - takesTurn: whether it may go before others who wait, if it is this process's turn.
    ///   - isUnasked: whether nobody has asked for it, so that it is left undone at rest.
    /// - Throws: `.lockTimeout` at the deadline, at once inside the caller's own session or at rest, and what the body throws.
    @inline(never)
    func withSession(
        until deadline: Deadline, reads: Bool = true, remakes: Bool = true, takesTurn: Bool = true,
        isUnasked: Bool = false, _ body: (inout WriteSession) throws(DefaultsError) -> Void
    ) throws(DefaultsError) {
        try openSession(as: .duringCall, until: deadline)
        let outcome: Result<Void, DefaultsError>
        do {
            if isUnasked { try refuseAtRest() }
            var session = try enter(
                until: deadline, reads: reads, remakes: remakes, takesTurn: takesTurn)
            try body(&session)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        let reports = closeSession()
        store.monitor.seeToDeferredNotices()
        reports.forEach { $0() }
        try outcome.get()
    }

    /// Refuses what nobody has asked for, if the store rests; asked when no other session is open, or it could begin after
    /// the rest.
    private func refuseAtRest() throws(DefaultsError) {
        if store.checkpointer.isResting { throw DefaultsError(.lockTimeout, path: store.path) }
    }

    /// Runs a body while no session is open: the commits of earlier ones are published.
    func betweenSessions(until deadline: Deadline, _ body: () -> Void) throws(DefaultsError) {
        guard store.writerState.threads.lock(until: deadline) else {
            throw DefaultsError(.lockTimeout, path: store.path)
        }
        body()
        store.writerState.threads.unlock()
    }

    /// Takes the writer's lock, and makes sure that the session is based on the current state.
    ///
    /// - Parameters:
    ///   - reads: whether the settings file is checked, too, for a save that no notification has announced yet.
    ///     Changes that depend on nothing do not need that.
    ///   - remakes: whether files that somebody has removed are created again.
    ///   - takesTurn: whether it may go before others who wait, if it is this process's turn.
    private func enter(
        until deadline: Deadline, reads: Bool, remakes: Bool = true, takesTurn: Bool = true
    ) throws(DefaultsError) -> WriteSession {
        guard !store.isInMemory else {
            return WriteSession(base: try store.state(), lock: nil, isRead: reads)
        }
        var base = store.latest
        let lock = try lockPresentState(
            &base, until: deadline, reads: reads, remakes: remakes, takesTurn: takesTurn)
        return WriteSession(base: base, lock: lock, isRead: reads, remakes: remakes, takesTurn: takesTurn)
    }

    /// Takes the lock of the files that are there now, in place of a lock that keeps nobody out any more.
    func relock(_ session: inout WriteSession) throws(DefaultsError) {
        session.unlock()
        session.lock = try lockPresentState(
            &session.base, until: .after(milliseconds: WriterLock.limit), reads: true,
            remakes: session.remakes,
            takesTurn: session.takesTurn)
    }

    /// Takes the writer's lock of the files that are there now, and loads the state.
    private func lockPresentState(
        _ base: inout StoreSnapshot, until deadline: Deadline, reads: Bool, remakes: Bool, takesTurn: Bool
    ) throws(DefaultsError) -> HeldWriterLock {
        if !store.isLatest(base) { base = store.latest }
        while true {
            let files = try writableFiles(base, remakes)
            let held = try HeldWriterLock.acquire(
                files, until: deadline, takesTurn: takesTurn, meanwhile: { keepUp() })
            if let lock = held {
                let isCleared = try files.clearLeftovers(holding: lock)
                if !store.isLatest(base) { base = store.latest }
                if reads || isCleared || !store.monitor.checkIsPresent(base, isLocked: true) || base.isDamaged
                {
                    base = try store.loader.presentState()
                }
                if base.files === files { return lock }
            } else {
                try reopenFiles(remakes)
            }
            // Somebody removes the files as fast as they are created.
            base = store.latest
            guard !deadline.hasPassed else { throw DefaultsError(.lockTimeout, path: store.path) }
        }
    }

    /// Returns the open files with a lock file, which is created if somebody removed it or it could not be created
    /// before.
    private func writableFiles(_ base: StoreSnapshot, _ remakes: Bool) throws(DefaultsError) -> SuiteFiles {
        if let files = base.files, files.lock != nil { return files }
        return try reopenFiles(remakes)
    }

    /// Opens the files again, creating what is missing.
    ///
    /// - Throws: also the reason if the files can only be read, and `.lockTimeout` if nothing is to be created.
    @discardableResult
    private func reopenFiles(_ remakes: Bool) throws(DefaultsError) -> SuiteFiles {
        guard let location = store.location else { throw DefaultsError(.ioFailure) }
        guard remakes else { throw DefaultsError(.lockTimeout, path: location.path) }
        let files = try SuiteFiles.open(location)
        if case .readOnly(let refusal) = files.access { throw refusal }
        store.monitor.turn(to: files)
        try store.loader.use(files)
        return files
    }

    /// Reads what others write while they hold the lock, so that little is left to be read under the lock.
    ///
    /// Not if that takes long, because the process that waits longest keeps the others back. The generation reveals
    /// that there is something to read, so that a process that only writes does not begin to listen.
    private func keepUp() {
        let known = store.latest
        guard let page = known.files?.page, page.number != known.generation, !known.isDamaged,
            known.values.document.bytes.count <= Writer.mostKeptUp
        else { return }
        // An error met here is met again under the lock, and reported there.
        do {
            try store.loader.reload()
        } catch { return }
    }

    /// The largest settings file that is read while others hold the lock, in bytes.
    private static let mostKeptUp = 1 << 20

    /// Commits a request, and notes its outcome.
    ///
    /// - Guarantee: on return, every process sees what succeeded, and it survives a kill.
    private func commit(_ request: WriteRequest, _ session: inout WriteSession) {
        do throws(DefaultsError) {
            for _ in 0..<10 {
                if try tryCommit(request, &session) { return }
                try rebase(&session)
            }
            throw DefaultsError(
                .lockTimeout, path: store.path,
                underlyingDescription: "other programs keep saving the file")
        } catch {
            request.outcome = .failure(error)
        }
    }

    /// Commits a request on the state that the session is based on.
    ///
    /// - Returns: false if that is no longer the current state.
    private func tryCommit(_ request: WriteRequest, _ session: inout WriteSession) throws(DefaultsError)
        -> Bool
    {
        // F8: what was computed from values that were read is based on the settings file as it is now.
        let guards = store.writerState.guards.all
        let isRead =
            !store.isInMemory
            && (session.isRead || guards.contains(where: \.readsValues))
        if isRead {
            guard try session.isCurrent() else { return false }
        }
        if !request.changes.isEmpty { try refuseReadOnly(session.base) }
        if hasOrphans(session.base) { try store.checkpointer.checkpoint(&session, ofDamaged: .leaves) }
        if isJournalFull(session.base) { try store.checkpointer.checkpoint(&session, ofDamaged: .throws) }
        if session.hasStaleReads, !request.changes.isEmpty {
            // F8: what was staged without reading stands.
            throw DefaultsError(.conflict, path: store.path)
        }
        if session.base.isDamaged { try checkDamage(of: session.base, before: request.changes) }
        if try plan(request, on: session.base.values, session.base.isDamaged, guards) {
            guard store.isInMemory else { return try append(request, &session) }
            publishInMemory(request, &session)
            return true
        }
        // So is a change that would do nothing.
        if !store.isInMemory, !isRead {
            guard try session.isCurrent() else { return false }
        }
        recordKnown(request, in: session.base)
        request.outcome = .success([])
        return true
    }

    /// F22: refuses to write to a settings file that its owner has made read-only.
    ///
    /// That the mode has changed is found by a load, or by the next checkpoint; only then is the file looked at.
    private func refuseReadOnly(_ base: StoreSnapshot) throws(DefaultsError) {
        guard let files = base.files, files.isReadOnly.load(ordering: .relaxed),
            let status = try SettingsFile.status(files)
        else { return }
        try SettingsFile.refuseReadOnly(status, files)
    }

    /// Whether changes are pending that no journal has, because it was removed together with the lock file.
    private func hasOrphans(_ base: StoreSnapshot) -> Bool {
        base.files != nil && base.values.isPending && base.journal?.hasRecords != true
    }

    /// A journal of more bytes than this, and of more than twice the settings file's, is full.
    private static let greatestJournal = 16 << 20

    /// Whether the journal has become so long that a checkpoint comes before the next record.
    ///
    /// Usually one is made long before; but if all of them fail, every process that opens the suite would have to
    /// read ever more.
    private func isJournalFull(_ base: StoreSnapshot) -> Bool {
        // The length first and alone, because every write asks.
        let length = base.journal?.end ?? 0
        guard length > Writer.greatestJournal else { return false }
        return length / 2 > base.values.document.bytes.count
    }

    /// F3: refuses what cannot be stored next to a settings file that cannot be read; all else waits in the
    /// journal until a user has fixed it.
    private func checkDamage(of base: StoreSnapshot, before changes: StagedChanges) throws(DefaultsError) {
        guard let files = base.files, let damage = base.damage, damage.isSalvaged,
            !changes.isEmpty || changes.removesAll
        else { return }
        if changes.removesAll {
            throw damage.refusal(because: "not all keys are known that are to be removed")
        }
        // Nobody has ever written here, and it may be anything.
        let isUnknown = base.values.document.count == 0 && base.begun == 0 && base.journal?.header == nil
        if isUnknown || files.location.isBehindLink {
            throw damage.refusal(
                because:
                    "it may be no settings file at all, so nothing is written; repairFiles() would replace it"
            )
        }
    }

    /// Works out what a request changes; one that is not allowed, or would make the file too large, fails here.
    ///
    /// - Parameters:
    ///   - values: those before the commit.
    ///   - isDamaged: whether the settings file cannot be read, and may say something else than is known.
    /// - Returns: whether anything changes.
    private func plan(
        _ request: WriteRequest, on values: consuming StoredValues, _ isDamaged: Bool,
        _ guards: [CommitGuard]
    ) throws(DefaultsError) -> Bool {
        request.values = nil
        guard !request.changes.isEmpty else { return false }
        let entries = try request.changes.merged(into: values)
        for commitGuard in guards { try commitGuard.check(request.changes, merged: entries, on: values) }
        var changes = isDamaged ? values.unrecorded(entries) : values.effective(entries)
        guard !changes.isEmpty else { return false }
        if !store.isInMemory {
            for place in changes.indices where changes[place].isWholeObject {
                changes[place] = changes[place].namingMembers(of: values.value(forKey: changes[place].key))
            }
        }
        var size = values.greatestSize(with: changes)
        if size > SettingsFile.limit {
            var next = copy values
            next.apply(changes)
            size = next.written.bytes.count
            guard size <= SettingsFile.limit else {
                throw DefaultsError(.valueTooLarge, path: store.path)
            }
        }
        values.apply(changes, size: size, isInMemory: store.isInMemory)
        (request.planned, request.values) = (changes, values)
        return true
    }

    /// Bases the session on the present state; `plan` then applies the changes to it again.
    private func rebase(_ session: inout WriteSession) throws(DefaultsError) {
        let isLocked = try session.withLock { lock in lock.files.isCurrent() }
        guard !isLocked else {
            session.base = try store.loader.presentState()
            return
        }
        // The folder or its lock file was replaced.
        try relock(&session)
    }

    private func publishInMemory(_ request: WriteRequest, _ session: inout WriteSession) {
        let generation = session.base.generation + 1
        store.beginInMemory(generation)
        guard let values = request.values else { return }
        session.base = session.base.with(values: values, generation: generation)
        recordKnown(request, in: session.base)
        store.publish(session.base, after: request)
    }

    /// Records what this process knows after a commit: what it has given, or what is stored then.
    ///
    /// Before the state is published, so that what is read of it is recorded after it.
    private func recordKnown(_ request: WriteRequest, in state: StoreSnapshot) {
        let known = store.knownValues
        guard request.given != nil || !known.isEmpty else { return }
        for change in request.changes.entries {
            let stored = state.values.value(forKey: change.key)
            known.record(stored, given: request.given, of: change.key, in: state)
        }
    }

    /// Appends a commit to the journal, and publishes it.
    ///
    /// - Returns: false, with nothing done, if a load has published a save since the session began.
    private func append(_ request: WriteRequest, _ session: inout WriteSession) throws(DefaultsError) -> Bool
    {
        try openJournalForWriting(&session)
        let journal = try usableJournal(&session)
        let base = session.base
        let raised = try session.withLock { (lock) throws(DefaultsError) in try lock.generation() }
        // The journal has more than the lock file after a power loss.
        let known = max(raised, base.generation)
        guard let values = request.values, let commit = Commit(on: base, in: store) else { return false }
        // F4: the generation rises before anything else is written, so that no cache outlives the change.
        try raise(to: known + 1, session)
        let appended = try session.withLock { lock in
            let appended = Journal.append(request.planned, to: journal, after: known, holding: lock)
            guard store.durability.isAwaited, appended.error == nil else { return appended }
            return appended.with(Journal.withReserve(appended.state, holding: lock))
        }
        if let error = appended.error {
            if journal.file.descriptor.isRemote { raiseOverRefused(to: known + 2, session) }
            throw error
        }
        store.checkpointer.recordCommit(known + 1, appended.state)
        // Other processes may go on: the rest concerns this process alone, and its threads wait for L2.
        session.unlock()
        session.base = base.with(values: values, generation: known + 1, journal: appended.state)
        recordKnown(request, in: session.base)
        commit.publish(session.base, after: request)
        return true
    }

    /// F20: raises the generation once more, because a record that could not be handed over may have been read before it was
    /// cut off.
    private func raiseOverRefused(to generation: UInt64, _ session: borrowing WriteSession) {
        // The failure of the write is the one to report; where this fails, the next commit does the same.
        do { try raise(to: generation, session) } catch { return }
    }

    private func raise(to generation: UInt64, _ session: borrowing WriteSession) throws(DefaultsError) {
        try session.withLock { (lock) throws(DefaultsError) in try lock.raise(to: generation) }
    }

    /// Reopens for writing, before anything else is written, a journal that was found when it could only be read.
    func openJournalForWriting(_ session: inout WriteSession) throws(DefaultsError) {
        let base = session.base
        guard let journal = base.journal, !journal.file.isWritable else { return }
        let open = try session.withLock { (lock) throws(DefaultsError) in
            try Journal.openForWriting(journal, holding: lock)
        }
        session.base = base.with(generation: base.generation, journal: open)
    }

    /// Returns the journal without surplus, replaced if it cannot be trusted.
    private func usableJournal(_ session: inout WriteSession) throws(DefaultsError) -> JournalState {
        guard let journal = session.base.journal else {
            return JournalState(
                file: try session.withLock { (lock) throws(DefaultsError) in
                    try Journal.openOrMake(holding: lock)
                },
                header: nil)
        }
        // Nobody has written since, so a missing journal was removed by hand, and only this process has its records.
        let untouched = try session.withLock { (lock) throws(DefaultsError) in
            try Journal.untouched(journal, lock.files)
        }
        guard let untouched else { return try replaceJournal(&session, keepsOld: true) }
        if store.durability.isPoisoned(untouched.file) { return try replaceJournal(&session) }
        if untouched.surplus == 0 { return untouched }
        let cut = try session.withLock { (lock) throws(DefaultsError) in
            try Journal.cutSurplus(of: untouched, holding: lock)
        }
        if let cut { return cut }
        return try replaceJournal(&session, keepsOld: true)
    }

    /// Replaces a journal that can no longer be trusted by a new file.
    ///
    /// - Parameter keepsOld: whether the old journal is known to contain bytes that are not ours; it is checked in any case.
    @discardableResult
    func replaceJournal(
        _ session: inout WriteSession, keepsOld: Bool = false
    ) throws(DefaultsError) -> JournalState {
        let base = session.base
        guard let journal = base.journal else { throw DefaultsError(.ioFailure, path: store.path) }
        let next = try replace(
            journal, at: journal.generation, changes: base.values.changes, keepsOld: keepsOld, session)
        session.base = base.with(generation: next.generation, journal: next)
        // Otherwise the next commit begins again, with what the files have.
        if let commit = Commit(on: base, in: store) { commit.publish(session.base) }
        return next
    }

    /// Replaces the journal by one with the records of values that another program's save has changed.
    func replaceJournal(
        _ session: inout WriteSession, with values: StoredValues, in commit: consuming Commit
    ) throws(DefaultsError) {
        let base = session.base
        guard let journal = base.journal else { throw DefaultsError(.ioFailure, path: store.path) }
        // F4: or others would go on with what was stored before.
        let generation = try session.withLock { (lock) throws(DefaultsError) in
            max(try lock.generation(), base.generation) + 1
        }
        try raise(to: generation, session)
        let next = try replace(journal, at: generation, changes: values.changes, keepsOld: false, session)
        session.base = base.with(values: values, generation: next.generation, journal: next)
        let pending = commit.publish(edited: session.base)
        if !pending.isEmpty { store.runUserCode { WorkerPool.shared.deliver(pending) } }
    }

    private func replace(
        _ journal: JournalState, at generation: UInt64, changes: [StoredChange], keepsOld: Bool,
        _ session: borrowing WriteSession
    ) throws(DefaultsError) -> JournalState {
        let next = try session.withLock { (lock) throws(DefaultsError) in
            var isOurs = !keepsOld
            if isOurs { isOurs = try Journal.isUntouched(journal, lock.files) }
            if isOurs, journal.surplus > 0 {
                isOurs = try Journal.isSurplusTorn(journal, lock.files.location.journalPath)
            }
            return try Journal.replace(
                journal, at: generation, changes: changes, keepsOld: !isOurs, holding: lock)
        }
        store.durability.begin(with: next)
        return next
    }

    /// Completes, with an empty commit, what a writer began that died between raising the generation and appending,
    /// or restores a generation that power loss has set back.
    ///
    /// Until then every read checks the files, because the counter does not agree with them.
    func completeAbandonedCommit() {
        guard store.writerState.threads.tryLock() else { return }
        markOpen(as: .duringCall)
        var pending: [ObserverSubscription] = []
        do throws(DefaultsError) {
            try refuseAtRest()
            var session = try enter(until: .after(milliseconds: 0), reads: true, remakes: false)
            if session.base.hasAbandonedCommit {
                let nothing = WriteRequest(emptyOver: session.base.values)
                // If there is another state by now, the next load has this done.
                _ = try append(nothing, &session)
                pending = try nothing.outcome?.get() ?? []
            }
            session.unlock()
            store.recordSuccess(of: .recovering)
        } catch {
            if error.code != .lockTimeout, error.code != .readOnly {
                store.reportLasting(error, in: .recovering)
            }
        }
        let reports = closeSession()
        store.monitor.seeToDeferredNotices()
        if !pending.isEmpty { store.runUserCode { [pending] in WorkerPool.shared.deliver(pending) } }
        reports.forEach { $0() }
    }
}

/// The thread that has a session, the transaction it has open, and what is to be reported when it leaves.
private struct OpenSession: Sendable {
    /// The thread inside: the one that began the session, then the one that ends it, which may be another.
    var owner: SessionOwner
    /// The open transaction; nil while it begins and while it ends, when nothing can join it.
    var transaction: WriteTransaction?
    /// Reports of failures inside: they run user code, so they are made after the locks are released.
    var reports: [@Sendable () -> Void] = []
}

/// What a store's ``Writer`` remembers.
///
/// The ``Writer`` itself is a value, made for each use. It holds the store, which so outlives the call.
final class WriterState: Sendable {
    /// Lock L2: held through a session; a session may take L3 and L5.
    fileprivate let threads = HandedLock()
    fileprivate let openSession = Locked<OpenSession?>(nil)  // A leaf: who has L2.
    /// Whether a thread may have a session, for those who need not know which.
    fileprivate let hasOpenSession = Atomic<Bool>(false)
    fileprivate let guards = CommitGuards()
}

extension SettingsStore {
    package var writer: Writer { Writer(store: self) }
}
