import Synchronization

/// How the present state comes to be known: on a read that finds the published one old, or on a notice.
extension SuiteStore {
    /// The present state.
    ///
    /// - Cost: a few atomic operations while nothing changes; otherwise a load from the files, which waits for no
    ///   writer.
    /// - Throws: `.io`, `.insecureDirectory` when nothing could be read.
    package func state() throws(DefaultsError) -> SuiteSnapshot {
        let present = published.load()
        return isPresent(present) ? present : try reload()
    }

    /// Loads the state anew and publishes it, unless something newer has been published meanwhile.
    @discardableResult
    func reload() throws(DefaultsError) -> SuiteSnapshot { haveTold(try reloadSilently()) }

    /// The present state, where nothing but records have come since the one published last.
    ///
    /// - Cost: a system call where any have come, one for each 4 KiB of them, and one more where a few are long; no lock held
    ///   meanwhile.
    /// - Returns: nil where there is more to be done; ``state()`` does it, and throws what this may have met.
    @inline(never)
    func stateBehind() -> (state: SuiteSnapshot, moment: UInt64)? {
        do {
            guard let loaded = try loadNewRecords(behind: published.load(), nextTicket()) else { return nil }
            let next = haveTold(loaded)
            return freshness.moment(of: next).map { (next, $0) }
        } catch { return nil }
    }

    /// Loads through files that were just opened in place of the ones that somebody took away.
    func adopt(_ files: SuiteFiles) throws(DefaultsError) {
        _ = haveTold(try load(through: files, nextTicket()))
    }

    /// What a load has found, and published, and who has something to hear of it.
    typealias Loaded = (snapshot: SuiteSnapshot, pending: [Subscription])

    private func nextTicket() -> UInt64 { tickets.add(1, ordering: .acquiringAndReleasing).newValue }

    /// Loads the state anew and publishes it; whoever has something to hear is the caller's to tell.
    func reloadSilently() throws(DefaultsError) -> Loaded {
        let ticket = nextTicket()
        let previous = published.load()
        guard previous.files != nil else { return (republish(), []) }
        if let next = try loadNewRecords(behind: previous, ticket) { return next }
        return try load(through: try presentFiles(previous), ticket)
    }

    private func loadNewRecords(behind previous: SuiteSnapshot, _ ticket: UInt64) throws(DefaultsError)
        -> Loaded?
    {
        guard let next = try SuiteLoading.withNewRecords(previous, epoch: epoch, isTold: isWatched) else {
            return nil
        }
        let pending = publish(loaded: next, ticket)
        if next.isRecent { lookAgain(.atRecentFile) }
        if next.values.isPending { scheduleRescue(next) }
        return (next, pending)
    }

    private func load(through files: SuiteFiles, _ ticket: UInt64) throws(DefaultsError) -> Loaded {
        let begin = SystemCalls.monotonicNanoseconds
        let previous = published.load()
        let snapshot = try SuiteLoading.load(after: previous, files: files) { epoch }
        if snapshot.isCheckpointed(since: previous) {
            checkpointing.withLock { $0.checkpointFound = begin }
        }
        let pending = publish(loaded: snapshot, ticket)
        freshness.noteLook(at: begin)
        followUp(snapshot)
        return (snapshot, pending)
    }

    /// Has the observers told of what a load has found: on another thread, since it was the caller's to read only.
    private func haveTold(_ loaded: Loaded) -> SuiteSnapshot {
        let pending = loaded.pending
        // Not by the courier's own means alone: where it has no thread, its work is done by whoever brings it.
        if !pending.isEmpty { tell { Courier.shared.deliver(pending) } }
        return loaded.snapshot
    }

    /// The same state under the present epoch: in memory only a commit can change anything.
    private func republish() -> SuiteSnapshot {
        let noted = epoch
        // Loaded and stored in one step, or a commit in between would be undone.
        return order.withLock { _ in
            let previous = published.load()
            let snapshot = SuiteSnapshot(
                values: previous.values, generation: previous.generation, epoch: noted, identity: nil,
                files: nil, journal: nil, begun: previous.begun)
            published.store(snapshot)
            return snapshot
        }
    }

