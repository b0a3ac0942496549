/// The journal begins anew when nobody writes, where a checkpoint has left in it what the settings file has.
///
/// That keeps others waiting for no disk, since the header that says that all of it is done has been waited for (F11). To cut it
/// takes longer than a set all the same, and has everybody look at it; so it is not done amid writes. A journal that
/// is left as it is does no harm: nobody reads what is done (F18).
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

    /// Has it begin anew now, where the settings file has all of it.
    func tidy(until deadline: Deadline) throws(DefaultsError) {
        let state = published.load()
        guard !isInherited, let noted = state.journal, noted.isFullyCheckpointed, let files = state.files
        else { return }
        // What another process has written there may not be on the disk yet.
        try synchronizeRecords(of: noted, files)
        try withVisit(until: deadline, looks: false, remakes: false, takesTurn: false) {
            (visit) throws(DefaultsError) in
            _ = try tidy(noted, &visit)
        }
    }

    /// The same for the holder of the lock.
    ///
    /// - Parameter noted: how far it is done by what its header says on the disk.
    /// - Returns: whether it has begun anew: not where anything has been written since.
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
            files: files, journal: fresh, begun: generation, isRecent: base.isRecent)
        publish(visit.base)
        return true
    }
}
