/// Puts the temporary file, T, in place of the settings file, S, without losing a save that happens in between.
///
/// Plain renaming would lose it: there is always a moment between the last check of S and the rename. If the file
/// system can exchange two names, the displaced file can be checked afterwards, and put back.
extension SettingsFile {
    /// F2, F8: gives the temporary file the settings file's name.
    ///
    /// - Parameter base: the version that the temporary file was made from; nil if there was none.
    /// - Returns: false if another version is in place: nothing was replaced, and the caller has to start over.
    /// - Throws: the names are then as ``Leftovers`` finds and restores them.
    static func place(
        over base: FileStatus.Identity?, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> Bool {
        let files = lock.files
        do {
            guard let base else { return try placeFirst(files) }
            return try exchange(over: base, files, holding: lock)
        } catch {
            throw .writing(files.location.path, error)
        }
    }

    /// Links the first settings file; a link fails if a file has appeared, whereas a rename would replace it.
    private static func placeFirst(_ files: SuiteFiles) throws(SystemError) -> Bool {
        let names = files.location
        do {
            try SystemCalls.link(names.temporary, as: names.settings, in: files.folder)
        } catch {
            if error.isTaken { return false }
            guard error.isUnsupported || error.isForbidden else { throw error }
            try SystemCalls.rename(names.temporary, to: names.settings, in: files.folder)
            return true
        }
        try SystemCalls.remove(names.temporary, in: files.folder)
        return true
    }

    private static func exchange(
        over base: FileStatus.Identity, _ files: SuiteFiles, holding lock: borrowing HeldWriterLock
    ) throws(SystemError) -> Bool {
        let names = files.location
        do {
            try SystemCalls.link(names.temporary, as: names.displaced, in: files.folder)
            try SystemCalls.exchange(names.displaced, with: names.settings, in: files.folder)
        } catch {
            let cannot = error.isUnsupported || error.call == "linkat" && error.isForbidden
            // After any other failure X may be T or the displaced file; Leftovers finds out.
            guard cannot || error.isMissing else { throw error }
            try SystemCalls.remove(names.displaced, in: files.folder)
            // The settings file has been removed since the last check.
            if error.isMissing { return false }
            try SystemCalls.rename(names.temporary, to: names.settings, in: files.folder)
            return true
        }
        let isOurs = try SystemCalls.status(names.displaced, in: files.folder).identity == base
        if !isOurs {
            try putBack(files)
            // On the disk, the removal of T's name must not precede the name that the save has got back.
            try SystemCalls.synchronizeFolder(files.folder)
        }
        try SystemCalls.remove(names.displaced, in: files.folder)
        try SystemCalls.remove(names.temporary, in: files.folder)
        return isOurs
    }

    /// Gives a save that happened in between its name back.
    ///
    /// If a second save has happened in the meantime, that one keeps the name, and the first is kept like a damaged
    /// file.
    private static func putBack(_ files: SuiteFiles) throws(SystemError) {
        let names = files.location
        try SystemCalls.exchange(names.displaced, with: names.settings, in: files.folder)
        let ours = try SystemCalls.status(names.temporary, in: files.folder)
        let back = try SystemCalls.status(names.displaced, in: files.folder)
        if back.isSameFile(as: ours) { return }
        try SystemCalls.exchange(names.displaced, with: names.settings, in: files.folder)
        try DamagedCopies.moveAside(names.displaced, files)
    }
}
