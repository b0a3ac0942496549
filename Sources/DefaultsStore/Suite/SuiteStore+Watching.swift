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
extension SuiteStore {
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
        order.withLock { _ in
            if !isWatched { freshness.beginWatched(by: published.load().files?.page) }
        }
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
        guard !isWatched, looks.load(ordering: .relaxed) > SuiteStore.mostLooks,
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
    func isPresent(_ state: SuiteSnapshot, isLocked: Bool = false) -> Bool {
        if isCurrent(state) { return true }
        guard let files = state.files, !isWatched || files.page == nil, !isInherited else { return false }
        let count = looks.add(1, ordering: .relaxed).newValue
        if files.isLocal, count > SuiteStore.mostLooks, !isLocked {
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
