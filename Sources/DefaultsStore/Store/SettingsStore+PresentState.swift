/// The state as it is on the disk, for whoever holds the writer's lock.
extension SettingsStore {
    /// Returns the current state, read under the writer's lock; a damaged file is given time to become valid.
    func presentState() throws(DefaultsError) -> StoreSnapshot {
        var base = published.load()
        // A load checks the settings file itself, and its contents if the times may not reveal a change.
        let isKnown =
            monitor.checkIsPresent(base, isLocked: true) && !base.isRecent
            ? try identityOnDisk(base) == base.identity : false
        if !isKnown { base = try reloadUnovertaken() }
        while let damage = base.damage {
            guard SystemCalls.monotonicNanoseconds - damage.firstSeen < StoreLoading.patience else { break }
            SystemCalls.pause(nanoseconds: 5_000_000)
            base = try reloadUnovertaken()
        }
        return base
    }

    /// Returns the same when a file that was just emptied has been filled, or is found to stay empty.
    func presentStateOnceFilled() throws(DefaultsError) -> StoreSnapshot {
        var base = try presentState()
        while let damage = base.damage, damage.error == nil {
            SystemCalls.pause(nanoseconds: 5_000_000)
            base = try reloadUnovertaken()
        }
        return base
    }

    /// Loads the state again until it is the published one.
    ///
    /// If a load is overtaken by another thread's, nobody would be notified of a save between the two.
    private func reloadUnovertaken() throws(DefaultsError) -> StoreSnapshot {
        for _ in 0..<10 {
            let state = try reload()
            if published.load() === state { return state }
        }
        return try reload()
    }

    func identityOnDisk(_ base: StoreSnapshot) throws(DefaultsError) -> FileStatus.Identity? {
        guard let files = base.files else { return nil }
        return try SettingsFile.status(files)?.identity
    }
}

/// What the store's other parts ask of the writer.
extension SettingsStore {
    func withSession(
        until deadline: Deadline, looks: Bool = true, remakes: Bool = true, takesTurn: Bool = true,
        _ body: (inout WriteSession) throws(DefaultsError) -> Void
    ) throws(DefaultsError) {
        try writer.withSession(until: deadline, looks: looks, remakes: remakes, takesTurn: takesTurn, body)
    }
    func withLock<Result>(
        _ session: borrowing WriteSession, _ body: (borrowing HeldWriterLock) throws(DefaultsError) -> Result
    ) throws(DefaultsError) -> Result { try session.withLock(body) }
    func openJournalForWriting(_ session: inout WriteSession) throws(DefaultsError) {
        try writer.openJournalForWriting(&session)
    }
    @discardableResult
    func replaceJournal(_ session: inout WriteSession) throws(DefaultsError) -> JournalState {
        try writer.replaceJournal(&session)
    }
    func relock(_ session: inout WriteSession) throws(DefaultsError) { try writer.relock(&session) }
    func restsOnPresentFiles(_ session: borrowing WriteSession) throws(DefaultsError) -> Bool {
        try writer.restsOnPresentFiles(session)
    }
    package func joined() -> WriteTransaction? { writer.joined() }
    func afterSession(_ body: @escaping @Sendable () -> Void) { writer.afterSession(body) }
    func completeAbandonedCommit() { writer.completeAbandonedCommit() }
}
