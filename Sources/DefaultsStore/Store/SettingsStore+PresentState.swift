extension SettingsStore {
    /// Returns the version of the settings file that is there now.
    func identityOnDisk(_ base: StoreSnapshot) throws(DefaultsError) -> FileStatus.Identity? {
        guard let files = base.files else { return nil }
        return try SettingsFile.status(files)?.identity
    }
}

/// What the store's other parts ask of the writer.
extension SettingsStore {
    package func joined() -> WriteTransaction? { writer.joined() }
    func afterSession(_ body: @escaping @Sendable () -> Void) { writer.afterSession(body) }
    func completeAbandonedCommit() { writer.completeAbandonedCommit() }
}
