/// The journal begins anew when it is quiet, where checkpoints amid writes have left in it what the settings file has.
///
/// That waits for the disk under the lock (F11), so that they have not done it themselves. A journal that is left as it is does no
/// harm: the lock file says that all of it is done (F18).
extension SuiteStore {
    /// How long it may stay, in milliseconds.
    private static let patience: UInt64 = 250

    /// Has it begin anew soon, unless something is written until then: what is has a checkpoint of its own.
    func scheduleTidying() {
        let isFirst = checkpointing.withLock { schedule in
            defer { schedule.isTidyingDue = true }
            return !schedule.isTidyingDue
        }
        guard isFirst else { return }
        do {
            try Housekeeper.shared.schedule(afterMilliseconds: SuiteStore.patience) { [weak self] in
                // It waits for the disk, which notices must not.
                Courier.shared.run { [weak self] in self?.tidyWhenDue() }
            }
        } catch {
            // Without a thread to be had it stays; it does no harm.
            checkpointing.withLock { $0.isTidyingDue = false }
        }
    }

    private func tidyWhenDue() {
        checkpointing.withLock { $0.isTidyingDue = false }
        do { try tidy(until: .after(milliseconds: 0)) } catch {
            if error.code != .lockTimeout, error.code != .readOnly { reportStanding(error) }
        }
    }

    /// Has the journal begin anew now, where the settings file has all of it.
    func tidy(until deadline: Deadline) throws(DefaultsError) {
        let state = published.load()
        guard !isInherited, state.journal?.isDone == true else { return }
        try withVisit(until: deadline, looks: false, remakes: false, takesTurn: false) {
            (visit) throws(DefaultsError) in
            try tidy(&visit)
        }
    }

    /// The same for the holder of the lock.
    func tidy(_ visit: inout Footing) throws(DefaultsError) {
        let base = visit.base
        guard Safeguard.restartsJournal.isOn, !base.isDamaged, !base.values.isPending, let files = base.files,
            let journal = base.journal,
            journal.isDone, journal.file.isWritable, !isPoisoned(journal.file),
            try restsOnPresentFiles(visit)
        else { return }
        order.withLock { $0.isCommitting = true }
        defer { order.withLock { $0.isCommitting = false } }
        let (fresh, generation) = try restartJournal(visit, isJournalUntouched(visit))
        visit.base = SuiteSnapshot(
            values: base.values, generation: generation, epoch: base.epoch, identity: base.identity,
            files: files,
            journal: fresh, begun: generation, isRecent: base.isRecent)
        publish(visit.base)
    }
}
