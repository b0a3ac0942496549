/// The restart of the journal, once the settings file has all of it.
///
/// After a checkpoint under the lock it comes at once. After a concurrent one it comes when nobody writes: nobody waits
/// for the disk then, since the header that declares all records checkpointed has been synced already (F11). But
/// truncating the journal takes longer than a set, and makes every process check it; so it is not done amid writes. A
/// journal that is left as it is does no harm: checkpointed records are not read (F18).
struct JournalRestart {
    private let store: SettingsStore

    init(in store: SettingsStore) { self.store = store }

    /// Restarts the journal for the holder of the lock, if nothing has been written since a checkpoint.
    ///
    /// - Parameter recorded: how far it is checkpointed according to its durable header.
    /// - Returns: whether it was restarted.
    @discardableResult
    func tryRun(_ session: inout WriteSession, recorded: JournalState) throws(DefaultsError) -> Bool {
        let base = session.base
        guard Failpoint.restartsJournal.isOn, !base.isDamaged, !base.values.isPending, base.files != nil,
            let journal = base.journal, journal.isFullyCheckpointed, journal.hasSameNonce(as: recorded),
            journal.checkpointed == recorded.checkpointed, journal.file.isWritable,
            !store.durability.isPoisoned(journal.file), try session.isCurrent()
        else { return false }
        guard let commit = Commit(on: base, in: store) else { return false }
        let isUntouched = try isUntouched(session)
        let (fresh, generation) = try run(session, isUntouched, isNoted: true)
        session.base = base.with(generation: generation, journal: fresh)
        commit.publish(session.base)
        return true
    }

    /// Whether the journal, if there is one, is the one that the state was read from, and may be written in place.
    func isUntouched(_ session: borrowing WriteSession) throws(DefaultsError) -> Bool {
        guard let journal = session.base.journal else { return false }
        return try session.withLock { (lock) throws(DefaultsError) in
            try Journal.isUntouched(journal, lock.files)
        }
    }

    /// F5: raises the generation, then begins a new run of the journal, which says that the settings file has everything.
    ///
    /// - Parameter isNoted: whether the durable header declares all records checkpointed.
    func run(
        _ session: borrowing WriteSession, _ isUntouched: Bool, isNoted: Bool = false
    ) throws(DefaultsError) -> (JournalState, UInt64) {
        let base = session.base
        let open = try session.withLock { (lock) throws(DefaultsError) in
            guard let journal = base.journal else {
                return JournalState(file: try Journal.openOrMake(holding: lock), header: nil)
            }
            // Checked again, because the disk has been waited for in the meantime.
            if isUntouched, try Journal.isUntouched(journal, lock.files),
                let cut = try Journal.cutSurplus(of: journal, holding: lock)
            {
                return cut
            }
            // A journal that is kept as a whole is replaced by one without records: the settings file has them.
            return try Journal.replace(journal, changes: [], keepsOld: true, holding: lock)
        }
        do throws(DefaultsError) {
            return try session.withLock { (lock) throws(DefaultsError) in
                let generation = max(try lock.generation(), base.generation) + 1
                try lock.raise(to: generation)
                return (
                    try Journal.restart(open, at: generation, isNoted: isNoted, holding: lock), generation
                )
            }
        } catch {
            store.durability.poison(open.file)
            throw error
        }
    }
}
