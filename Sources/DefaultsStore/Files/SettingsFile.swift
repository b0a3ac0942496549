import Synchronization

/// The settings file: looked up and read as a whole.
enum SettingsFile {
    /// The largest file that is read or written, in bytes.
    static let limit = SettingsDocument.greatestLength

    /// What was read, and from which version of the file.
    final class Contents: Sendable {
        let bytes: [UInt8]
        let status: FileStatus
        /// Nil where it is not held.
        let held: Held?

        init(bytes: [UInt8], status: FileStatus, held: Held?) {
            (self.bytes, self.status, self.held) = (bytes, status, held)
        }
    }

    /// A file that exists as long as this object, whatever happens to its name.
    ///
    /// So no other file is given its inode number meanwhile, and a file that is replaced by one of the same size and
    /// time is told from it (F8). And a displaced file's blocks, which are freed with its last name and descriptor, are
    /// not freed under the lock, where that would take longer than everything else.
    final class Held: Sendable {
        private let file: Descriptor

        init(_ file: consuming Descriptor) { self.file = file }

        /// Has some work done after what programs write into the file, whether or not they close it.
        func watch(
            on resource: WorkerPool.Resource, _ work: CoalescedWork,
            notes: @escaping @Sendable (FileEvents.Notice) -> Bool
        ) throws(SystemError) -> EventLoop.Watch {
            try EventLoop.shared.watch(file, for: .bytes, on: resource, work, notes: notes)
        }
    }

    /// Nil if there is no such name.
    static func status(_ files: SuiteFiles) throws(DefaultsError) -> FileStatus? {
        let status = try DefaultsError.reading(
            files.location.path,
            SystemError.nilIfMissing(SystemCalls.status(files.location.settings, in: files.folder)))
        if let status { files.isReadOnly.store(status.isReadOnly, ordering: .relaxed) }
        return status
    }

    /// Refuses to replace a file that its owner has made read-only.
    static func refuseReadOnly(_ status: FileStatus, _ files: SuiteFiles) throws(DefaultsError) {
        guard status.isReadOnly else { return }
        files.isReadOnly.store(true, ordering: .relaxed)
        throw DefaultsError(
            .readOnly, path: files.location.path,
            underlyingDescription: "its owner has made the file read-only (chmod u+w)")
    }

    /// Returns the temporary file, which is about to take the settings file's name, held.
    ///
    /// Nil where files are not held: over a network, a file that is removed while it is open stays in its folder under
    /// another name.
    static func holdNext(holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> Held? {
        let files = lock.files
        guard files.isLocal else { return nil }
        let name = files.location.temporary
        do { return Held(try SystemCalls.hold(name, in: files.folder)) } catch {
            TemporaryFile.discard(holding: lock)
            throw .writing(files.location.path(of: name), error)
        }
    }

    /// Reads the file, again if it was changed while it was read, at most ten times.
    ///
    /// - Returns: nil if there is no file. Every other failure throws: failure is never absence.
    static func read(_ files: SuiteFiles) throws(DefaultsError) -> Contents? {
        guard let opened = try open(files) else { return nil }
        let read = try RegularFile.readWhole(opened.file, opened.status, files.location.path)
        let held = files.isLocal ? Held(opened.file) : nil
        return Contents(bytes: read.bytes, status: read.status, held: held)
    }

    /// Opens the file; nil if there is none.
    ///
    /// A link is followed when the suite is opened, so what is a link here leads nowhere, or was put there since.
    private static func open(_ files: SuiteFiles) throws(DefaultsError) -> RegularFile.Opened? {
        do {
            return try RegularFile.open(files.location.settings, in: files.folder, files.location.path)
        } catch {
            guard error.systemError?.isLink == true else { throw error }
            throw DefaultsError(
                error.code, path: error.path, systemError: error.systemError,
                underlyingDescription:
                    "it is a link; one that is put there while a program runs is followed when the "
                    + "program is started again")
        }
    }

    /// Whether the file is still of a version and has some bytes, which its times may not tell yet.
    static func stillIs(
        _ identity: FileStatus.Identity, _ bytes: [UInt8], _ files: SuiteFiles
    ) throws(DefaultsError) -> Bool {
        let path = files.location.path
        guard let opened = try open(files) else { return false }
        guard opened.status.identity == identity else { return false }
        do {
            guard try SystemCalls.holds(opened.file, bytes) else { return false }
            return try SystemCalls.status(of: opened.file).identity == identity
        } catch {
            throw .reading(path, error)
        }
    }
}

/// Puts the temporary file in place of the settings file, without losing a save that happens in between.
///
/// Plain renaming would lose it: there is always a moment between the last check of the settings file and the
/// rename. If the file system can exchange two names, the displaced file can be checked afterwards, and put back.
extension SettingsFile {
    /// F2, F8: gives the temporary file the settings file's name.
    ///
    /// - Parameter base: the version that the temporary file was made from; nil if there was none.
    /// - Returns: false if another version is in place: nothing was replaced, and the caller has to start over.
    /// - Throws: the names are then as ``CrashRecovery`` finds and restores them.
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
            // After any other failure the name may be the new file's or the old one's; CrashRecovery finds out.
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
            // On the disk, the removal of the temporary file's name must not precede the name that the save has got back.
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
        try QuarantinedFiles.quarantine(names.displaced, files)
    }
}
