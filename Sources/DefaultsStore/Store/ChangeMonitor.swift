import Synchronization

/// Notices what others do to a store's files: has the kernel notify it, checks the files itself until the kernel does, and
/// has the observers catch up.
///
/// Listening takes a thread and a watch, which cost a new process more than everything else that a first read does.
/// So each of the first reads checks the files instead, and many programs that read a few settings never do more. The
/// monitor begins to listen when something observes the store, or after enough reads; from then on reading what is
/// unchanged costs no system call.
///
/// Proof that nothing is missed: without a check of the files, a state is current only if its epoch was recorded after
/// ``startWatching()`` had raised it, which happens when the watch is in place.
struct ChangeMonitor: Sendable {
    /// The files in use, and what watches them.
    fileprivate struct Watching {
        var files: SuiteFiles?
        var isOn = false
        var watcher: FileWatcher?
        /// Notices when the path to the folder leads elsewhere, which nothing in the folder reveals.
        var way: PathWatch?
        var secondCheck = SecondCheck.none
    }

    /// What a scheduled second check of the files is for.
    enum SecondCheck: Sendable {
        case none
        /// A settings file whose times may not have revealed a change.
        case atRecentFile
        case atAll
    }

    /// What tells of the records of other processes, who append them without closing the journal.
    fileprivate enum RecordsSource: Sendable {
        /// The bell, which others ring when they have given the lock back.
        case bell(SuiteFiles, MappedPage)
        /// The journal's bytes, where the bell cannot be heard; and the generation that tells whether what was appended
        /// is known already, another one after the lock file was made again.
        case journal(JournalFile, MappedPage?)

        func isSame(as other: RecordsSource) -> Bool {
            switch (self, other) {
            case (.bell(let files, _), .bell(let others, _)): files === others
            case (.journal(let file, let page), .journal(let other, let others)):
                file === other && page === others
            default: false
            }
        }
    }

    /// The watch of such a source.
    fileprivate struct RecordsWatch: Sendable {
        let source: RecordsSource
        let watch: EventLoop.Watch
    }

    /// The watch of the settings file's bytes, which a person's program may write without closing the file.
    fileprivate struct SettingsWatch: Sendable {
        let file: SettingsFile.Held
        let watch: EventLoop.Watch
    }

    /// A check costs a few microseconds, beginning to listen some hundred.
    private static let mostChecks = 32
    /// How long a program that has the settings file open is given, in milliseconds: its bytes so far are
    /// hardly ever a whole file, and most programs close the file at once.
    private static let openWriterGraceInMilliseconds: UInt64 = 60

    fileprivate let store: SettingsStore
}

/// When listening begins.
extension ChangeMonitor {
    /// Puts other files in use, and watches them if listening has begun.
    func turn(to files: SuiteFiles) {
        // Other files are closed with their last reference, which may take its time, so it leaves the lock.
        let (isOn, old) = store.monitorState.watching.withLock { watching in
            let old = watching.files
            watching.files = files
            return (watching.isOn, old)
        }
        withExtendedLifetime(old) {}
        if isOn { watch(files) }
    }

    /// Begins to listen, unless that has been done.
    ///
    /// If it is not possible, reads go on checking the files, and it is tried again later.
    func startWatching() {
        guard !store.isWatched else { return }
        let (files, isFirst) = store.monitorState.watching.withLock { watching in
            defer { watching.isOn = true }
            return (watching.files, !watching.isOn || watching.watcher == nil)
        }
        if let files, isFirst, !watch(files) { return store.monitorState.checks.store(0, ordering: .relaxed) }
        watchWay()
        // What is told on a file system that is not local is for observers; readers go on checking.
        guard files?.isLocal == true else { return }
        store.beginWatched()
        watchSoon()
    }

    /// Begins to listen if the files have been checked often enough, and loads the state that this makes outdated.
    ///
    /// Called after a checkpoint, on a thread that no writer waits for.
    func startWatchingIfUsed() {
        guard !store.isWatched, store.monitorState.checks.load(ordering: .relaxed) > ChangeMonitor.mostChecks,
            store.latest.files?.isLocal == true
        else { return }
        startWatching()
        do { _ = try store.state() } catch {
            // The next read or write runs into the same error, and reports it.
            store.raiseEpoch()
        }
    }

