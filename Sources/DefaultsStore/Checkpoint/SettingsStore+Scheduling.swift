import Synchronization

/// Checkpoints that nobody asked for: soon after a write, at the program's end, and on behalf of a process that has
/// died.
extension SettingsStore {
    /// Has the settings file brought up to date soon, if the journal has what it does not.
    ///
    /// The store is kept alive until then.
    func scheduleCheckpoint() {
        // A state is published before this flag is read, and the checkpoint that is due clears the flag before it
        // reads the state, all in one total order. So the checkpoint finds the state, or this finds no checkpoint
        // due.
        if isCheckpointDue.load(ordering: .sequentiallyConsistent) { return }
        let state = published.load()
        guard !isInherited, state.values.isPending, state.files?.haveJournal == true,
            !isCheckpointDue.exchange(true, ordering: .sequentiallyConsistent)
        else { return }
        let wait = checkpointing.withLock { $0.wait(for: state) }
        ExitCheckpoint.arm()
        guard Failpoint.scheduledCheckpoints.isOn else { return }
        scheduleCheckpoint(afterMilliseconds: wait)
    }

    /// Has what waits in the journal brought in soon, now that the settings file can be read again.
    ///
    /// The checkpoint that is due may be seconds away: it waits longer each time that it has found a damaged file.
    func resumeCheckpoints() {
        let wasWaiting = checkpointing.withLock { schedule in
            defer { schedule.refusals = 0 }
            return schedule.refusals > 0
        }
        guard wasWaiting, published.load().values.isPending, !isInherited else { return }
        isCheckpointDue.store(true, ordering: .sequentiallyConsistent)
        // Outside the locks, because without a thread it is made at once.
        afterSession { [weak self] in
            self?.scheduleCheckpoint(afterMilliseconds: CheckpointSchedule.usualDelay)
        }
    }

    private func scheduleCheckpoint(afterMilliseconds wait: UInt64) {
        do {
            try EventLoop.shared.schedule(afterMilliseconds: wait, in: place) { [self] in
                checkpointWhenDue()
            }
        } catch {
            // If no thread can be had, the checkpoint is made here, once; the next write tries again.
            checkpointNow()
        }
    }

    private func checkpointWhenDue() {
        let (state, now) = (published.load(), SystemCalls.monotonicNanoseconds)
        if state.values.isPending,
            let rest = checkpointing.withLock({ $0.postponement(for: state, at: now) })
        {
            return scheduleCheckpoint(afterMilliseconds: rest)
        }
        if checkpointNow() { scheduleCheckpoint() }
        monitor.startWatchingIfUsed()
    }

    /// - Returns: whether something may be left to be done.
    @discardableResult
    func checkpointNow() -> Bool {
        isCheckpointDue.store(false, ordering: .sequentiallyConsistent)
        // What is written from here on schedules a checkpoint of its own.
        let state = published.load()
        do {
            // A program that removes a folder begins with its contents, and a file created meanwhile would keep the
            // folder.
            let remakes = checkpointing.withLock { $0.refusals > 0 }
            let limit = Deadline.after(milliseconds: 1_000)
            if let outcome = try checkpointWhatWaits(until: limit, in: state, remakes: remakes) {
                checkpointing.withLock { $0.note(outcome) }
                checkpointListeners.tell(outcome.duration)
                noteSuccess(of: .checkpoints)
                return true
            }
            // Another process has made the checkpoint, or the folder is gone, which a load finds out; or it is away,
            // and may come back.
            let isPending = try reload().values.isPending
            let isAway = try state.files?.isFolderCurrent() == false
            let isLeft = isPending && isAway
            if !isPending { noteSuccess(of: .checkpoints) }
            checkpointing.withLock { $0.refusals = isLeft ? $0.refusals + 1 : 0 }
            return isLeft
        } catch {
            checkpointing.withLock { $0.refusals += 1 }
            // Another process holds the lock, and has the same duty; this one tries again.
            if error.code != .lockTimeout { reportStanding(error, in: .checkpoints) }
        }
        return true
    }

    /// Brings the settings file up to date if something waits for that, although nobody asked for it.
    ///
    /// - Parameters:
    ///   - known: what waits is in the journal of this state. If both the journal and the settings file are others
    ///     now, the new file has what waited; a journal alone is also restarted because the old one could not be
    ///     trusted.
    ///   - remakes: whether a lock file that somebody has removed is created again; the folder is not.
    ///   - restarts: whether the journal is restarted even though somebody may be writing.
    /// - Returns: the outcome; nil if no checkpoint was to be made.
    @discardableResult
    func checkpointWhatWaits(
        until deadline: Deadline, in known: StoreSnapshot? = nil, remakes: Bool, restarts: Bool = false
    ) throws(DefaultsError) -> CheckpointSchedule.Outcome? {
        var state = published.load()
        guard state.values.isPending, let files = state.files, try files.isFolderCurrent() else {
            return nil
        }
        // What others have written since is brought in too; a replaced lock file is noticed when the lock is taken.
        // Without one there is no generation to compare.
        if files.lockIdentity != nil, !files.has(state.generation), files.isCurrent() { state = try reload() }
        if let known, state.isCheckpointed(since: known) { return nil }
        let concurrent = try tryCheckpointConcurrently(
            of: state, until: deadline, remakes: remakes, restarts: restarts)
        if let concurrent { return concurrent }
        let (prepared, preparation) = prepareText(of: state)
        var outcome: CheckpointSchedule.Outcome?
        // After those who wait, because each of them may bring more.
        try withSession(
            until: deadline.later(byNanoseconds: preparation), remakes: remakes, takesTurn: false
        ) { (session) throws(DefaultsError) in
            if let known, session.base.isCheckpointed(since: known) { return }
            let begin = SystemCalls.monotonicNanoseconds
            try checkpoint(&session, ofDamaged: .leaves, prepared)
            outcome = CheckpointSchedule.Outcome(
                duration: preparation + SystemCalls.monotonicNanoseconds - begin,
                isLeft: session.base.values.isPending)
        }
        return outcome
    }

