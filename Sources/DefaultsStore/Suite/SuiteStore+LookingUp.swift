import Synchronization

/// The first reads of a process: in a large file, a few keys are looked up, and the rest is never read.
extension SuiteStore {
    /// Loading the whole file costs about as much as a few look-ups more; each counts as a check of the files.
    private static let mostLookUps = 12

    /// Looks a key up in the files, if nothing has been loaded yet and an index says where the key is.
    ///
    /// The result is for the caller alone and is not kept: each look-up checks the files for itself.
    ///
    /// - Returns: nil if ``state()`` has to answer, which it also does for every failure.
    func lookUp(_ key: KeyName) -> TextIndexReading.Found? {
        let present = published.load()
        guard present.isUnread, let files = present.files, files.lock != nil, files.page?.textIndex != nil,
            joined() == nil,
            looks.add(1, ordering: .relaxed).newValue <= SuiteStore.mostLookUps
        else { return nil }
        do { return try TextIndexReading.find(key, files) } catch {
            // The load that follows runs into the same error where it matters, and throws it.
            return nil
        }
    }
}
