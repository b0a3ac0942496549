/// What a writer leaves that died, or failed, while it put a new settings file in place.
///
/// The displaced file is a second name of the temporary file until it is exchanged with the settings file. So the inodes
/// reveal how far the writer got.
enum CrashRecovery {
    /// F14: restores the names, for the holder of the lock: a save that was displaced gets its name back.
    ///
    /// - Returns: whether the settings file may be another one now.
    static func clear(holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> Bool {
        let files = lock.files
        do {
            guard let displaced = try status(files.location.displaced, files) else { return false }
            try clear(displaced, files)
            return true
        } catch {
            throw .writing(files.location.path(of: files.location.displaced), error)
        }
    }

    /// Restores the names if no store is open, and removes a next settings file that was never put in place.
    static func clear(at location: SuiteLocation) throws(DefaultsError) {
        let files = try SuiteFiles.open(SuiteDirectory.resolve(location))
        let lock = try HeldWriterLock.acquire(files, until: .after(milliseconds: WriterLock.limit))
        guard let lock else { throw DefaultsError(.lockTimeout, path: location.lockPath) }
        _ = try clear(holding: lock)
        try DefaultsError.writing(
            location.path(of: location.temporary), SystemCalls.remove(location.temporary, in: files.folder))
    }

    private static func clear(_ displaced: FileStatus, _ files: SuiteFiles) throws(SystemError) {
        let names = files.location
        // Nobody's leftover: no writer makes a folder.
        if displaced.isDirectory { throw SystemError(call: "unlinkat", errno: SystemError.folder) }
        let next = try status(names.temporary, files)
        if let next, !displaced.isSameFile(as: next) {
            let present = try status(names.settings, files)
            if let present, present.isSameFile(as: next), !isEdited(present, since: displaced) {
                // The exchange happened, but the writer has not verified that the right file was displaced.
                try SystemCalls.exchange(names.displaced, with: names.settings, in: files.folder)
                try SystemCalls.synchronizeFolder(files.folder)
            } else {
                try QuarantinedFiles.quarantine(names.displaced, files)
            }
        } else if next == nil {
            try QuarantinedFiles.quarantine(names.displaced, files)
        }
        try SystemCalls.remove(names.displaced, in: files.folder)
        try SystemCalls.remove(names.temporary, in: files.folder)
        try SystemCalls.synchronizeFolder(files.folder)
    }

    /// Whether somebody wrote to the new settings file after it had been put in place: the exchange has left its time
    /// on the displaced file.
    ///
    /// On a file system where it leaves none, every file seems edited: it stays in place, and the displaced file is
    /// kept.
    private static func isEdited(_ present: FileStatus, since displaced: FileStatus) -> Bool {
        present.identity.modified > displaced.changed
    }

    private static func status(_ name: String, _ files: SuiteFiles) throws(SystemError) -> FileStatus? {
        try SystemError.nilIfMissing(SystemCalls.status(name, in: files.folder))
    }
}
