import Synchronization

/// The open folder and lock file of a suite, through which all other files are reached.
///
/// Immutable once open; when the lock file or the folder is replaced, a new object takes its place, and the old one
/// is closed with its last reader.
package final class SuiteFiles: Sendable {
    /// What a process may do with the suite.
    enum Access: Hashable, Sendable {
        case full
        /// Why the lock file cannot be written.
        case readOnly(DefaultsError)
    }

    let location: SuiteLocation
    let folder: Descriptor
    let lock: Descriptor?
    /// The lock file of those who may not write it.
    let readableLock: Descriptor?
    let counter: GenerationCounter
    /// Nil where the lock file is read each time, or missing.
    let page: MappedPage?
    /// Whether the kernel notifies of every change, and remembers of files what they are.
    let isLocal: Bool
    let access: Access
    /// The identity of the lock file; distinguishes stores, and a replaced lock file from its successor.
    let lockIdentity: Inode?
    private let isCleared = Atomic<Bool>(false)
    /// Whether the times of files follow this machine's clock, to the tick.
    let keepExactTimes: Bool
    /// Whether the next settings file may be created without a name; false once the system could not give it one.
    let supportsUnnamedFiles: Atomic<Bool>
    /// As of the last check.
    let isReadOnly = Atomic<Bool>(false)
    let turn = TimeSlice()
    let bell = Doorbell()

    var resource: WorkerPool.Resource { .fileSystem(lockIdentity?.device ?? 0) }
    /// As far as opening the suite reveals.
    var isWritable: Bool { access == .full }
    /// Whether records wait in a journal for a checkpoint, even if somebody has removed the lock file.
    var haveJournal: Bool { isWritable || lockIdentity != nil }

    private init(
        location: SuiteLocation, folder: consuming Descriptor, lock: consuming Descriptor?,
        readableLock: consuming Descriptor? = nil, counter: GenerationCounter, access: Access,
        lockIdentity: Inode?, fileSystem: SystemCalls.FileSystem
    ) {
        self.location = location
        self.folder = folder
        self.lock = lock
        self.readableLock = readableLock
        self.counter = counter
        page = counter.page
        isLocal = fileSystem.isLocal
        self.access = access
        self.lockIdentity = lockIdentity
        keepExactTimes = fileSystem.notifiesOfChanges
        supportsUnnamedFiles = Atomic(fileSystem.supportsUnnamedFiles)
    }

    /// Nil if the lock file may not be written.
    @discardableResult @inline(__always)
    func withLock<Result, Failure: Error>(
        _ body: (borrowing Descriptor) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch lock {
        case .some(let lock): try body(lock)
        case .none: nil
        }
    }

    /// Cleans up, once, what a writer left that died while these files were not open.
    ///
    /// - Returns: whether the settings file may be another one now.
    func clearLeftovers(holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> Bool {
        guard !isCleared.load(ordering: .acquiring) else { return false }
        let isChanged = try CrashRecovery.clear(holding: lock)
        isCleared.store(true, ordering: .releasing)
        return isChanged
    }

    /// Opens the folder and whatever lock file is there, creating nothing: for a reader whose files were removed.
    ///
    /// - Returns: nil if the folder is gone.
    static func openExisting(_ location: SuiteLocation) throws(DefaultsError) -> SuiteFiles? {
        guard let folder = try SuiteDirectory.open(location, creating: false) else { return nil }
        return try openForReading(
            folder, location, location.isReadOnly ? .readOnly(location.readOnlyError) : .full)
    }

    /// Opens a suite's files, creating the folder and the lock file if they are missing and may be created.
    ///
    /// - Cost: about ten system calls, three for each folder of the path, and more if folders are created.
    /// - Throws: `.insecureDirectory`, `.lockTimeout`, `.ioFailure`. A newer format concerns writers, not readers.
    static func open(_ location: SuiteLocation) throws(DefaultsError) -> SuiteFiles {
        if location.isReadOnly {
            guard let files = try openExisting(location) else {
                throw DefaultsError(
                    .readOnly, path: location.folder,
                    underlyingDescription: "there is no such folder, and readOnly: true makes none")
            }
            return files
        }
        let refusal: DefaultsError
        do throws(DefaultsError) {
            guard let opened = try SuiteDirectory.open(location, creating: true) else {
                throw DefaultsError(.ioFailure, path: location.folder)
            }
            try SafePath.refuseOthers(opened, location.folder)
            let fileSystem = SystemCalls.fileSystem(of: opened)
            let folder = opened.remote(!fileSystem.isLocal)
            let lock = try LockFile.open(in: folder, location)
            let counter = try DefaultsError.reading(
                location.lockPath, GenerationCounter(of: lock, isLocal: fileSystem.isLocal))
            let status = try DefaultsError.reading(location.lockPath, SystemCalls.status(of: lock))
            return SuiteFiles(
                location: location, folder: folder, lock: lock, counter: counter, access: .full,
                lockIdentity: status.inode, fileSystem: fileSystem)
        } catch {
            // A lock file with two names is one that somebody has copied by hard links.
            let isCopied = error.underlyingDescription == RegularFile.secondName
            // Root reads another user's folder where the caller allows that, and creates nothing in it.
            let isOthers = error.code == .insecureDirectory && location.allowsInsecureDirectory
            guard error.code == .readOnly || error.code == .diskFull || isCopied || isOthers else {
                throw error
            }
            refusal = error
        }
        guard let folder = try SuiteDirectory.open(location, creating: false) else { throw refusal }
        return try openForReading(folder, location, .readOnly(refusal))
    }

    /// Opens what may only be read: without a lock of our own, but with the generation if there is a lock file.
    private static func openForReading(
        _ opened: consuming Descriptor, _ location: SuiteLocation, _ access: Access
    ) throws(DefaultsError) -> SuiteFiles {
        let fileSystem = SystemCalls.fileSystem(of: opened)
        let folder = opened.remote(!fileSystem.isLocal)
        do {
            let lock = try SystemCalls.open(location.lock, in: folder, .read).stayingOpen()
            let status = try SystemCalls.status(of: lock)
            if status.isRegular, status.identity.size >= MappedPage.size {
                let counter = try GenerationCounter(of: lock, isLocal: fileSystem.isLocal)
                return SuiteFiles(
                    location: location, folder: folder, lock: nil, readableLock: consume lock,
                    counter: counter, access: access, lockIdentity: status.inode, fileSystem: fileSystem)
            }
        } catch {
            guard error.isMissing || error.isForbidden else {
                throw .reading(location.lockPath, error)
            }
        }
        return SuiteFiles(
            location: location, folder: folder, lock: nil, counter: .absent, access: access,
            lockIdentity: nil, fileSystem: fileSystem)
    }

    /// Another process may have replaced the lock file, or the folder.
    func isCurrent() -> Bool {
        do {
            try SystemCalls.refresh(location.lock, in: folder)
            // By its whole path, so that a folder that was moved away is noticed too.
            let inode = try SystemCalls.inode(path: location.lockPath)
            guard let lockIdentity else { return false }
            return inode.isSameFile(as: lockIdentity)
        } catch {
            guard lockIdentity == nil, error.isMissing else { return false }
            do { return try isFolderCurrent() } catch { return false }
        }
    }

    /// Whether a version of a file may change again without a change in its times; see there.
    func isRecent(_ version: FileStatus.Identity, readSince time: Int64) -> Bool {
        version.isRecent(from: time, to: SystemCalls.wallNanoseconds, isExact: keepExactTimes)
    }

    func isSameFolder(as other: SuiteFiles) throws(DefaultsError) -> Bool {
        try DefaultsError.reading(
            location.folder,
            SystemCalls.status(of: folder).isSameFile(as: SystemCalls.status(of: other.folder)))
    }

    /// Whether the folder is still the one with that name; otherwise nothing that was in it applies any more.
    ///
    /// - Throws: `.ioFailure` if that cannot be determined.
    func isFolderCurrent() throws(DefaultsError) -> Bool {
        try DefaultsError.reading(
            location.folder,
            SystemCalls.statusBehindLinks(orMissing: location.folder)?.isSameFile(
                as: SystemCalls.status(of: folder)) ?? false)
    }
}
