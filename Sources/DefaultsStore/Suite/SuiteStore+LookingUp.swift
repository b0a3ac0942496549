import Synchronization

/// The first reads of a process: of a large file, a few keys are looked up, and the rest is never read.
extension SuiteStore {
    /// Loading all of it costs about as much as some more; they count as looks.
    private static let mostLookUps = 12

    /// Looks a key up in the files, where nothing has been loaded yet and an index says where it stands.
    ///
    /// What is found is the caller's alone, and not kept: each look-up is a look at the files of its own.
    ///
    /// - Returns: nil where ``state()`` has to say, which it does of each failure too.
    func lookUp(_ key: KeyName) -> TextIndexReading.Found? {
        let present = published.load()
        guard present.isUnread, let files = present.files, files.lock != nil, files.page?.textIndex != nil,
            joined() == nil,
            looks.add(1, ordering: .relaxed).newValue <= SuiteStore.mostLookUps
        else { return nil }
        do { return try TextIndexReading.find(key, files) } catch {
            // What the load that follows needs of it, that meets too, and throws.
            return nil
        }
    }
}
