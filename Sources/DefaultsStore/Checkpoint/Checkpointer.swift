import Synchronization

/// Brings the settings file up to date: soon after a write, when somebody asks for it, and on behalf of a process that
/// has died.
///
/// By a ``ConcurrentCheckpoint`` where that is possible, by a ``LockedCheckpoint`` otherwise.
struct Checkpointer: Sendable {
    /// How long a fully checkpointed journal may stay as it is, in milliseconds.
    private static let idleTime: UInt64 = 250

    fileprivate let store: SettingsStore
}

/// Unrequested checkpoints: soon after a write, and at the program's end.
extension Checkpointer {
    /// Has the settings file brought up to date soon, if the journal has what it does not.
    ///
    /// The store is kept alive until then.
    func schedule() {
        // A state is published before this flag is read, and the checkpoint that is due clears the flag before it
        // reads the state, all in one total order. So the checkpoint finds the state, or this finds no checkpoint
        // due.
        if store.checkpointerState.isDue.load(ordering: .sequentiallyConsistent) { return }
        let state = store.latest
        guard !isResting, state.values.isPending, state.files?.haveJournal == true,
            !store.checkpointerState.isDue.exchange(true, ordering: .sequentiallyConsistent)
        else { return }
        let now = SystemCalls.monotonicNanoseconds
        let (wait, longest) = store.checkpointerState.timing.withLock { timing in
            (timing.wait(for: state, at: now), timing.longest(for: state))
        }
        // With a longer delay than usual, commits watch the journal's length (`recordCommit`).
        let isLimited = wait > CheckpointSchedule.usualDelay && (state.journal?.pendingLength ?? 0) <= longest
        store.checkpointerState.journalLimit.store(
            isLimited ? (state.journal?.checkpointedEnd ?? 0) + longest : .max, ordering: .relaxed)
        ExitCheckpoint.arm()
        schedule(afterMilliseconds: wait)
    }

    /// Has what waits in the journal brought in soon, now that the settings file can be read again.
    ///
    /// The checkpoint that is due may be seconds away: it waits longer each time that it has found a damaged file.
    func resume() {
        let wasWaiting = store.checkpointerState.timing.withLock { timing in
            defer { timing.refusals = 0 }
            return timing.refusals > 0
        }
        guard wasWaiting, store.latest.values.isPending else { return }
        store.checkpointerState.isDue.store(true, ordering: .sequentiallyConsistent)
        // Outside the locks, because without a thread it is made at once.
        store.writer.afterSession(later { $0.schedule(afterMilliseconds: CheckpointSchedule.usualDelay) })
    }

    private func schedule(afterMilliseconds wait: UInt64) {
        do {
            let store: SettingsStore = store
            try appoint(afterMilliseconds: wait) { store.checkpointer.checkpointWhenDue() }
        } catch {
            // If no thread can be had, the checkpoint is made here, once; the next write tries again.
            checkpointNow()
        }
    }

    /// Schedules unrequested work.
    ///
    /// - Throws: if no thread can be had; it will not be done.
    private func appoint(
        afterMilliseconds wait: UInt64, _ work: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        guard Failpoint.scheduledCheckpoints.isOn else { return }
        try EventLoop.shared.schedule(afterMilliseconds: wait, on: store.resource, whenDue(work))
    }

    /// Returns what does some work, unless a test has left it out since.
    private func whenDue(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        { if Failpoint.scheduledCheckpoints.isOn { work() } }
    }

    /// The work is dropped if the store is gone by then.
    private func later(_ work: @escaping @Sendable (Checkpointer) -> Void) -> @Sendable () -> Void {
        { [weak store] in
            if let store { work(store.checkpointer) }
        }
    }

    private func checkpointWhenDue() {
        // Something was written, which need not have been told anybody.
        LifetimeTies.hasten()
        // One that came before has brought in what this was for.
        guard store.checkpointerState.isDue.load(ordering: .sequentiallyConsistent) else { return }
        let (state, now) = (store.latest, SystemCalls.monotonicNanoseconds)
        let rest = store.checkpointerState.timing.withLock { $0.postponement(for: state, at: now) }
        if state.values.isPending, let rest { return schedule(afterMilliseconds: rest) }
        if checkpointNow() { schedule() }
        store.monitor.startWatchingIfUsed()
    }