    /// Asks the kernel for notifications about these files.
    ///
    /// - Returns: whether there will be notifications of changes.
    @discardableResult
    private func watch(_ files: SuiteFiles) -> Bool {
        let fresh: FileWatcher
        let note: @Sendable (SystemError?) -> Void = { [weak store = store] in
            store?.monitor.record(refusal: $0, files.location)
        }
        do { fresh = try FileWatcher(files, store.monitorState.sights, work, note: note) } catch {
            recordWakeUp(refusal: error)
            beginAgainSoon()
            return false
        }
        recordWakeUp(refusal: nil)
        let old = store.monitorState.watching.withLock { watching -> FileWatcher? in
            // Other files may have taken their place in the meantime; whoever found those watches them.
            guard watching.files === files else { return fresh }
            defer { watching.watcher = fresh }
            return watching.watcher
        }
        withExtendedLifetime(old) {}
        return true
    }

    /// Begins to listen once a thread can be had; until then each read checks the files.
    private func beginAgainSoon() {
        guard !store.monitorState.isToBegin.exchange(true, ordering: .relaxed) else { return }
        EventLoop.shared.scheduleAnyway(afterMilliseconds: 250, on: store.resource) { [weak store = store] in
            guard let store else { return }
            store.monitorState.isToBegin.store(false, ordering: .relaxed)
            store.monitor.startWatching()
            store.monitor.catchUpSoon()
        }
    }

    /// Nil once somebody is woken.
    func recordWakeUp(refusal: SystemError?) {
        guard let refusal else { return store.recordSuccess(of: .waking) }
        store.reportLasting(.reading(store.path ?? "", refusal), in: .waking)
    }

    /// Nil once the kernel notifies of everything.
    private func record(refusal: SystemError?, _ location: SuiteLocation) {
        guard let refusal else { return store.recordSuccess(of: .watching) }
        guard let recoverySuggestion = refusal.suggestionForWatching else { return }
        var error = DefaultsError.reading(location.folder, refusal).advising(recoverySuggestion)
        error.underlyingDescription = "the files are looked at instead, up to four times a second"
        store.reportLasting(error, in: .watching)
    }

    /// Records whether the kernel notifies of a part of the files.
    ///
    /// - Returns: false if nobody polls them instead.
    @discardableResult
    private func record(_ part: FileWatcher.Part, refusal: SystemError?) -> Bool {
        guard let watcher = store.monitorState.watching.withLock({ $0.watcher }) else { return false }
        watcher.record(part, refusal: refusal)
        return true
    }

    private func watchWay() {
        guard let location = store.location, store.monitorState.watching.withLock({ $0.way == nil }) else {
            return
        }
        let fresh = PathWatch(path: location.folder, to: .place, on: store.resource) { [weak store = store] in
            guard let store else { return }
            store.monitor.noticedWay()
        }
        let isFirst = store.monitorState.watching.withLock { watching in
            guard watching.way == nil else { return false }
            watching.way = fresh
            return true
        }
        // There is no notification of what happened before the watch was in place.
        if isFirst { noticedWay() }
    }

    /// Handles something that happened on the path to the folder; mostly it concerns no folder of ours.
    private func noticedWay() {
        guard let files = store.latest.files, !files.isCurrent() else { return }
        store.raiseEpoch()
        if store.hasObservers { catchUpSoon() }
    }
}

/// Checks of the files: by each read while nothing listens, and once more where a file has to come to rest.
extension ChangeMonitor {
    /// Whether a state is the current one: according to the notifications, or otherwise to the files.
    ///
    /// - Parameter isLocked: whether the caller holds the writer's lock, for which others may be waiting; then
    ///   listening begins after the next checkpoint instead.
    /// - Cost: three system calls while nothing listens; about a dozen on a file system that is not local, and a third
    ///   of that if the files were checked less than 3 ms ago.
    func checkIsPresent(_ state: StoreSnapshot, isLocked: Bool = false) -> Bool {
        if store.isCurrent(state) { return true }
        guard let files = state.files, !store.isWatched || files.page == nil else { return false }
        let count = store.monitorState.checks.add(1, ordering: .relaxed).newValue
        if files.isLocal, count > ChangeMonitor.mostChecks, !isLocked {
            startWatching()
            return false
        }
        // If the file's times may not reveal a change yet, it has to be read.
        guard !state.isRecent, !state.isDamaged, state.epoch == store.epoch else { return false }
        if files.isLocal { return !differ(from: state) }
        // Others' commits are looked for at each read, their saves by hand now and then, but for a writer.
        if !isLocked, store.hasChecked, store.isLatest(state) {
            return files.has(state.generation)
        }
        let begin = SystemCalls.monotonicNanoseconds
        guard !differ(from: state) else { return false }
        store.recordCheck(at: begin, finding: state)
        return true
    }

