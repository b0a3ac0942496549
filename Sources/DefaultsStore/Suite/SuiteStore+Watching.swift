import Synchronization

/// From when on the kernel tells of changes from outside.
///
/// To hear of them takes a thread and a watch, which cost a new process more than all else that a first read does. So the
/// first reads look at the files instead, each one, and many programs that read a few settings never do more. Whoever
/// observes, or has read often enough, begins to listen; from then on what is unchanged costs no system call.
///
/// Proof that nothing is missed: a state counts as the present one without a look only if its epoch was noted after
/// ``startWatching()`` had raised it, which it does when the watch is there.
extension SuiteStore {
    /// The files that count, and who watches them.
    struct Watching {
        var files: SuiteFiles?
        var isOn = false
        var watcher: FileWatcher?
        /// Whether the way to the folder leads elsewhere, which nothing in the folder tells.
        var way: PathWatch?
    }

    /// Looks cost a few microseconds each, and beginning to listen some hundred.
    private static let mostLooks = 32

    /// Whether the kernel tells of changes from outside; in memory there are none.
    package var isWatched: Bool { freshness.isWatched }

    /// Has other files count from now on, watched where that has begun.
    func turn(to files: SuiteFiles) {
        let isOn = watching.withLock { watching in
            watching.files = files
            return watching.isOn
        }
        if isOn { watch(files) }
    }

    /// Begins to listen, unless that is done; where it cannot be, reads go on to look, and begin again later.
    func startWatching() {
        guard !isWatched, !isInherited else { return }
        let files = watching.withLock { watching in
            watching.isOn = true
            return watching.files
        }
        if let files, !watch(files) { return looks.store(0, ordering: .relaxed) }
        watchWay()
        order.withLock { _ in
            if !isWatched { freshness.beginWatched(by: published.load().files?.page) }
        }
    }

    private func watchWay() {
        guard let location, watching.withLock({ $0.way == nil }) else { return }
        let fresh = PathWatch(path: location.folder, to: .place) { [weak self] in self?.noticedWay() }
        let isFirst = watching.withLock { watching in
            guard watching.way == nil else { return false }
            watching.way = fresh
            return true
        }
        // What has happened before it was there is not told by it.
        if isFirst { noticedWay() }
    }

    /// Takes note of something that happened on the way to the folder, mostly to no folder of ours.
    private func noticedWay() {
        guard let files = published.load().files, !files.isCurrent() else { return }
        raiseEpoch()
        if hub.hasSubscriptions { catchUpSoon() }
    }

    /// - Returns: whether changes will be told of.
    @discardableResult
    private func watch(_ files: SuiteFiles) -> Bool {
        let fresh: FileWatcher
        do { fresh = try FileWatcher(files) { [weak self] sight in self?.noticed(sight) } } catch {
            reportStanding(.reading(files.location.folder, error))
            return false
        }
        let old = watching.withLock { watching -> FileWatcher? in
            // Others may have taken their place meanwhile, which their finder watches.
            guard watching.files === files else { return fresh }
            defer { watching.watcher = fresh }
            return watching.watcher
        }
        withExtendedLifetime(old) {}
        return true
    }

    /// Begins to listen if the files were checked often enough, and loads the state that this makes old.
    ///
    /// Called after a checkpoint, on a thread that no writer waits for.
    func startWatchingIfUsed() {
        guard !isWatched, looks.load(ordering: .relaxed) > SuiteStore.mostLooks else { return }
        startWatching()
        do { _ = try state() } catch {
            // The next read or write meets the same error, and reports it.
            raiseEpoch()
        }
    }

    /// Whether a state is the present one: as the notices tell, or else as the files say.
    ///
    /// - Parameter isLocked: whether the caller holds the writer's lock, which others may wait for; then listening begins
    ///   after the next checkpoint instead.
    /// - Cost: three system calls where nobody listens yet.
    func isPresent(_ state: SuiteSnapshot, isLocked: Bool = false) -> Bool {
        if isCurrent(state) { return true }
        guard !isWatched, !isInherited else { return false }
        if looks.add(1, ordering: .relaxed).newValue > SuiteStore.mostLooks, !isLocked {
            startWatching()
            return false
        }
        // Where a file's times may not tell yet, it has to be read.
        return !state.isRecent && !state.isDamaged && state.epoch == epoch && isUntouched(state)
    }
}