    /// Makes the checkpoint that is due.
    ///
    /// - Returns: whether something may be left to be done.
    @discardableResult
    func checkpointNow() -> Bool {
        store.checkpointerState.isDue.store(false, ordering: .sequentiallyConsistent)
        // What is written from here on schedules a checkpoint of its own.
        let state = store.latest
        do {
            // A program that removes a folder begins with its contents, and a file created meanwhile would keep the
            // folder.
            let (remakes, yields) = store.checkpointerState.timing.withLock { ($0.refusals > 0, $0.yields) }
            let limit = Deadline.after(milliseconds: 1_000)
            if let outcome = try checkpointWhatWaits(
                until: limit, in: state, remakes: remakes, yields: yields)
            {
                let now = SystemCalls.monotonicNanoseconds
                store.checkpointerState.timing.withLock { $0.record(outcome, at: now) }
                if outcome.overtakenAt != nil { return true }
                store.checkpointerState.listeners.notify(outcome.duration)
                store.recordSuccess(of: .checkpoints)
                return true
            }
            // Another process has made the checkpoint, or the folder is gone, which a load finds out; or it is away,
            // and may come back.
            let isPending = try store.loader.reload().values.isPending
            let isAway = try state.files?.isFolderCurrent() == false
            let isLeft = isPending && isAway
            if !isPending { store.recordSuccess(of: .checkpoints) }
            store.checkpointerState.timing.withLock { $0.refusals = isLeft ? $0.refusals + 1 : 0 }
            return isLeft
        } catch {
            store.checkpointerState.timing.withLock { $0.refusals += 1 }
            // Another process holds the lock, and has the same duty; this one tries again.
            if error.code != .lockTimeout { store.reportLasting(error, in: .checkpoints) }
        }
        return true
    }

    /// Makes an unrequested checkpoint if something waits for it.
    ///
    /// - Parameters:
    ///   - known: what waits is in the journal of this state. If both the journal and the settings file are others
    ///     now, the new file has what waited; a journal alone is also restarted because the old one could not be
    ///     trusted.
    ///   - remakes: whether a lock file that somebody has removed is created again; the folder is not.
    ///   - restarts: whether the journal is restarted even though somebody may be writing; also at rest.
    ///   - yields: whether it is left to another one that has put its file in place before.
    /// - Returns: the outcome; nil if no checkpoint was to be made.
    @discardableResult
    func checkpointWhatWaits(
        until deadline: Deadline, in known: StoreSnapshot? = nil, remakes: Bool, restarts: Bool = false,
        yields: Bool = false
    ) throws(DefaultsError) -> CheckpointSchedule.Outcome? {
        var state = store.latest
        guard state.values.isPending, let files = state.files, try files.isFolderCurrent() else {
            return nil
        }
        // What others have written since is brought in too; a replaced lock file is noticed when the lock is taken.
        // Without one there is no generation to compare.
        if files.lockIdentity != nil, try state.standing(in: [.place, .generation]) == .committed {
            state = try store.loader.reload()
        }
        if let known, state.isCheckpointed(since: known) { return nil }
        let begin = SystemCalls.monotonicNanoseconds
        let concurrent = try tryCheckpointConcurrently(
            of: state, until: deadline, remakes: remakes, restarts: restarts)
        if let concurrent { return concurrent }
        // Overtaken, mostly by another process's concurrent checkpoint. To go on under the lock would make everybody
        // wait for the disk, and that process begin again.
        if yields, let present = try stateOvertaking(state) {
            if let known, present.isCheckpointed(since: known) { return nil }
            let time = SystemCalls.monotonicNanoseconds - begin
            return CheckpointSchedule.Outcome(
                duration: min(time, CheckpointSchedule.longestOvertaken), isLeft: true,
                overtakenAt: present.journal?.checkpointed ?? 0)
        }
        var outcome: CheckpointSchedule.Outcome?
        // After those who wait, because each of them may bring more.
        try store.writer.withSession(
            until: deadline, remakes: remakes, takesTurn: false, isUnasked: !restarts
        ) { (session) throws(DefaultsError) in
            if let known, session.base.isCheckpointed(since: known) { return }
            let begin = SystemCalls.monotonicNanoseconds
            try checkpoint(&session, ofDamaged: .leaves)
            outcome = CheckpointSchedule.Outcome(
                duration: SystemCalls.monotonicNanoseconds - begin,
                isLeft: session.base.values.isPending)
        }
        return outcome
    }

