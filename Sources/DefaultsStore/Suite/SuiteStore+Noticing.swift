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
            try Housekeeper.shared.schedule(afterMilliseconds: time) { [weak self] in self?.takeSecondLook() }
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
        Courier.shared.run { [weak self] in self?.settleRecent() }
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

    /// Handles something that happened to the files; called on the housekeeping thread.
    func noticed(_ sight: FileWatcher.Sight) {
        if sight == .replaced {
            let waitsForCommit = order.withLock { order in
                if order.isCommitting { missedNotice.store(true, ordering: .relaxed) }
                return order.isCommitting
            }
            guard !waitsForCommit else { return }
            if isUntouched(published.load()) {
                // Our own commit may have put another journal in place, for which nothing has to be loaded.
                if hub.hasSubscriptions { watchJournal() }
                return
            }
        }
        if let page = published.load().files?.page { noteGeneration(page.number) }
        if Safeguard.noticesRaiseEpoch.isOn { raiseEpoch() }
        if hub.hasSubscriptions { catchUpSoon() }
    }

    /// Has what was notified of loaded for the observers, once for many notifications.
    func catchUpSoon() { tell { [weak self] in self?.startToCatchUp() } }

    private func startToCatchUp() {
        let isFirst = order.withLock { order in
            switch order.catchingUp {
            case .idle:
                order.catchingUp = .due
                return true
            case .due, .loadingInVain: return false
            case .loading:
                order.catchingUp = .loadingInVain
                return false
            }
        }
        guard isFirst else { return }
        Housekeeper.shared.runPromptly { [weak self] in self?.catchUp() }
    }

    /// Loads what was notified of, for the observers, on a thread that a user's handler may occupy.
    ///
    /// By one thread at a time: a checkpoint causes many notifications, which one or two loads cover.
    private func catchUp() {
        var pending: [Subscription] = []
        do throws(DefaultsError) {
            var isLast = false
            while !isLast {
                order.withLock { $0.catchingUp = .loading }
                let loaded = try reloadSilently()
                pending = pending.isEmpty ? loaded.pending : pending + loaded.pending
                isLast = order.withLock { $0.catchingUp != .loadingInVain } || !pending.isEmpty
            }
        } catch {
            reportStanding(error)
            // There need not be a notification of what makes the files readable again.
            lookAgain(afterMilliseconds: 500)
        }
        let isOver = order.withLock { order in
            let isOver = order.catchingUp != .loadingInVain
            order.catchingUp = isOver ? .idle : .due
            return isOver
        }
        // Observers that have something to be notified of do not wait for the next load.
        if !isOver { Courier.shared.run { [weak self] in self?.catchUp() } }
        Courier.shared.deliver(pending.dropLast())
        pending.last?.deliver()
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
