import Synchronization

/// What a notification from the kernel leads to: caches are outdated, and observers are notified.
extension SuiteStore {
    /// Has the files checked once more when they have had time to settle.
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
            try Housekeeper.shared.schedule(afterMilliseconds: time, in: place) { [weak self] in
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
        settleRecent()
    }

    /// Verifies that a settings file is what was read of it, at a time when its times might not have revealed a
    /// change.
    ///
    /// If it is, nothing has to be loaded, and observers need not wait for that.
    private func settleRecent() {
        let state = published.load()
        guard state.isRecent else { return }
        let moment = SystemCalls.wallNanoseconds
        do {
            guard !state.isDamaged, let files = state.files, let identity = state.identity, files.isCurrent(),
                try SettingsFile.stillIs(identity, state.values.document.bytes, files)
            else { return noticed(.written) }
            let (isSettled, displaced) = order.withLock { order in
                let present = published.load()
                guard present.isRecent else { return (true, VersionCell.Displaced()) }
                guard !order.isCommitting, !files.isRecent(identity, readSince: moment),
                    present.identity == identity, present.values.document.isSame(as: state.values.document)
                else { return (false, VersionCell.Displaced()) }
                return (true, put(present.settled))
            }
            withExtendedLifetime(displaced) {}
            if !isSettled { lookAgain(.atRecentFile) }
        } catch {
            // The load that follows runs into the same error, and reports it.
            noticed(.written)
        }
    }

    /// Where background work on the files is done.
    var place: Courier.Place { published.load().files?.place ?? .people }

    /// What sees to what has happened to the files.
    var errand: Errand {
        seeing.load() ?? seeing.storeIfNil(Errand { [weak self] in self?.seeToSights() })
    }

    /// Has something that has happened to the files seen to soon.
    func noticed(_ kind: Sights.Kind) {
        sights.add(kind)
        afterVisit { [weak self] in
            guard let self else { return }
            Courier.shared.run(errand, in: place)
        }
    }

    /// Has the observers hear of what the files have now.
    func catchUpSoon() { noticed(.untold) }

    /// Sees to what has happened to the files: makes what is cached of them outdated, and loads them for the observers.
    ///
    /// By one thread at a time: a checkpoint causes many notifications, which one or two loads cover.
    private func seeToSights() {
        let kind = sights.take()
        if kind.contains(.beingWritten) { lookAgain(afterMilliseconds: SuiteStore.patienceWithWriters) }
        var isUntold = kind.contains(.untold)
        if kind.contains(.written) || kind.contains(.replaced) && isReplaced {
            if let page = published.load().files?.page { noteGeneration(page.number) }
            if Safeguard.noticesRaiseEpoch.isOn { raiseEpoch() }
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
        let waitsForCommit = order.withLock { order in
            if order.isCommitting { missedNotice.store(true, ordering: .relaxed) }
            return order.isCommitting
        }
        guard !waitsForCommit else { return false }
        // Our own commit may have put another file in place, for which nothing has to be loaded.
        return !isUntouched(published.load())
    }

    /// Whether the journal may have records that the published state does not have.
    var hasForeignRecords: Bool {
        let isOurs = order.withLock { order in
            if order.isCommitting { missedNotice.store(true, ordering: .relaxed) }
            return order.isCommitting
        }
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
        Courier.shared.deliver(pending.dropLast())
        if let last = pending.last { Courier.shared.tell { last.deliver() } }
    }

    /// Handles the notifications that arrived during a commit of this process; mostly they are about that commit
    /// itself.
    func catchUpOnNotices() {
        guard missedNotice.load(ordering: .relaxed) else { return }
        missedNotice.store(false, ordering: .relaxed)
        noticed(.replaced)
    }

    /// Whether the files are those of a state, as after a commit of our own.
    func isUntouched(_ snapshot: SuiteSnapshot) -> Bool {
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