    /// Returns the present state if it is over another settings file than one that a checkpoint was to be made of.
    private func stateOvertaking(_ state: StoreSnapshot) throws(DefaultsError) -> StoreSnapshot? {
        guard let known = state.identity else { return nil }
        let present = try store.state()
        return present.identity != nil && present.identity != known && !present.isDamaged ? present : nil
    }

    func recordCommit(_ generation: UInt64, _ journal: JournalState) {
        store.checkpointerState.lastCommit.store(generation, ordering: .sequentiallyConsistent)
        if isResting { store.checkpointerState.isResting.store(false, ordering: .relaxed) }
        guard journal.end > store.checkpointerState.journalLimit.load(ordering: .relaxed) else { return }
        // The next call of `schedule` has it brought in sooner.
        store.checkpointerState.journalLimit.store(.max, ordering: .relaxed)
        store.checkpointerState.isDue.store(false, ordering: .sequentiallyConsistent)
    }

    func hasCommitted(since state: StoreSnapshot) -> Bool {
        store.checkpointerState.lastCommit.load(ordering: .sequentiallyConsistent) > state.generation
    }
}

/// Checkpoints that somebody asks for.
extension Checkpointer {
    /// Brings the settings file up to date now.
    ///
    /// - Throws: also for a file that cannot be read, which only ``repair(until:)`` replaces.
    func checkpoint(until deadline: Deadline) throws(DefaultsError) {
        guard !store.isInMemory else { return }
        try store.writer.refuseInsideSession()
        let isPending = try store.state().values.isPending
        // What others write in the meantime is brought in too, as if the lock had been held throughout.
        let concurrent = try tryCheckpointConcurrently(
            of: store.state(), until: deadline, remakes: true, restarts: true)
        if let concurrent { store.checkpointerState.listeners.notify(concurrent.duration) }
        if concurrent != nil, !store.latest.values.isPending {
            return store.recordSuccess(of: .checkpoints)
        }
        let begin = SystemCalls.monotonicNanoseconds
        try store.writer.withSession(until: deadline) { (session) throws(DefaultsError) in
            try checkpoint(&session, ofDamaged: .throws)
        }
        if isPending { store.checkpointerState.listeners.notify(SystemCalls.monotonicNanoseconds - begin) }
        try restartIdleJournal(until: deadline)
        store.recordSuccess(of: .checkpoints)
    }

    /// Brings the settings file up to date now, and has nothing that nobody asks for take the lock from then on, until this
    /// process commits something.
    ///
    /// - Throws: what ``checkpoint(until:)`` throws; it rests all the same, unless a session of this process stays open.
    func rest(until deadline: Deadline) throws(DefaultsError) {
        guard !store.isInMemory else { return }
        try store.writer.refuseInsideSession()
        // What earlier sessions have committed is brought in here; a later commit ends the rest.
        try store.writer.betweenSessions(until: deadline) {
            store.checkpointerState.isDue.store(false, ordering: .sequentiallyConsistent)
            store.checkpointerState.isResting.store(true, ordering: .sequentiallyConsistent)
        }
        try checkpoint(until: deadline)
        try restartIdleJournal(until: deadline)
    }

    /// Whether nothing that nobody asked for takes the lock.
    var isResting: Bool { store.checkpointerState.isResting.load(ordering: .relaxed) }

    /// Brings the settings file up to date for the holder of the lock, and empties the journal.
    ///
    /// - Parameters:
    ///   - damage: what becomes of a settings file that cannot be read.
    /// - Returns: the name that a file is kept under that was replaced although it could not be read.
    /// - Throws: every acknowledged write is still there then; the next checkpoint repeats the work.
    @discardableResult
    func checkpoint(
        _ session: inout WriteSession, ofDamaged damage: LockedCheckpoint.Damage
    ) throws(DefaultsError) -> String? {
        try LockedCheckpoint(in: store).run(&session, ofDamaged: damage)
    }

    /// Brings the settings file up to a state, and makes nobody wait for the disk.
    ///
    /// - Returns: nil if the checkpoint has to be made under the lock.
    func tryCheckpointConcurrently(
        of state: StoreSnapshot, until deadline: Deadline, remakes: Bool, restarts: Bool
    ) throws(DefaultsError) -> CheckpointSchedule.Outcome? {
        let checkpoint = ConcurrentCheckpoint(
            of: state, in: store, until: deadline, remakes: remakes, restarts: restarts)
        guard let outcome = try checkpoint.tryRun() else { return nil }
        if store.latest.journal?.isFullyCheckpointed == true { scheduleJournalRestart() }
        return outcome
    }

