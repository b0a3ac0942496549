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
        return isCurrent(present) ? present : try reload()
    }

    /// Loads the state anew and publishes it, unless something newer has been published meanwhile.
    @discardableResult
    func reload() throws(DefaultsError) -> SuiteSnapshot {
        let ticket = tickets.add(1, ordering: .acquiringAndReleasing).newValue
        let previous = published.load()
        guard previous.files != nil else { return republish() }
        if let next = try follow(previous, ticket) { return next }
        return try load(through: try presentFiles(previous), ticket)
    }

    /// The present state, where no more than a few records have come since the one published last.
    ///
    /// - Cost: two system calls where any have come; no lock held meanwhile.
    /// - Returns: nil where there is more to be done; ``state()`` does it, and throws what this may have met.
    func stateAtOnce() -> (state: SuiteSnapshot, moment: UInt64)? {
        let present = published.load()
        if let moment = freshness.moment(of: present) { return (present, moment) }
        let ticket = tickets.add(1, ordering: .acquiringAndReleasing).newValue
        do {
            guard let next = try follow(present, ticket), let moment = freshness.moment(of: next) else {
                return nil
            }
            return (next, moment)
        } catch { return nil }
    }

    private func follow(_ previous: SuiteSnapshot, _ ticket: UInt64) throws(DefaultsError) -> SuiteSnapshot? {
        guard let next = try SuiteLoading.withNewRecords(previous, epoch: epoch) else { return nil }
        show(next, ticket)
        if next.values.isPending { scheduleRescue(next) }
        return next
    }

    /// Loads through files that were just opened in place of the ones that somebody took away.
    func adopt(_ files: SuiteFiles) throws(DefaultsError) {
        _ = try load(through: files, tickets.add(1, ordering: .acquiringAndReleasing).newValue)
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

    private func load(through files: SuiteFiles, _ ticket: UInt64) throws(DefaultsError) -> SuiteSnapshot {
        let begin = SystemCalls.monotonicNanoseconds
        let snapshot = try SuiteLoading.load(after: published.load(), files: files) { epoch }
        show(snapshot, ticket)
        freshness.noteLook(at: begin)
        followUp(snapshot)
        return snapshot
    }

    /// Publishes what a load has found, and has the observers told.
    private func show(_ snapshot: SuiteSnapshot, _ ticket: UInt64) {
        let pending = publish(loaded: snapshot, ticket)
        // Not by the courier's own means alone: where it has no thread, its work is done by whoever brings it.
        if !pending.isEmpty { tell { Courier.shared.deliver(pending) } }
    }

    /// The open files, or those that took their place.
    private func presentFiles(_ previous: SuiteSnapshot) throws(DefaultsError) -> SuiteFiles {
        guard let files = previous.files, let location else { throw DefaultsError(.io) }
        guard !files.isCurrent() else { return files }
        guard let fresh = try SuiteFiles.openExisting(location) else {
            // The kernel tells nothing of a folder that is not there, so somebody has to look until it is.
            lookAgain()
            return files
        }
        watch(fresh)
        return fresh
    }

    /// Publishes what a load has found, unless something newer is there.
    func publish(loaded snapshot: SuiteSnapshot, _ ticket: UInt64) -> [Subscription] {
        hub.replace(values: { published.load().values }) {
            order.withLock { order in
                // A load that a commit of this process overtakes keeps what it found to itself: the commit is
                // published by the one who made it, under the right cause.
                guard ticket > order.lastTicket, !order.isCommitting else { return nil }
                let old = published.load()
                // The later of two loads to begin may be the earlier one to look.
                guard !snapshot.isOlder(than: old) else { return nil }
                order.lastTicket = ticket
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
        if snapshot.isRecent || isYoung == true || isAdrift(snapshot) { lookAgain() }
        if isWithoutLockFile(snapshot) { lookAgain(afterMilliseconds: 250) }
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
            for (key, line, column) in snapshot.values.document.duplicateKeys {
                let error = DefaultsError(
                    .duplicateKey, key: key.string, path: path, line: line, column: column)
                reportStanding(error)
            }
            return
        }
        guard SystemCalls.monotonicNanoseconds - damage.firstSeen >= SuiteLoading.patience else { return }
        reportStanding(damage.error)
    }

    /// Has the files looked at once more when they have had time to settle.
    func lookAgain(afterMilliseconds time: UInt64 = 60) {
        let isFirst = order.withLock { order in
            defer { order.looksAgain = true }
            return !order.looksAgain
        }
        guard isFirst, !isInherited else { return }
        do {
            try Housekeeper.shared.schedule(afterMilliseconds: time) { [weak self] in
                self?.order.withLock { $0.looksAgain = false }
                self?.noticed(.written)
            }
        } catch {
            order.withLock { $0.looksAgain = false }
            report(.writing(location?.path ?? "", error))
        }
    }

    /// Takes note of something that happened to the files; called on the housekeeping thread.
    func noticed(_ sight: FileWatcher.Sight) {
        if sight == .replaced {
            let waitsForCommit = order.withLock { order in
                order.missedNotice = order.missedNotice || order.isCommitting
                return order.isCommitting
            }
            guard !waitsForCommit, !isUntouched(published.load()) else { return }
        }
        if Safeguard.noticesRaiseEpoch.isOn { raiseEpoch() }
        if hub.hasSubscriptions { catchUpSoon() }
    }

    /// Has what a notice was about loaded for the observers, once for many notices.
    func catchUpSoon() { tell { [weak self] in self?.startToCatchUp() } }

    private func startToCatchUp() {
        let isFirst = order.withLock { order in
            defer { order.catchesUp = true }
            return !order.catchesUp
        }
        guard isFirst else { return }
        // The housekeeping thread runs nobody's code, and a failure may be told to a person's handler.
        Courier.shared.run { [weak self] in self?.catchUp() }
    }

    /// Loads what a notice was about, for the observers.
    private func catchUp() {
        order.withLock { $0.catchesUp = false }
        do { try reload() } catch {
            reportStanding(error)
            // No notice need come of what makes the files readable again.
            lookAgain(afterMilliseconds: 500)
        }
    }

    /// Looks at what the notices meant that came while a commit of this process was under way: mostly itself.
    func catchUpOnNotices() {
        let missed = order.withLock { order in
            defer { order.missedNotice = false }
            return order.missedNotice
        }
        if missed { noticed(.replaced) }
    }

    /// Whether the files are those of a state, as after a commit of our own.
    private func isUntouched(_ snapshot: SuiteSnapshot) -> Bool {
        guard let files = snapshot.files, !snapshot.isUnread, files.isCurrent(),
            files.page?.number == snapshot.generation
        else { return false }
        do {
            guard try SettingsFile.status(files)?.identity == snapshot.identity else { return false }
            // A journal that has come has to be watched before its first record does.
            return try Journal.isInPlace(snapshot.journal, files)
        } catch { return false }
    }
}
