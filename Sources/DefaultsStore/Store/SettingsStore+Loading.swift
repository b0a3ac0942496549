import Synchronization

/// How the current state becomes known: by a read that finds the published one outdated, or by a notification.
extension SettingsStore {
    /// Returns the current state.
    ///
    /// - Cost: a few atomic operations while nothing changes; otherwise a load from the files, which waits for no
    ///   writer.
    /// - Throws: `.io`, `.insecureDirectory` if nothing could be read.
    package func state() throws(DefaultsError) -> StoreSnapshot {
        let present = published.load()
        return checkIsPresent(present) ? present : try reload()
    }

    /// Loads the state again and publishes it, unless something newer has been published in the meantime.
    @discardableResult
    func reload() throws(DefaultsError) -> StoreSnapshot { tellObservers(of: try reloadSilently()) }

    /// Returns the current state if only records have been added since the one published last.
    ///
    /// - Cost: if there are any, one `stat`, one read per 4 KiB of them, and one more if a few are long; no lock is
    ///   held meanwhile.
    /// - Returns: nil if there is more to do; ``state()`` does it, and throws what this may have run into.
    @inline(never)
    func stateBehind() -> (state: StoreSnapshot, moment: UInt64)? {
        do {
            let present = published.load()
            // Without a mapped page no moment can be told.
            guard present.counterAddress != 0, let loaded = try loadNewRecords(behind: present, nextTicket())
            else { return nil }
            let next = tellObservers(of: loaded)
            return freshness.moment(of: next).map { (next, $0) }
        } catch { return nil }
    }

    /// Loads through files that were just opened in place of removed ones.
    func adopt(_ files: SuiteFiles) throws(DefaultsError) {
        _ = tellObservers(of: try load(through: files, nextTicket()))
    }

    /// What a load has found and published, and the observers that have to be notified of it.
    struct Loaded {
        let snapshot: StoreSnapshot
        var pending: [Subscription] = []
        /// Whether it was not published, because another load may have looked later.
        var isOvertaken = false
    }

    /// The only keys in which a loaded state differs from another one.
    struct Difference {
        let base: StoreSnapshot
        let touched: Set<KeyName>
    }

    /// How often a load that another one may have overtaken is repeated.
    private static let repetitions = 4

    private func nextTicket() -> UInt64 { tickets.add(1, ordering: .acquiringAndReleasing).newValue }

    /// Loads the state again and publishes it; the caller notifies the observers.
    func reloadSilently() throws(DefaultsError) -> Loaded {
        var loaded = try loadOnce()
        // Nobody else would notify of a save that only this load has seen.
        for _ in 0..<SettingsStore.repetitions where loaded.isOvertaken { loaded = try loadOnce() }
        return loaded
    }

    private func loadOnce() throws(DefaultsError) -> Loaded {
        let ticket = nextTicket()
        let previous = published.load()
        guard previous.files != nil else { return Loaded(snapshot: republish()) }
        if let next = try loadNewRecords(behind: previous, ticket) { return next }
        return try load(through: try presentFiles(previous), ticket)
    }

    private func loadNewRecords(behind previous: StoreSnapshot, _ ticket: UInt64) throws(DefaultsError)
        -> Loaded?
    {
        // Nobody needs to know if nobody observes; whoever begins to meanwhile is compared with all keys.
        var touched: Set<KeyName>? = hub.hasSubscriptions ? [] : nil
        let found = try StoreLoading.withNewRecords(
            previous, epoch: epoch, isTold: isWatched, touched: &touched)
        guard let next = found else { return nil }
        let loaded = publish(loaded: next, ticket, touched.map { Difference(base: previous, touched: $0) })
        if next.isRecent { lookAgain(.atRecentFile) }
        if next.values.isPending { scheduleOrphanCheckpoint(next) }
        return loaded
    }

