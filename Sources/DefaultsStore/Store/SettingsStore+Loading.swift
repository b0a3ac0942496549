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
        return monitor.checkIsPresent(present) ? present : try reload()
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
    func stateBehind() -> (state: StoreSnapshot, version: UInt64)? {
        do {
            let present = published.load()
            // Without a mapped page no version can be told.
            guard present.counterAddress != 0, let loaded = try loadNewRecords(behind: present, nextTicket())
            else { return nil }
            let next = tellObservers(of: loaded)
            return freshness.version(of: next).map { (next, $0) }
        } catch { return nil }
    }

    /// Loads through files that were just opened in place of removed ones.
    func adopt(_ files: SuiteFiles) throws(DefaultsError) {
        _ = tellObservers(of: try load(through: files, nextTicket()))
    }

    /// How often a load that another one may have overtaken is repeated.
    private static let repetitions = 4

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
        if next.isRecent { monitor.lookAgain(.atRecentFile) }
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

    /// Returns the open files, or those that have taken their place.
    private func presentFiles(_ previous: StoreSnapshot) throws(DefaultsError) -> SuiteFiles {
        guard let files = previous.files, let location else { throw DefaultsError(.io) }
        guard !files.isCurrent() else { return files }
        guard let fresh = try SuiteFiles.openExisting(location) else {
            // The kernel sends no notification about a folder that is not there, so it has to be checked until it is.
            if isWatched { monitor.lookAgain() }
            return files
        }
        monitor.turn(to: fresh)
        return fresh
    }

    /// Does what a load leaves to be done: report damage, check again later, complete what a dead writer left.
    private func followUp(_ snapshot: StoreSnapshot) {
        report(snapshot)
        monitor.followUp(snapshot)
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
            monitor.countLook() <= SettingsStore.mostLookUps
        else { return nil }
        do { return try TextIndexReading.find(key, files) } catch {
            // The load that follows runs into the same error where it matters, and throws it.
            return nil
        }
    }
}