    /// Has the files checked again, and watched, where a load that has found a state leaves that to be done.
    func followUp(_ snapshot: StoreSnapshot) {
        let isYoung = snapshot.damage.map { SystemCalls.monotonicNanoseconds < $0.gracePeriodEnds }
        // While nothing listens, each read checks the files anyway.
        if store.isWatched {
            if isYoung == true || isAdrift(snapshot) { checkAgain() }
            if snapshot.isRecent { checkAgain(.atRecentFile) }
            if isWithoutLockFile(snapshot) { checkAgain(afterMilliseconds: 250) }
            if isUnwatched(snapshot.held) { watchSoon() }
        }
        if store.hasObservers { watchRecords() }
    }

    /// Whether the files were removed, and there may be no notification of those that take their place.
    private func isAdrift(_ snapshot: StoreSnapshot) -> Bool {
        snapshot.files?.isWritable == true && differ(.place, from: snapshot)
    }

    /// Whether somebody has removed the lock file, and is perhaps about to remove the folder.
    ///
    /// The kernel does not notify of the end of a folder that is held open, and until a writer creates the lock file
    /// again its disappearance goes unnoticed.
    private func isWithoutLockFile(_ snapshot: StoreSnapshot) -> Bool {
        guard let files = snapshot.files else { return false }
        return files.isWritable && files.lockIdentity == nil
    }

    private func isUnwatched(_ file: SettingsFile.Held?) -> Bool {
        file != nil && store.monitorState.settingsWatch.withLock { $0?.file !== file }
    }

    var isCheckDue: Bool { store.monitorState.watching.withLock { $0.secondCheck != .none } }

    /// Has the files checked once more when they have had time to come to rest.
    ///
    /// - Parameter purpose: what for; if a check is scheduled already, it serves both.
    func checkAgain(_ purpose: SecondCheck = .atAll, afterMilliseconds time: UInt64 = 60) {
        let isFirst = store.monitorState.watching.withLock { watching in
            let isFirst = watching.secondCheck == .none
            if watching.secondCheck != .atAll { watching.secondCheck = purpose }
            return isFirst
        }
        guard isFirst else { return }
        recordWakeUp(
            refusal: EventLoop.shared.scheduleAnyway(afterMilliseconds: time, on: store.resource) {
                [weak store = store] in
                guard let store else { return }
                store.monitor.takeSecondCheck()
            })
    }

    private func takeSecondCheck() {
        let purpose = store.monitorState.watching.withLock { watching in
            defer { watching.secondCheck = .none }
            return watching.secondCheck
        }
        // If there are only readers, the next one of them checks.
        guard purpose == .atRecentFile, store.hasObservers else { return noticed(.written) }
        verifyRecentFile()
    }

    /// Verifies that a settings file is what was read of it, at a time when its times might not have revealed a
    /// change.
    ///
    /// If it is, nothing has to be loaded, and observers need not wait for that.
    private func verifyRecentFile() {
        let state = store.latest
        guard state.isRecent else { return }
        let time = SystemCalls.wallNanoseconds
        do {
            guard !state.isDamaged, let files = state.files, let identity = state.identity, files.isCurrent(),
                try SettingsFile.stillIs(identity, state.values.document.bytes, files)
            else { return noticed(.written) }
            if !store.publish(verified: state, identity, files, readSince: time) {
                checkAgain(.atRecentFile)
            }
        } catch {
            // The load that follows runs into the same error, and reports it.
            noticed(.written)
        }
    }

    /// Whether files, or parts of them, are no longer those of a state; a load finds out why they cannot be checked.
    private func differ(_ parts: Standing.Parts = .all, from state: StoreSnapshot) -> Bool {
        do { return try state.standing(in: parts) != .same } catch { return true }
    }
}

/// Watches of the files' bytes, of which the folder tells nothing.
extension ChangeMonitor {
    /// Watches the settings file that is there now, once something listens.
    ///
    /// A save by renaming is heard of through the folder, and so is the closing of the file after a save in place.
    private func watchSettings() {
        guard store.isWatched else { return }
        var isNew = false
        while true {
            let state = store.latest
            guard let file = state.held, let files = state.files else { return }
            if !isUnwatched(file) { break }
            do {
                let sights = store.monitorState.sights
                let watch = try file.watch(on: files.resource, work) { notice in
                    // That the file is gone, because another one has taken its place, is heard of through the folder.
                    guard !notice.isEnd else { return false }
                    sights.add(.beingWritten)
                    return true
                }
                store.monitorState.settingsWatch.exchange(SettingsWatch(file: file, watch: watch))
                record(.settings, refusal: nil)
            } catch {
                // Mostly it is heard of when it is closed.
                record(.settings, refusal: error)
                return
            }
            // Another thread may have been here in the meantime, with another file.
            isNew = true
        }
        // There is no notification of what was written between the load and the start of the watch.
        if isNew, differ(.settings, from: store.latest) { noticed(.beingWritten) }
    }