    /// The open files, or those that took their place.
    private func presentFiles(_ previous: SuiteSnapshot) throws(DefaultsError) -> SuiteFiles {
        guard let files = previous.files, let location else { throw DefaultsError(.io) }
        guard !files.isCurrent() else { return files }
        guard let fresh = try SuiteFiles.openExisting(location) else {
            // The kernel tells nothing of a folder that is not there, so somebody has to look until it is.
            if isWatched { lookAgain() }
            return files
        }
        turn(to: fresh)
        return fresh
    }

    /// Publishes what a load has found, unless something newer is there.
    func publish(loaded snapshot: SuiteSnapshot, _ ticket: UInt64) -> [Subscription] {
        hub.replace(values: { published.load().values }) {
            order.withLock { order in
                // A load that a commit of this process overtakes keeps what it found to itself: the commit is
                // published by the one who made it, under the right cause.
                if order.isCommitting { missedNotice.store(true, ordering: .relaxed) }
                guard ticket > order.lastTicket, !order.isCommitting else { return nil }
                let old = published.load()
                // The later of two loads to begin may be the earlier one to look.
                guard !snapshot.isOlder(than: old) else { return nil }
                order.lastTicket = ticket
                // Whoever loads what no notice has told of yet would leave caches with a moment that means both states.
                if snapshot.isUntold(since: old) { freshness.raise() }
                put(snapshot)
                return snapshot.cause(since: old)
            }
        }
    }

    /// What a load leaves to be done: tell of damage, look again, mend what a dead writer left.
    private func followUp(_ snapshot: SuiteSnapshot) {
        report(snapshot)
        let isYoung = snapshot.damage.map {
            SystemCalls.monotonicNanoseconds - $0.firstSeen < SuiteLoading.patience
        }
        // As long as nobody listens, each read looks anyway.
        if isWatched {
            if isYoung == true || isAdrift(snapshot) { lookAgain() }
            if snapshot.isRecent { lookAgain(.atRecentFile) }
            if isWithoutLockFile(snapshot) { lookAgain(afterMilliseconds: 250) }
        }
        if hub.hasSubscriptions { watchJournal() }
        if snapshot.values.isPending { scheduleRescue(snapshot) }
        guard isUnsettled(snapshot), snapshot.files?.isWritable == true else { return }
        let isStuck = order.withLock { order in
            let isSame = order.unsettled.begun == snapshot.begun
            order.unsettled = (snapshot.begun, isSame ? order.unsettled.loads + 1 : 1)
            return order.unsettled.loads >= 3
        }
        if isStuck { settle() }
    }

    /// Whether the counter does not say what the journal says: a writer has raised it and not appended yet, or has died
    /// there; or power loss took it back.
    func isUnsettled(_ snapshot: SuiteSnapshot) -> Bool {
        snapshot.files?.page.map { $0.number != snapshot.generation } ?? false
    }

    /// Whether the files were taken away and no notice may come of those that take their place.
    private func isAdrift(_ snapshot: SuiteSnapshot) -> Bool {
        guard let files = snapshot.files, files.isWritable else { return false }
        return !files.isCurrent()
    }

    /// Whether somebody took the lock file away, and perhaps is about to take the folder.
    ///
    /// The kernel tells nothing of a folder's end while it is held open, and until a writer makes the lock file again
    /// there is none to miss.
    private func isWithoutLockFile(_ snapshot: SuiteSnapshot) -> Bool {
        guard let files = snapshot.files else { return false }
        return files.isWritable && files.lockIdentity == nil
    }

    private func report(_ snapshot: SuiteSnapshot) {
        let path = snapshot.files?.location.path
        guard let damage = snapshot.damage else {
            listeningLogs.forEach { $0.forgetStanding { $0.code == .malformedFile && $0.path == path } }
            let document = snapshot.values.document
            for (key, line, column) in document.duplicateKeys(atMost: FailureLog.mostOfOneFile) {
                let error = DefaultsError(
                    .duplicateKey, key: key.string, path: path, line: line, column: column)
                reportStanding(error)
            }
            return
        }
        guard SystemCalls.monotonicNanoseconds - damage.firstSeen >= SuiteLoading.patience else { return }
        reportStanding(damage.error)
    }
}
