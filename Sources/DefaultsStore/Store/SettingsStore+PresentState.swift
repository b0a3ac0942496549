extension SettingsStore {
    /// Returns the version of the settings file that is there now.
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
