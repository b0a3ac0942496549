import Synchronization

/// What a notice from the kernel leads to: caches are made to look, and observers are told.
extension SuiteStore {
    /// Has the files looked at once more when they have had time to settle.
    ///
    /// - Parameter purpose: what for; where a look is on its way already, that one is for both.
    func lookAgain(_ purpose: SecondLook = .atAll, afterMilliseconds time: UInt64 = 60) {
        let isFirst = order.withLock { order in
            let isFirst = order.secondLook == .none
            if order.secondLook != .atAll { order.secondLook = purpose }
            return isFirst
        }
        guard isFirst, !isInherited else { return }
        do {
            try Housekeeper.shared.schedule(afterMilliseconds: time) { [weak self] in self?.takeSecondLook() }
        } catch {
            order.withLock { $0.secondLook = .none }
            report(.writing(location?.path ?? "", error))
        }
    }

    private func takeSecondLook() {
        let purpose = order.withLock { order in
            defer { order.secondLook = .none }
            return order.secondLook
        }
        // For readers alone, the next one of them looks.
        guard purpose == .atRecentFile, hub.hasSubscriptions else { return noticed(.written) }
        Courier.shared.run { [weak self] in self?.settleRecent() }
    }

    /// Makes sure that a settings file is what was read of it when its times might not have told of a change; where it is,
    /// nothing has to be loaded, and observers need not wait for that.
    private func settleRecent() {
        let state = published.load()
        guard state.isRecent else { return }
        let moment = SystemCalls.wallNanoseconds
        do {
            guard !state.isDamaged, let files = state.files, let identity = state.identity, files.isCurrent(),
                try SettingsFile.stillIs(identity, state.values.document.bytes, files)
            else { return noticed(.written) }
            let isSettled = order.withLock { order in
                let present = published.load()
                guard present.isRecent else { return true }
                guard !order.isCommitting, !files.isRecent(identity, readSince: moment),
                    present.identity == identity, present.values.document.isSame(as: state.values.document)
                else { return false }
                put(present.settled)
                return true
            }
            if !isSettled { lookAgain(.atRecentFile) }
        } catch {
            // Whoever loads meets it too, and tells.
            noticed(.written)
        }
    }

    /// Takes note of something that happened to the files; called on the housekeeping thread.
    func noticed(_ sight: FileWatcher.Sight) {
        if sight == .replaced {
            let waitsForCommit = order.withLock { order in
                if order.isCommitting { missedNotice.store(true, ordering: .relaxed) }
                return order.isCommitting
            }
            guard !waitsForCommit else { return }
            if isUntouched(published.load()) {
                // Our own commit may have put another journal there, which nothing has to be loaded for.
                if hub.hasSubscriptions { watchJournal() }
                return
            }
        }
        if let page = published.load().files?.page { noteGeneration(page.number) }
        if Safeguard.noticesRaiseEpoch.isOn { raiseEpoch() }
        if hub.hasSubscriptions { catchUpSoon() }
    }

    /// Has what a notice was about loaded for the observers, once for many notices.
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

    /// Loads what a notice was about, for the observers; on a thread that a person's handler may keep.
    ///
    /// By one thread at a time: a checkpoint is told of by many notices, and what they are about is loaded once or twice.
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
            // No notice need come of what makes the files readable again.
            lookAgain(afterMilliseconds: 500)
        }
        let isOver = order.withLock { order in
            let isOver = order.catchingUp != .loadingInVain
            order.catchingUp = isOver ? .idle : .due
            return isOver
        }
        // Those who have something to hear do not wait for that.
        if !isOver { Courier.shared.run { [weak self] in self?.catchUp() } }
        Courier.shared.deliver(pending.dropLast())
        pending.last?.deliver()
    }

    /// Looks at what the notices meant that came while a commit of this process was under way: mostly itself.
    func catchUpOnNotices() {
        guard missedNotice.load(ordering: .relaxed) else { return }
        missedNotice.store(false, ordering: .relaxed)
        noticed(.replaced)
    }

    /// Whether the files are those of a state, as after a commit of our own.
    func isUntouched(_ snapshot: SuiteSnapshot) -> Bool {
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
