import Synchronization

/// The open folder and lock file of a suite: everything the other files are reached through.
///
/// Immutable once open; when the lock file or the folder is replaced, a new one takes its place and the old one
/// closes with its last reader.
package final class SuiteFiles: Sendable {
    /// What a process may do with the suite.
    enum Access: Hashable, Sendable {
        /// Read and write; the lock file is mapped where the file system is this machine's own.
        case full
        /// Read only: the lock file cannot be written, and the reason.
        case readOnly(DefaultsError)
    }

    let location: SuiteLocation
    let folder: Descriptor
    let lock: Descriptor?
    let page: MappedPage?
    let access: Access
    /// Which file the lock is; tells stores apart and a replaced lock from its successor.
    let lockIdentity: Inode?
    private let isCleared = Atomic<Bool>(false)
    /// Whether the times of files go on with the clock of this machine, and are kept to its tick.
    let keepExactTimes: Bool
    /// Whether the next settings file may be made without a name; not any more where the system could not give it one.
    let keepUnnamed: Atomic<Bool>
    /// What saves the holder of the lock a look at each name.
    let folderLook: FolderLook
    /// This process's turn at the lock.
    let turn = WriterTurn()

    /// Whether the suite may be written, as far as opening it tells.
    var isWritable: Bool { access == .full }
    /// Whether records wait in a journal for a checkpoint, also where somebody has taken the lock file away.
    var haveJournal: Bool { page != nil || isWritable && lockIdentity == nil }

    private init(
        location: SuiteLocation, folder: consuming Descriptor, lock: consuming Descriptor?, page: MappedPage?,
        access: Access, lockIdentity: Inode?, fileSystem: SystemCalls.FileSystem = SystemCalls.FileSystem()
    ) {
        self.location = location
        self.folder = folder
        self.lock = lock
        self.page = page
        self.access = access
        self.lockIdentity = lockIdentity
        keepExactTimes = fileSystem.tellsChanges
        keepUnnamed = Atomic(fileSystem.keepsUnnamed)
        folderLook = FolderLook(isUsed: fileSystem.tellsChanges)
    }

    /// Puts right, once, what a writer left that died while these files were not open.
    ///
    /// - Returns: whether the settings file may be another one now.
    func clearLeftovers(holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> Bool {
        guard !isCleared.load(ordering: .acquiring) else { return false }
        let isChanged = try Leftovers.clear(holding: lock)
        isCleared.store(true, ordering: .releasing)
        return isChanged
    }

    /// Opens the folder and whatever lock file is there, making nothing: for a reader whose files were taken away.
    ///
    /// - Returns: nil where the folder is gone.
    static func openExisting(_ location: SuiteLocation) throws(DefaultsError) -> SuiteFiles? {
        guard let folder = try SuiteDirectory.open(location, creating: false) else { return nil }
        return try openForReading(folder, location, .full)
    }

    /// Opens a suite's files, making the folder and the lock file where they are missing and may be made.
    ///
    /// - Cost: about ten system calls, more when folders are made.
    /// - Throws: `.insecureDirectory`, `.lockTimeout`, `.io`. A newer format is the writer's matter, not the reader's.
    static func open(_ location: SuiteLocation) throws(DefaultsError) -> SuiteFiles {
        let refusal: DefaultsError
        do throws(DefaultsError) {
            guard let folder = try SuiteDirectory.open(location, creating: true) else {
                throw DefaultsError(.io, path: location.folder)
            }
            let lock = try LockFile.open(in: folder, location)
            let fileSystem = SystemCalls.fileSystem(of: folder)
            let (page, status) = try DefaultsError.reading(location.lockPath) {
                () throws(SystemError) in
                (fileSystem.isLocal ? try MappedPage(of: lock) : nil, try SystemCalls.status(of: lock))
            }
            return SuiteFiles(
                location: location, folder: folder, lock: lock, page: page, access: .full,
                lockIdentity: status.inode, fileSystem: fileSystem)
        } catch {
            // A lock file of two names is one of which somebody has made a copy by links.
            let isCopied = error.underlyingDescription == RegularFile.secondName
            guard error.code == .readOnly || error.code == .diskFull || isCopied else { throw error }
            refusal = error
        }
        guard let folder = try SuiteDirectory.open(location, creating: false) else { throw refusal }
        return try openForReading(folder, location, .readOnly(refusal))
    }

    /// Opens what may only be read: without a lock of our own, and mapped where a lock file is there to map.
    private static func openForReading(
        _ folder: consuming Descriptor, _ location: SuiteLocation, _ access: Access
    ) throws(DefaultsError) -> SuiteFiles {
        var page: MappedPage?
        var identity: Inode?
        do {
            let lock = try SystemCalls.open(location.lock, in: folder, .read)
            let status = try SystemCalls.status(of: lock)
            if status.isRegular, status.identity.size >= MappedPage.size {
                if SystemCalls.fileSystem(of: folder).isLocal { page = try MappedPage(of: lock) }
                identity = status.inode
            }
        } catch {
            guard error.isMissing || error.isForbidden else {
                throw .reading(location.lockPath, error)
            }
        }
        return SuiteFiles(
            location: location, folder: folder, lock: nil, page: page, access: access, lockIdentity: identity)
    }

    /// Whether the lock file is still the one with that name; another process may have replaced it, or the folder.
    func isCurrent() -> Bool {
        do {
            // By its whole path, so that a folder that was moved away is noticed too.
            let inode = try SystemCalls.inode(path: location.lockPath)
            guard let lockIdentity else { return false }
            return inode.isSameFile(as: lockIdentity)
        } catch {
            guard lockIdentity == nil, error.isMissing else { return false }
            do { return try isFolderCurrent() } catch { return false }
        }
    }

    /// Whether a version of a file may change again without a change in its times, see there.
    func isRecent(_ version: FileStatus.Identity, readSince moment: Int64) -> Bool {
        version.isRecent(from: moment, to: SystemCalls.wallNanoseconds, isExact: keepExactTimes)
    }

    /// Whether these are files of one folder.
    func isSameFolder(as other: SuiteFiles) throws(DefaultsError) -> Bool {
        try DefaultsError.reading(location.folder) { () throws(SystemError) in
            try SystemCalls.status(of: folder).isSameFile(as: SystemCalls.status(of: other.folder))
        }
    }

    /// Whether the folder is still the one with that name; without it, nothing that was in it counts any more.
    ///
    /// - Throws: `.io` where that cannot be told.
    func isFolderCurrent() throws(DefaultsError) -> Bool {
        try DefaultsError.reading(location.folder) { () throws(SystemError) in
            try SystemCalls.statusBehindLinks(orMissing: location.folder)?
                .isSameFile(as: SystemCalls.status(of: folder)) ?? false
        }
    }
}
