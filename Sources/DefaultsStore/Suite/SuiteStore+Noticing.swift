import Synchronization

/// What a notice from the kernel leads to: caches are made to look, and observers are told.
extension SuiteStore {
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
                pending += try loadAnew().pending
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
