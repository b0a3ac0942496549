import Synchronization

/// When the store begins to listen for the kernel's notifications of changes from outside.
///
/// Listening takes a thread and a watch, which cost a new process more than everything else that a first read does.
/// So each of the first reads checks the files instead, and many programs that read a few settings never do more. The
/// store begins to listen when something observes it, or after enough reads; from then on reading what is unchanged
/// costs no system call.
///
/// Proof that nothing is missed: without a check of the files, a state is current only if its epoch was noted after
/// ``startWatching()`` had raised it, which happens when the watch is in place.
extension SettingsStore {
    /// The files in use, and what watches them.
    struct Watching {
        var files: SuiteFiles?
        var isOn = false
        var watcher: FileWatcher?
        /// Notices when the path to the folder leads elsewhere, which nothing in the folder reveals.
        var way: PathWatch?
    }

    /// A check costs a few microseconds, beginning to listen some hundred.
    private static let mostLooks = 32

    /// Whether the kernel notifies of changes from outside; in memory there are none.
    package var isWatched: Bool { freshness.isWatched }

    /// Puts other files in use, and watches them if listening has begun.
    func turn(to files: SuiteFiles) {
        // Other files are closed with their last reference, which may take its time, so it leaves the lock.
        let (isOn, old) = watching.withLock { watching in
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
        guard !isWatched, !isInherited else { return }
        let (files, isFirst) = watching.withLock { watching in
            defer { watching.isOn = true }
            return (watching.files, !watching.isOn || watching.watcher == nil)
        }
        if let files, isFirst, !watch(files) { return looks.store(0, ordering: .relaxed) }
        watchWay()
        // What is told on a file system that is not local is for observers; readers go on checking.
        guard files?.isLocal == true else { return }
        beginWatched()
        noticed([])
    }

    private func watchWay() {
        guard let location, watching.withLock({ $0.way == nil }) else { return }
        let fresh = PathWatch(path: location.folder, to: .place, in: place) { [weak self] in
            self?.noticedWay()
        }
        let isFirst = watching.withLock { watching in
            guard watching.way == nil else { return false }
            watching.way = fresh
            return true
        }
        // There is no notification of what happened before the watch was in place.
        if isFirst { noticedWay() }
    }

    /// Handles something that happened on the path to the folder; mostly it concerns no folder of ours.
    private func noticedWay() {
        guard let files = published.load().files, !files.isCurrent() else { return }
        raiseEpoch()
        if hub.hasSubscriptions { catchUpSoon() }
    }

    /// Watches files.
    ///
    /// - Returns: whether there will be notifications of changes.
    @discardableResult
    private func watch(_ files: SuiteFiles) -> Bool {
        let fresh: FileWatcher
        do { fresh = try FileWatcher(files, sights, errand) } catch {
            reportStanding(.reading(files.location.folder, error), in: .waking)
            return false
        }
        noteSuccess(of: .waking)
        let old = watching.withLock { watching -> FileWatcher? in
            // Other files may have taken their place in the meantime; whoever found those watches them.
            guard watching.files === files else { return fresh }
            defer { watching.watcher = fresh }
            return watching.watcher
        }
        withExtendedLifetime(old) {}
        return true
    }

    /// Begins to listen if the files have been checked often enough, and loads the state that this makes outdated.
    ///
    /// Called after a checkpoint, on a thread that no writer waits for.
    func startWatchingIfUsed() {
        guard !isWatched, looks.load(ordering: .relaxed) > SettingsStore.mostLooks,
            published.load().files?.isLocal == true
        else { return }
        startWatching()
        do { _ = try state() } catch {
            // The next read or write runs into the same error, and reports it.
            raiseEpoch()
        }
    }

    /// Whether a state is the current one: according to the notifications, or otherwise to the files.
    ///
    /// - Parameter isLocked: whether the caller holds the writer's lock, for which others may be waiting; then
    ///   listening begins after the next checkpoint instead.
    /// - Cost: three system calls while nothing listens; about a dozen on a file system that is not local, and a third
    ///   of that if the files were checked less than 3 ms ago.
    func checkIsPresent(_ state: StoreSnapshot, isLocked: Bool = false) -> Bool {
        if isCurrent(state) { return true }
        guard let files = state.files, !isWatched || files.page == nil, !isInherited else { return false }
        let count = looks.add(1, ordering: .relaxed).newValue
        if files.isLocal, count > SettingsStore.mostLooks, !isLocked {
            startWatching()
            return false
        }
        // If the file's times may not reveal a change yet, it has to be read.
        guard !state.isRecent, !state.isDamaged, state.epoch == epoch else { return false }
        if files.isLocal { return isUntouched(state) }
        // Others' commits are looked for at each read, their saves by hand now and then, but for a writer.
        if !isLocked, freshness.hasLooked, published.isPresent(state) { return files.has(state.generation) }
        let begin = SystemCalls.monotonicNanoseconds
        guard isUntouched(state) else { return false }
        if published.isPresent(state) { freshness.noteLook(at: begin) }
        return true
    }
}

/// The watch of the journal's bytes, which other processes append to without closing the file.
///
/// Only if there are observers: a reader checks the mapped counter.
struct JournalWatch: Sendable {
    let file: JournalFile
    let watch: EventLoop.Watch
}

/// The watch of the settings file's bytes, which a person's program may write without closing the file.
struct SettingsWatch: Sendable {
    let file: SettingsFile.Held
    let watch: EventLoop.Watch
}

extension SettingsStore {
    /// Watches the bytes of the files that are there now, as far as somebody wants to know of them.
    func watchFiles() {
        watchSettings()
        watchJournal()
    }