    /// Returns the checkpoints of this process from now on.
    ///
    /// - Parameter owner: kept until the stream is over.
    func stream(keeping owner: any AnyObject & Sendable) -> AsyncStream<DefaultsCheckpoint> {
        store.checkpointerState.listeners.stream(keeping: owner)
    }
}

/// Replacing the settings file because a person wants that: one that cannot be read, or one that was edited.
///
/// Nothing else replaces a file that cannot be read: what is written meanwhile waits in the journal.
extension Checkpointer {
    /// Replaces a settings file that cannot be read by what is known of it; its bytes are kept next to it
    /// (F3).
    ///
    /// - Returns: nil if the file can be read.
    func repair(until deadline: Deadline) throws(DefaultsError) -> DefaultsReplacement? {
        var replacement: DefaultsReplacement?
        try store.writer.withSession(until: deadline) { (session) throws(DefaultsError) in
            guard session.base.isDamaged else { return }
            let kept = try checkpoint(&session, ofDamaged: .replaces)
            replacement = kept.map { DefaultsReplacement(of: session.base, backup: $0) }
        }
        return replacement
    }

    /// Puts a text that a person has edited in the settings file's place.
    ///
    /// - Parameter original: the bytes that were edited; nil if there was no file.
    /// - Returns: nil if something else is stored by now; nothing was done then.
    func replaceFile(
        with text: SettingsDocument, editedFrom original: [UInt8]?, until deadline: Deadline
    ) throws(DefaultsError) -> DefaultsReplacement? {
        guard !store.isInMemory else { return nil }
        var replacement: DefaultsReplacement?
        try store.writer.withSession(until: deadline) { (session) throws(DefaultsError) in
            replacement = try LockedCheckpoint(in: store).replaceFile(
                &session, with: text, editedFrom: original)
        }
        // A load finds it like any other edit, and notifies the observers.
        store.raiseEpoch()
        try store.loader.reload()
        return replacement
    }
}

/// Checkpoints on behalf of a process that has died.
extension Checkpointer {
    /// Checks in a second, or later where checkpoints may wait longer, whether records that were found are still waiting:
    /// then their writer has died, or lets them wait longer than this process would.
    ///
    /// - Parameter remakes: whether a lock file that somebody has removed is created again.
    func scheduleForOrphans(in state: StoreSnapshot, remakes: Bool = false) {
        guard state.files?.isWritable == true, state.files?.haveJournal == true, state.journal != nil,
            !isResting
        else { return }
        let (isFirst, wait) = store.checkpointerState.timing.withLock { timing -> (Bool, UInt64) in
            // A checkpoint of our own that is scheduled brings them in too.
            guard !timing.isOrphanCheckpointDue, !store.checkpointerState.isDue.load(ordering: .acquiring)
            else { return (false, 0) }
            timing.isOrphanCheckpointDue = true
            return (true, timing.orphanDelay)
        }
        guard isFirst, let files = state.files, let journal = state.journal else { return }
        guard Failpoint.scheduledCheckpoints.isOn else { return }
        let body = whenDue(later { $0.checkpointOrphans(files, journal, remakes) })
        store.monitor.recordWakeUp(
            refusal: EventLoop.shared.scheduleAnyway(afterMilliseconds: wait, on: store.resource, body))
    }

    private func checkpointOrphans(_ files: SuiteFiles, _ journal: JournalState, _ remakes: Bool) {
        store.checkpointerState.timing.withLock { $0.isOrphanCheckpointDue = false }
        do {
            guard let present = try Journal.probe(files, known: journal.file),
                present.hasSameNonce(as: journal),
                store.latest.isDamaged
                    || present.header.map(files.checkpointMark)?.generation ?? 0 <= journal.checkpointed
            else {
                // They have been brought in; what has been written since gets a second of its own.
                try store.loader.reload()
                return
            }
            try checkpointWhatWaits(until: .after(milliseconds: 0), remakes: remakes)
            store.recordSuccess(of: .checkpoints)
        } catch {
            // The lock holder may or may not bring them in; if the lock file is gone and the folder is not, nobody
            // will.
            if error.code == .lockTimeout {
                return scheduleForOrphans(
                    in: store.latest, remakes: files.lock == nil || !files.isCurrent())
            }
            if error.code != .readOnly { store.reportLasting(error, in: .checkpoints) }
        }
    }

