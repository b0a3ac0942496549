/// Restarts the journal when nobody writes, if a checkpoint has left records in it that the settings file has.
///
/// Nobody waits for the disk because of that, since the header that declares all records checkpointed has been synced
/// already (F11). But truncating the journal takes longer than a set, and makes every process check it; so it is not
/// done amid writes. A journal that is left as it is does no harm: checkpointed records are not read (F18).
extension SuiteStore {
    /// How long it may stay as it is, in milliseconds.
    private static let patience: UInt64 = 250

    /// Has the journal restarted soon, unless something is written until then: a write schedules a checkpoint of its
    /// own.
    func scheduleTidying() {
        let isFirst = checkpointing.withLock { schedule in
            defer { schedule.isTidyingDue = true }
            return !schedule.isTidyingDue
        }
        guard isFirst else { return }
        do {
            try Housekeeper.shared.schedule(afterMilliseconds: SuiteStore.patience, in: place) {
                [weak self] in
                self?.tidyWhenDue()
            }
        } catch {
            // If no thread can be had, the journal stays as it is; that does no harm.
            checkpointing.withLock { $0.isTidyingDue = false }
        }
    }

    private func tidyWhenDue() {
        checkpointing.withLock { $0.isTidyingDue = false }
        do {
            try tidy(until: .after(milliseconds: 0))
            noteSuccess(of: .checkpoints)
        } catch {
            if error.code != .lockTimeout, error.code != .readOnly { reportStanding(error, in: .checkpoints) }
        }
    }

    /// Restarts the journal now, if the settings file has all of it.
    func tidy(until deadline: Deadline) throws(DefaultsError) {
        let state = published.load()
        guard !isInherited, let noted = state.journal, noted.isFullyCheckpointed, let files = state.files
        else { return }
        // What another process has written to it may not be durable yet.
        try synchronizeRecords(of: noted, files)
        try withVisit(until: deadline, looks: false, remakes: false, takesTurn: false) {
            (visit) throws(DefaultsError) in
            _ = try tidy(noted, &visit)
        }
    }

    /// Restarts the journal for the holder of the lock.
    ///
    /// - Parameter noted: how far it is checkpointed according to its durable header.
    /// - Returns: whether it was restarted: not if anything has been written since.
    func tidy(_ noted: JournalState, _ visit: inout WriteContext) throws(DefaultsError) -> Bool {
        let base = visit.base
        guard Safeguard.restartsJournal.isOn, !base.isDamaged, !base.values.isPending, let files = base.files,
            let journal = base.journal, journal.isFullyCheckpointed, journal.hasSameNonce(as: noted),
            journal.checkpointed == noted.checkpointed, journal.file.isWritable, !isPoisoned(journal.file),
            try restsOnPresentFiles(visit)
        else { return false }
        order.withLock { $0.isCommitting = true }
        defer { order.withLock { $0.isCommitting = false } }
        let isUntouched = try isJournalUntouched(visit)
        let (fresh, generation) = try restartJournal(visit, isUntouched, isNoted: true)
        visit.base = SuiteSnapshot(
            values: base.values, generation: generation, epoch: base.epoch, identity: base.identity,
            files: files, journal: fresh, begun: generation, isRecent: base.isRecent,
            held: base.held)
        publish(visit.base)
        return true
    }
}