    /// Watches the settings file that is there now, once something listens.
    ///
    /// A save by renaming is heard of through the folder, and so is the closing of the file after a save in place.
    private func watchSettings() {
        guard isWatched, !isInherited else { return }
        var isNew = false
        while true {
            let state = published.load()
            guard let file = state.held, let files = state.files else { return }
            if settingsWatch.withLock({ $0?.file === file }) { break }
            do {
                let sights = sights
                let watch = try file.watch(in: files.place, errand) { notice in
                    // That the file is gone, because another one has taken its place, is heard of through the folder.
                    guard !notice.isEnd else { return false }
                    sights.add(.beingWritten)
                    return true
                }
                settingsWatch.exchange(SettingsWatch(file: file, watch: watch))
            } catch {
                // It is heard of when it is closed, as on systems where no file can be watched.
                return
            }
            // Another thread may have been here in the meantime, with another file.
            isNew = true
        }
        // There is no notification of what was written between the load and the start of the watch.
        if isNew, isEdited { noticed(.beingWritten) }
    }

    /// Whether the settings file is not the version that was loaded last.
    private var isEdited: Bool {
        let state = published.load()
        do { return try identityOnDisk(state) != state.identity } catch {
            // A load runs into the same error, and reports it.
            return true
        }
    }

    /// Whether the settings file of a state is another one than the one that is watched.
    func isUnwatched(_ file: SettingsFile.Held?) -> Bool {
        file != nil && settingsWatch.withLock { $0?.file !== file }
    }

    /// Watches the journal that is there now, while there are observers.
    func watchJournal() {
        guard !isInherited else { return }
        var isNew = false
        while true {
            let file = fileToWatch
            if journalWatch.withLock({ $0?.file === file }) { break }
            let fresh = file.flatMap(startToWatch)
            isNew = file != nil
            let isRefused = isNew && fresh == nil
            journalWatch.exchange(fresh)
            // If no watch can be had, the journal is checked once a second, as the folder is.
            if isRefused {
                lookAgain(afterMilliseconds: 1_000)
                break
            }
            // Another thread may have been here in the meantime, for another file or another observer.
        }
        // There is no notification of what was appended between the load that found the file and the start of the
        // watch.
        if isNew, hasForeignRecords { catchUpSoon() }
    }

    private var fileToWatch: JournalFile? { hub.hasSubscriptions ? published.load().journal?.file : nil }

    private func startToWatch(_ file: JournalFile) -> JournalWatch? {
        do {
            let (sights, page) = (sights, published.load().files?.page)
            let watch = try EventLoop.shared.watch(file.descriptor, for: .bytes, in: place, errand) { _ in
                // Mostly it is a commit of this process, which has been published by now.
                guard page?.number != sights.generation.load(ordering: .relaxed) else { return false }
                sights.add(.recorded)
                return true
            }
            return JournalWatch(file: file, watch: watch)
        } catch { return nil }
    }
}

/// What a notification from the kernel leads to: caches are outdated, and observers are notified.
extension SettingsStore {
    /// Has the files checked once more when they have had time to come to rest.
    ///
    /// - Parameter purpose: what for; if a check is scheduled already, it serves both.
    func lookAgain(_ purpose: SecondLook = .atAll, afterMilliseconds time: UInt64 = 60) {
        let isFirst = order.withLock { order in
            let isFirst = order.secondLook == .none
            if order.secondLook != .atAll { order.secondLook = purpose }
            return isFirst
        }
        guard isFirst, !isInherited else { return }
        do {
            try EventLoop.shared.schedule(afterMilliseconds: time, in: place) { [weak self] in
                self?.takeSecondLook()
            }
            noteSuccess(of: .waking)
        } catch {
            order.withLock { $0.secondLook = .none }
            reportStanding(.writing(location?.path ?? "", error), in: .waking)
        }
    }