    /// Waits, if another process has written last, until nobody is writing.
    ///
    /// So one checkpoint brings in what all have written, and nobody has to wait for it.
    ///
    /// - Returns: whether another process has written last.
    @discardableResult
    func letOthersFinish(_ state: StoreSnapshot, until deadline: Deadline) -> Bool {
        guard state.values.isPending, let page = state.files?.page, page.process != SystemCalls.processID
        else {
            return false
        }
        var generation = page.number
        repeat {
            let before = generation
            SystemCalls.pause(nanoseconds: 200_000)
            generation = page.number
            if generation == before { break }
        } while !deadline.hasPassed
        return true
    }

    /// Brings the settings file up to date now.
    ///
    /// - Throws: also for a file that cannot be read, which only ``repair(until:)`` replaces.
    func checkpoint(until deadline: Deadline) throws(DefaultsError) {
        guard location != nil else { return }
        try refuseInsideTransaction()
        let isPending = try state().values.isPending
        // What others write in the meantime is brought in too, as if the lock had been held throughout.
        let concurrent = try tryCheckpointConcurrently(
            of: state(), until: deadline, remakes: true, restarts: true)
        if let concurrent { checkpointListeners.tell(concurrent.duration) }
        if concurrent != nil, !published.load().values.isPending { return noteSuccess(of: .checkpoints) }
        let begin = SystemCalls.monotonicNanoseconds
        let (prepared, preparation) = prepareText(of: published.load())
        try withSession(until: deadline.later(byNanoseconds: preparation)) {
            (session) throws(DefaultsError) in
            try checkpoint(&session, ofDamaged: .throws, prepared)
        }
        if isPending { checkpointListeners.tell(SystemCalls.monotonicNanoseconds - begin) }
        try restartIdleJournal(until: deadline)
        noteSuccess(of: .checkpoints)
    }

    /// Refuses what would wait for the lock that the caller's own transaction has.
    func refuseInsideTransaction() throws(DefaultsError) {
        guard joined() != nil else { return }
        throw DefaultsError(
            .lockTimeout, path: location?.path,
            underlyingDescription: "the caller's own transaction has the lock, and is not over yet")
    }

    /// Makes the text of a state for a checkpoint that is about to wait for the lock.
    ///
    /// - Returns: the text, and how long it took to make it, in nanoseconds; no text if the checkpoint will be of
    ///   another state.
    private func prepareText(of state: StoreSnapshot) -> (text: PreparedText?, duration: UInt64) {
        guard state.values.isPending, !state.isDamaged, isCurrent(state) else { return (nil, 0) }
        let begin = SystemCalls.monotonicNanoseconds
        let text = PreparedText(of: state.values)
        return (text, SystemCalls.monotonicNanoseconds - begin)
    }

    /// Checks in a second, or later where checkpoints may wait longer, whether records that were found are still waiting:
    /// then their writer has died, or may wait longer than this process.
    ///
    /// - Parameter remakes: whether a lock file that somebody has removed is created again.
    func scheduleOrphanCheckpoint(_ state: StoreSnapshot, remakes: Bool = false) {
        guard state.files?.isWritable == true, state.files?.haveJournal == true, state.journal != nil else {
            return
        }
        let (isFirst, wait) = checkpointing.withLock { schedule -> (Bool, UInt64) in
            // A checkpoint of our own that is scheduled brings them in too.
            guard !schedule.isOrphanCheckpointDue, !isCheckpointDue.load(ordering: .acquiring) else {
                return (false, 0)
            }
            schedule.isOrphanCheckpointDue = true
            return (true, schedule.orphanDelay)
        }
        guard isFirst, let files = state.files, let journal = state.journal else { return }
        do {
            try EventLoop.shared.schedule(afterMilliseconds: wait, in: place) { [weak self] in
                self?.checkpointOrphans(files, journal, remakes)
            }
            noteSuccess(of: .waking)
        } catch {
            checkpointing.withLock { $0.isOrphanCheckpointDue = false }
            reportStanding(.writing(files.location.path, error), in: .waking)
        }
    }

    private func checkpointOrphans(_ files: SuiteFiles, _ journal: JournalState, _ remakes: Bool) {
        checkpointing.withLock { $0.isOrphanCheckpointDue = false }
        do {
            guard let present = try Journal.look(files, known: journal.file),
                present.hasSameNonce(as: journal),
                published.load().isDamaged
                    || present.header.map(files.checkpointMark)?.generation ?? 0 <= journal.checkpointed
            else {
                // They have been brought in; what has been written since gets a second of its own.
                try reload()
                return
            }
            try checkpointWhatWaits(until: .after(milliseconds: 0), remakes: remakes)
            noteSuccess(of: .checkpoints)
        } catch {
            // The lock holder may or may not bring them in; if the lock file is gone and the folder is not, nobody
            // will.
            if error.code == .lockTimeout {
                return scheduleOrphanCheckpoint(
                    published.load(), remakes: files.lock == nil || !files.isCurrent())
            }
            if error.code != .readOnly { reportStanding(error, in: .checkpoints) }
        }
    }
}