    /// Watches what tells of the records of other processes, while there are observers.
    func watchRecords() {
        // The end of an observation calls this in a refused child as well.
        guard !Fork.isRefused else { return }
        var isNew = false
        while true {
            let source = recordsSource
            let isWatched = store.monitorState.recordsWatch.withLock { watch in
                source.map { watch?.source.isSame(as: $0) == true } ?? (watch == nil)
            }
            if isWatched { break }
            isNew = source != nil
            do {
                let fresh = try source.map { (source) throws(SystemError) in try startToWatch(source) }
                store.monitorState.recordsWatch.exchange(fresh)
                record(.journal, refusal: nil)
            } catch {
                store.monitorState.recordsWatch.exchange(nil)
                if !record(.journal, refusal: error) { checkAgain(afterMilliseconds: 1_000) }
                break
            }
            // F24: before the look at the generation. If the note is refused, the source is another one.
            if case .bell(let files, _) = source { _ = files.markListener() }
            // Another thread may have been here in the meantime, for another file or another observer.
        }
        // There is no notification of what was appended between the load that found the file and the start of the
        // watch.
        if isNew, hasForeignRecords { catchUpSoon() }
    }

    /// Runs a short body with the journal that is watched, while no thread watches anything else for records; nil if the
    /// bell tells of them.
    func withWatchedJournal<Result: Sendable, Failure: Error>(
        _ body: (JournalFile?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try store.monitorState.recordsWatch.withLock { (watch) throws(Failure) in
            if case .journal(let file, _) = watch?.source { try body(file) } else { try body(nil) }
        }
    }

    var hearsDoorbell: Bool {
        store.monitorState.recordsWatch.withLock {
            if case .bell(let files, _) = $0?.source { files === store.latest.files } else { false }
        }
    }

    /// What there is to watch: nothing if nobody observes, since a reader checks the mapped counter, or if there is no
    /// journal yet.
    private var recordsSource: RecordsSource? {
        guard store.hasObservers else { return nil }
        let state = store.latest
        if let files = state.files, let page = files.page, files.hasDoorbell { return .bell(files, page) }
        return state.journal.map { .journal($0.file, state.files?.page) }
    }

    private func startToWatch(_ source: RecordsSource) throws(SystemError) -> RecordsWatch {
        let sights = store.monitorState.sights
        let watch: EventLoop.Watch
        switch source {
        case .bell(let files, let page):
            watch = try files.watchDoorbell(work) {
                // Mostly it is a commit of this process, which has been published by now.
                let isKnown = page.number == sights.generation.load(ordering: .relaxed)
                guard !isKnown || !page.hasRecentListener else { return false }
                sights.add(.recorded)
                return true
            }
        case .journal(let file, let page):
            watch = try EventLoop.shared.watch(file.descriptor, for: .bytes, on: store.resource, work) {
                _ in
                guard page?.number != sights.generation.load(ordering: .relaxed) else { return false }
                sights.add(.recorded)
                return true
            }
        }
        return RecordsWatch(source: source, watch: watch)
    }

    /// Makes sure that whoever writes from now on wakes this process, before it checks for records (F24).
    private func keepListening() {
        let files = store.monitorState.recordsWatch.withLock { watch -> SuiteFiles? in
            if case .bell(let files, _) = watch?.source { files } else { nil }
        }
        if let files, !files.markListener() { watchRecords() }
    }
}

/// How others are woken.
extension ChangeMonitor {
    /// Wakes the processes that listen, if this one has raised the generation; no lock is held (F24).
    ///
    /// - Cost: one system call if anybody listens.
    func wakeListeners() {
        let due = store.withLatest { state in state.files?.isToRing == true ? state.files : nil }
        guard let files = due, Failpoint.wakesListeners.isOn else { return }
        do { try files.ring() } catch {
            store.reportLasting(.reading(files.location.lockPath, error), in: .waking)
        }
    }
}

/// What a notification leads to: caches are outdated, and observers are notified.
extension ChangeMonitor {
    /// Handles what has happened to the files.
    var work: CoalescedWork {
        store.monitorState.seeing.load()
            ?? store.monitorState.seeing.storeIfNil(
                CoalescedWork { [weak store = store] in
                    guard let store else { return }
                    store.monitor.seeToSights()
                })
    }