    private func takeSecondLook() {
        let purpose = order.withLock { order in
            defer { order.secondLook = .none }
            return order.secondLook
        }
        // If there are only readers, the next one of them checks.
        guard purpose == .atRecentFile, hub.hasSubscriptions else { return noticed(.written) }
        verifyRecentFile()
    }

    /// Verifies that a settings file is what was read of it, at a time when its times might not have revealed a
    /// change.
    ///
    /// If it is, nothing has to be loaded, and observers need not wait for that.
    private func verifyRecentFile() {
        let state = published.load()
        guard state.isRecent else { return }
        let moment = SystemCalls.wallNanoseconds
        do {
            guard !state.isDamaged, let files = state.files, let identity = state.identity, files.isCurrent(),
                try SettingsFile.stillIs(identity, state.values.document.bytes, files)
            else { return noticed(.written) }
            if !publish(verified: state, identity, files, readSince: moment) { lookAgain(.atRecentFile) }
        } catch {
            // The load that follows runs into the same error, and reports it.
            noticed(.written)
        }
    }

    /// Where background work on the files is done.
    var place: WorkerPool.Place { published.load().files?.place ?? .people }

    /// What sees to what has happened to the files.
    var errand: Errand {
        seeing.load() ?? seeing.storeIfNil(Errand { [weak self] in self?.seeToSights() })
    }

    /// Has something that has happened to the files seen to soon.
    func noticed(_ kind: Sights.Kind) {
        sights.add(kind)
        afterSession { [weak self] in
            guard let self else { return }
            WorkerPool.shared.run(errand, in: place)
        }
    }

    /// Has the observers hear of what the files have now.
    func catchUpSoon() { noticed(.untold) }

    /// Sees to what has happened to the files: makes what is cached of them outdated, and loads them for the observers.
    ///
    /// By one thread at a time: a checkpoint causes many notifications, which one or two loads cover.
    private func seeToSights() {
        let kind = sights.take()
        if kind.contains(.beingWritten) { lookAgain(afterMilliseconds: SettingsStore.patienceWithWriters) }
        var isUntold = kind.contains(.untold)
        if kind.contains(.written) || kind.contains(.replaced) && isReplaced {
            if let page = published.load().files?.page { noteGeneration(page.number) }
            if Failpoint.noticesRaiseEpoch.isOn { raiseEpoch() }
            isUntold = true
        }
        if kind.contains(.recorded), hasForeignRecords { isUntold = true }
        if isUntold, hub.hasSubscriptions { catchUp() }
        // Records alone leave the files as they are.
        if kind != .recorded { watchFiles() }
    }

    /// How long a program that has the settings file open is given, in milliseconds: what it has written so far is
    /// hardly ever a whole file, and most close the file at once.
    private static let patienceWithWriters: UInt64 = 60

    /// Whether files other than those of the published state have their names now.
    private var isReplaced: Bool {
        guard !deferNotices() else { return false }
        // Our own commit may have put another file in place, for which nothing has to be loaded.
        return !isUntouched(published.load())
    }

    /// Whether the journal may have records that the published state does not have.
    var hasForeignRecords: Bool {
        let isOurs = deferNotices()
        let present = published.load()
        return !isOurs && present.files?.page?.number != present.generation
    }

    /// Loads the files for the observers, who are told when this has left its place.
    private func catchUp() {
        let pending: [Subscription]
        do throws(DefaultsError) { pending = try reloadSilently().pending } catch {
            reportStanding(error)
            // There need not be a notification of what makes the files readable again.
            return lookAgain(afterMilliseconds: 500)
        }
        WorkerPool.shared.deliver(pending.dropLast())
        if let last = pending.last { WorkerPool.shared.tell { last.deliver() } }
    }

    /// Handles the notifications that arrived during a commit of this process; mostly they are about that commit
    /// itself.
    func catchUpOnNotices() {
        guard missedNotice.load(ordering: .relaxed) else { return }
        missedNotice.store(false, ordering: .relaxed)
        noticed(.replaced)
    }

    /// Whether the files are those of a state, as after a commit of our own.
    func isUntouched(_ snapshot: StoreSnapshot) -> Bool {
        guard let files = snapshot.files, !snapshot.isUnread, files.isCurrent(),
            files.has(snapshot.generation)
        else { return false }
        do {
            guard try SettingsFile.status(files)?.identity == snapshot.identity else { return false }
            // A journal that has appeared has to be watched before its first record arrives.
            return try Journal.isInPlace(snapshot.journal, files)
        } catch { return false }
    }
}
