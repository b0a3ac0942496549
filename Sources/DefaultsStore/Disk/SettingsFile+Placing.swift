/// Puts the temporary file, T, in place of the settings file, S, without losing a save that lands in between.
///
/// Plain renaming would: between the last look at S and the rename there is always a moment. Where the file system can
/// exchange two names, what was displaced can be looked at afterwards, and put back.
extension SettingsFile {
    /// F2, F8: gives the temporary file the settings file's name.
    ///
    /// - Parameter base: the version that the temporary file was made from; nil where there was none.
    /// - Returns: false where another version stands there: nothing was replaced, and the caller has to start over.
    /// - Throws: with the names as ``Leftovers`` finds them and puts them right.
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

    /// A link is refused where a file has appeared; a rename would replace it.
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
            // After any other refusal X may be T or what made way, which is for Leftovers to find out.
            guard cannot || error.isMissing else { throw error }
            try SystemCalls.remove(names.displaced, in: files.folder)
            // The settings file was taken away since the last look.
            if error.isMissing { return false }
            try SystemCalls.rename(names.temporary, to: names.settings, in: files.folder)
            return true
        }
        let isOurs = try SystemCalls.status(names.displaced, in: files.folder).identity == base
        if !isOurs {
            try putBack(files)
            // The end of T's name must not outlive, on the disk, the name that the save has got back.
            try SystemCalls.synchronizeFolder(files.folder)
        }
        try SystemCalls.remove(names.displaced, in: files.folder)
        try SystemCalls.remove(names.temporary, in: files.folder)
        return isOurs
    }

    /// Gives a save that landed in between its name again.
    ///
    /// Should a second save have landed meanwhile, that one keeps the name, and the first is kept as a damaged file is.
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