    /// Has an event handled soon.
    func noticed(_ kind: PendingEvents.Kind) {
        store.monitorState.sights.add(kind)
        store.writer.afterSession { [weak store = store] in
            guard let store else { return }
            WorkerPool.shared.run(store.monitor.work, on: store.resource)
        }
    }

    /// Notifies the observers of the present files soon.
    func catchUpSoon() { noticed(.untold) }

    /// Has the present files watched, though nothing has happened to them.
    private func watchSoon() { noticed([]) }

    func recordPublished(_ generation: UInt64) {
        store.monitorState.sights.generation.store(generation, ordering: .relaxed)
    }

    /// Records that a notice is deferred: it came during a commit of this process, and is seen to when that is over.
    ///
    /// Called under the last lock that a commit takes.
    func deferNotice() { store.monitorState.hasDeferredNotice.store(true, ordering: .relaxed) }

    var hasDeferredNotice: Bool { store.monitorState.hasDeferredNotice.load(ordering: .relaxed) }

    /// Handles the notifications that arrived during a commit of this process; mostly they are about that commit
    /// itself.
    func seeToDeferredNotices() {
        guard hasDeferredNotice else { return }
        store.monitorState.hasDeferredNotice.store(false, ordering: .relaxed)
        noticed(.replaced)
    }

    /// Sees to what has happened to the files: makes what is cached of them outdated, and loads them for the observers.
    ///
    /// By one thread at a time: a checkpoint causes many notifications, which one or two loads cover.
    private func seeToSights() {
        let kind = store.monitorState.sights.take()
        keepListening()
        if kind.contains(.beingWritten) {
            checkAgain(afterMilliseconds: ChangeMonitor.openWriterGraceInMilliseconds)
        }
        var isUntold = kind.contains(.untold)
        if kind.contains(.written) || kind.contains(.replaced) && isReplaced {
            if let page = store.latest.files?.page { store.recordGeneration(page.number) }
            store.raiseEpoch()
            isUntold = true
        }
        if kind.contains(.recorded), hasForeignRecords { isUntold = true }
        if isUntold, store.hasObservers { catchUp() }
        // Records alone leave the files as they are.
        if kind != .recorded {
            watchSettings()
            watchRecords()
        }
    }

    /// Whether files other than those of the published state have their names now.
    private var isReplaced: Bool {
        guard !store.tryDeferNotice() else { return false }
        // Our own commit may have put another file in place, for which nothing has to be loaded.
        return differ(from: store.latest)
    }

    /// Whether the journal may have records that the published state does not have.
    private var hasForeignRecords: Bool {
        !store.tryDeferNotice() && differ(.generation, from: store.latest)
    }

    /// Loads the files for the observers, who are notified when this has left its place.
    private func catchUp() {
        let pending: [ObserverSubscription]
        do throws(DefaultsError) { pending = try store.loader.reloadSilently().pending } catch {
            store.reportLasting(error)
            // There need not be a notification of what makes the files readable again.
            return checkAgain(afterMilliseconds: 500)
        }
        WorkerPool.shared.deliver(pending.dropLast())
        if let last = pending.last { WorkerPool.shared.runUserCode { last.deliver() } }
    }
}

/// What a store's ``ChangeMonitor`` remembers.
///
/// The ``ChangeMonitor`` itself is a value, made for each use. It holds the store, which so outlives the call.
final class ChangeMonitorState: Sendable {
    fileprivate let watching = Locked(ChangeMonitor.Watching())  // A leaf.
    fileprivate let recordsWatch = Locked<ChangeMonitor.RecordsWatch?>(nil)  // A leaf.
    fileprivate let settingsWatch = Locked<ChangeMonitor.SettingsWatch?>(nil)  // A leaf.
    fileprivate let sights = PendingEvents()
    fileprivate let seeing = LazyReference<CoalescedWork>()
    /// Once a thread can be had.
    fileprivate let isToBegin = Atomic<Bool>(false)
    /// How often the files were checked because the kernel does not notify of changes yet.
    fileprivate let checks = Atomic<Int>(0)
    /// Set by a notification during a commit of this process.
    fileprivate let hasDeferredNotice = Atomic<Bool>(false)
}

extension SettingsStore {
    var monitor: ChangeMonitor { ChangeMonitor(store: self) }
}