    /// Records another process's checkpoint, which a load found that began at `moment`.
    func recordFound(at moment: UInt64) {
        store.checkpointerState.timing.withLock { $0.checkpointFound = moment }
    }
}

/// The restart of the journal when nobody writes, if a checkpoint has left records in it that the settings file has.
extension Checkpointer {
    /// Has the journal restarted soon, unless something is written until then: a write schedules a checkpoint of its
    /// own.
    ///
    /// The store is kept alive until then, since nobody else may come.
    private func scheduleJournalRestart() {
        let isFirst = store.checkpointerState.timing.withLock { timing in
            defer { timing.isJournalRestartDue = true }
            return !timing.isJournalRestartDue
        }
        guard isFirst else { return }
        do {
            let store: SettingsStore = store
            try appoint(afterMilliseconds: Checkpointer.idleTime) {
                store.checkpointer.restartJournalWhenDue()
            }
        } catch {
            // If no thread can be had, the journal stays as it is; that does no harm.
            store.checkpointerState.timing.withLock { $0.isJournalRestartDue = false }
        }
    }

    private func restartJournalWhenDue() {
        store.checkpointerState.timing.withLock { $0.isJournalRestartDue = false }
        do {
            try restartIdleJournal(until: .after(milliseconds: 0), isUnasked: true)
            store.recordSuccess(of: .checkpoints)
        } catch {
            if error.code != .lockTimeout, error.code != .readOnly {
                store.reportLasting(error, in: .checkpoints)
            }
        }
    }

    /// Restarts the journal now, if it is fully checkpointed.
    func restartIdleJournal(until deadline: Deadline, isUnasked: Bool = false) throws(DefaultsError) {
        let state = store.latest
        guard let recorded = state.journal, recorded.isFullyCheckpointed,
            let files = state.files
        else { return }
        // What another process has written to it may not be durable yet.
        try store.durability.synchronizeRecords(in: recorded.file, files.location.journalPath)
        try store.writer.withSession(
            until: deadline, reads: false, remakes: false, takesTurn: false, isUnasked: isUnasked
        ) {
            (session) throws(DefaultsError) in
            try JournalRestart(in: store).tryRun(&session, recorded: recorded)
        }
    }
}

/// How long records wait.
extension Checkpointer {
    /// Has records wait so long from the next checkpoint on, in milliseconds.
    func setDelay(milliseconds delay: UInt64) {
        store.checkpointerState.timing.withLock { $0.delay = delay }
    }

    var currentSchedule: CheckpointSchedule { store.checkpointerState.timing.withLock { $0 } }

    /// Has no checkpoint made but those that are asked for, as if one were scheduled already: for tests.
    ///
    /// - Parameter restarts: whether the journal is still restarted when nobody writes.
    /// - Returns: whether none was scheduled.
    @discardableResult
    func hold(restarts: Bool = true) -> Bool {
        let wasDue = store.checkpointerState.isDue.exchange(true, ordering: .sequentiallyConsistent)
        store.checkpointerState.timing.withLock { timing in
            timing.isOrphanCheckpointDue = true
            if !restarts { timing.isJournalRestartDue = true }
        }
        return !wasDue
    }
}

/// What a store's ``Checkpointer`` remembers.
///
/// The ``Checkpointer`` itself is a value, made for each use. It holds the store, which so outlives the call.
final class CheckpointerState: Sendable {
    fileprivate let timing = Locked(CheckpointSchedule())  // A leaf.
    fileprivate let listeners = CheckpointListeners()
    fileprivate let isDue = Atomic<Bool>(false)
    /// Unrequested work does not take the lock: an app that the system suspends may not hold it.
    fileprivate let isResting = Atomic<Bool>(false)
    /// 0 before this process's first commit.
    fileprivate let lastCommit = Atomic<UInt64>(0)
    /// The journal length at which a scheduled checkpoint is made sooner.
    fileprivate let journalLimit = Atomic<Int>(.max)
}

extension SettingsStore {
    var checkpointer: Checkpointer { Checkpointer(store: self) }
}