    private func load(through files: SuiteFiles, _ ticket: UInt64) throws(DefaultsError) -> Loaded {
        let begin = SystemCalls.monotonicNanoseconds
        let previous = published.load()
        let snapshot = try StoreLoading.load(after: previous, files: files) { epoch }
        if snapshot.isCheckpointed(since: previous) {
            checkpointing.withLock { $0.checkpointFound = begin }
        }
        let loaded = publish(loaded: snapshot, ticket)
        // It says nothing of another state.
        if published.load() === snapshot { freshness.noteLook(at: begin) }
        followUp(snapshot)
        if previous.isDamaged, !snapshot.isDamaged { resumeCheckpoints() }
        return loaded
    }

    /// Has the observers notified of what a load has found, on another thread, because the caller only wanted to
    /// read.
    private func tellObservers(of loaded: Loaded) -> StoreSnapshot {
        let pending = loaded.pending
        // Not by the courier alone: if it can start no thread, it runs its work on the thread that brings it.
        if !pending.isEmpty { tell { WorkerPool.shared.deliver(pending) } }
        return loaded.snapshot
    }

    /// Publishes the same state under the current epoch: in memory only a commit can change anything.
    private func republish() -> StoreSnapshot {
        let noted = epoch
        // Loaded and stored in one step, or a commit in between would be undone.
        return order.withLock { _ in
            let previous = published.load()
            let snapshot = StoreSnapshot(
                values: previous.values, generation: previous.generation, epoch: noted, identity: nil,
                files: nil, journal: nil, begun: previous.begun)
            return (snapshot, published.store(snapshot))
        }.0
    }

    /// Returns the open files, or those that have taken their place.
    private func presentFiles(_ previous: StoreSnapshot) throws(DefaultsError) -> SuiteFiles {
        guard let files = previous.files, let location else { throw DefaultsError(.io) }
        guard !files.isCurrent() else { return files }
        guard let fresh = try SuiteFiles.openExisting(location) else {
            // The kernel sends no notification about a folder that is not there, so it has to be checked until it is.
            if isWatched { lookAgain() }
            return files
        }
        turn(to: fresh)
        return fresh
    }

    /// Publishes what a load has found, unless something newer has been published.
    ///
    /// - Parameters:
    ///   - ticket: drawn when the load began.
    ///   - difference: what the load has changed, if that is known.
    func publish(loaded snapshot: StoreSnapshot, _ ticket: UInt64, _ difference: Difference? = nil) -> Loaded
    {
        forgetFailures(ofValuesReplacedBy: snapshot)
        var loaded = Loaded(snapshot: snapshot)
        // Released when this returns, after the locks.
        var displaced = VersionCell.Displaced()
        // Another state may have been published meanwhile, which differs in other keys too.
        loaded.pending = hub.replace(
            touched: difference.flatMap { published.isPresent($0.base) ? $0.touched : nil },
            values: { published.load().values }
        ) {
            order.withLock { order in
                // A load that is overtaken by a commit of this process does not publish what it found: the thread
                // that makes the commit publishes it, with the right cause.
                if order.isCommitting { missedNotice.store(true, ordering: .relaxed) }
                guard !order.isCommitting else { return nil }
                let old = published.load()
                guard !snapshot.isOlder(than: old) else { return nil }
                // Of two loads at the same time the one that began later may have read the files earlier. Only what
                // is loaded from now on is known to be newer than this.
                guard ticket > order.lastTicket || snapshot.hasAll(of: old) else {
                    loaded.isOvertaken = true
                    return nil
                }
                order.lastTicket = nextTicket()
                // Without this, a state that no notification has announced would share its moment with the previous
                // one in the caches.
                if snapshot.isUntold(since: old) { freshness.raise() }
                displaced = put(snapshot)
                return snapshot.cause(since: old)
            }
        }
        withExtendedLifetime(displaced) {}
        return loaded
    }

    /// Forgets what was wrong with values that are others now; those who read them find out anew.
    private func forgetFailures(ofValuesReplacedBy next: StoreSnapshot) {
        guard FailureLog.isAnyStanding else { return }
        let present = published.load()
        for log in listeningLogs {
            log.forgetStandingOfValues { key in
                let key = KeyName(key)
                return next.values.value(forKey: key) != present.values.value(forKey: key)
            }
        }
    }

    /// Does what a load leaves to be done: report damage, check again later, complete what a dead writer left.
    private func followUp(_ snapshot: StoreSnapshot) {
        report(snapshot)
        let isYoung = snapshot.damage.map { SystemCalls.monotonicNanoseconds < $0.patienceEnds }
        // While nothing listens, each read checks the files anyway.
        if isWatched {
            if isYoung == true || isAdrift(snapshot) { lookAgain() }
            if snapshot.isRecent { lookAgain(.atRecentFile) }
            if isWithoutLockFile(snapshot) { lookAgain(afterMilliseconds: 250) }
            if isUnwatched(snapshot.held) { noticed([]) }
        }
        if hub.hasSubscriptions { watchJournal() }
        if snapshot.values.isPending { scheduleOrphanCheckpoint(snapshot) }
        guard hasAbandonedCommit(snapshot), snapshot.files?.isWritable == true else { return }
        let isStuck = order.withLock { order in
            let isSame = order.abandoned.begun == snapshot.begun
            order.abandoned = (snapshot.begun, isSame ? order.abandoned.loads + 1 : 1)
            return order.abandoned.loads >= 3
        }
        if isStuck { completeAbandonedCommit() }
    }

    /// Whether the counter disagrees with the journal: a writer has raised it and not appended yet, or has died in
    /// between, or power loss has set it back.
    func hasAbandonedCommit(_ snapshot: StoreSnapshot) -> Bool {
        guard let files = snapshot.files, files.lockIdentity != nil else { return false }
        return !files.has(snapshot.generation)
    }

    /// Whether the files were removed, and there may be no notification of those that take their place.
    private func isAdrift(_ snapshot: StoreSnapshot) -> Bool {
        guard let files = snapshot.files, files.isWritable else { return false }
        return !files.isCurrent()
    }

    /// Whether somebody has removed the lock file, and is perhaps about to remove the folder.
    ///
    /// The kernel does not notify of the end of a folder that is held open, and until a writer creates the lock file
    /// again its disappearance goes unnoticed.
    private func isWithoutLockFile(_ snapshot: StoreSnapshot) -> Bool {
        guard let files = snapshot.files else { return false }
        return files.isWritable && files.lockIdentity == nil
    }

    private func report(_ snapshot: StoreSnapshot) {
        guard let damage = snapshot.damage else {
            let path = snapshot.files?.location.path
            return reportStanding(only: snapshot.values.document.duplicates(in: path), in: .file)
        }
        guard let error = damage.error, SystemCalls.monotonicNanoseconds >= damage.patienceEnds else {
            return
        }
        reportStanding(only: [error], in: .file)
    }
}

/// The first reads of a process: in a large file, a few keys are looked up, and the rest is never read.
extension SettingsStore {
    /// Loading the whole file costs about as much as a few look-ups more; each counts as a check of the files.
    private static let mostLookUps = 12

    /// Looks a key up in the files, if nothing has been loaded yet and an index says where the key is.
    ///
    /// The result is for the caller alone and is not kept: each look-up checks the files for itself.
    ///
    /// - Returns: nil if ``state()`` has to answer, which it also does for every failure.
    func lookUp(_ key: KeyName) -> TextIndexReading.Found? {
        let present = published.load()
        guard present.isUnread, let files = present.files, files.lock != nil, files.page?.textIndex != nil,
            joined() == nil,
            looks.add(1, ordering: .relaxed).newValue <= SettingsStore.mostLookUps
        else { return nil }
        do { return try TextIndexReading.find(key, files) } catch {
            // The load that follows runs into the same error where it matters, and throws it.
            return nil
        }
    }
}
