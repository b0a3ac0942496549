import Synchronization

/// One `stat` of a suite's folder instead of one for each of two names in it.
///
/// A writer first verifies that nobody has removed the lock file, the journal or the folder, because people do that
/// at any time. Checking both names is a third of the kernel's work for a set, and the folder's time of change tells
/// whether there is anything to see.
///
/// While the path leads to the same folder, and that has the time of change that it had before both names were checked,
/// the names stand for what they stood for then. A time that is too young does not count. Proofs.md says why that is
/// enough.
///
/// Only used by the holder of the writer's lock and, within one process, by the thread that has the store's lock.
struct FolderLook: ~Copyable, Sendable {
    private let isUsed: Bool
    /// The folder's inode, device and time of change under which both names were found to be right; 0 for none.
    private let inode = Atomic<UInt64>(0)
    private let device = Atomic<UInt64>(0)
    private let changed = Atomic<Int64>(0)
    /// The inode of the journal that was checked then.
    private let journal = Atomic<UInt64>(0)
    /// When checking the folder becomes worthwhile, on the clock of files.
    private let rest = Atomic<Int64>(0)

    /// Creates a check that knows nothing yet.
    ///
    /// - Parameter isUsed: whether the file system's times of change can be relied on.
    init(isUsed: Bool) { self.isUsed = isUsed }

    /// What was seen of the folder right after the lock was taken.
    struct Sight: Sendable {
        /// Whether the lock file is still the one with its name.
        let isCurrent: Bool
        /// Whether the names stand for what they stood for when they were checked last.
        let isUnchanged: Bool
        /// The folder as it was before the names were checked, if that may be kept.
        fileprivate let found: Found?
    }

    fileprivate struct Found: Sendable {
        let inode, device: UInt64
        let changed: Int64
    }

    /// Checks the folder, and the lock file's name if the folder does not tell.
    func look(at files: SuiteFiles) -> Sight {
        let found = lookAtFolder(files.location.folder)
        if let found, isKnown(found) { return Sight(isCurrent: true, isUnchanged: true, found: nil) }
        // The clock is read after the folder, and before the names are checked.
        let lasts = found.map { isSettled($0) } ?? false
        return Sight(isCurrent: files.isCurrent(), isUnchanged: false, found: lasts ? found : nil)
    }

    private func isKnown(_ found: Found) -> Bool {
        found.changed == changed.load(ordering: .relaxed)
            && found.inode == inode.load(ordering: .relaxed)
            && found.device == device.load(ordering: .relaxed)
    }

    /// Checks the folder.
    ///
    /// - Returns: nil if the folder would tell nothing.
    private func lookAtFolder(_ path: String) -> Found? {
        guard isUsed else { return nil }
        let rest = rest.load(ordering: .relaxed)
        if rest != 0, SystemCalls.wallNanoseconds < rest { return nil }
        // Checking the names reveals why a folder cannot be checked.
        do {
            return try SystemCalls.changes(ofFolder: path)
                .map { Found(inode: $0.folder.number, device: $0.folder.device, changed: $0.changed) }
        } catch { return nil }
    }

    /// Whether the folder's next change will have another time; if not, the folder is not checked until it will.
    private func isSettled(_ found: Found) -> Bool {
        let now = SystemCalls.wallNanoseconds
        let age = now &- found.changed
        let uncertainty = Int64(FileStatus.uncertainty(of: found.changed))
        if age >= uncertainty {
            rest.store(0, ordering: .relaxed)
            return true
        }
        // A time in the future means that the clock was set back: the folder is checked again and again until that
        // has passed.
        rest.store(now &+ uncertainty &- max(age, 0), ordering: .relaxed)
        return false
    }

    /// Whether a journal is the one that had its name when the names were checked.
    fileprivate func isJournal(_ file: Inode) -> Bool { file.number == journal.load(ordering: .relaxed) }

    /// Notes that both names stand for what they should stand for.
    ///
    /// - Parameters:
    ///   - sight: what was seen of the folder before they were checked.
    ///   - file: the journal's inode.
    fileprivate func note(_ sight: Sight, journal file: Inode) {
        guard let found = sight.found else { return }
        inode.store(found.inode, ordering: .relaxed)
        device.store(found.device, ordering: .relaxed)
        changed.store(found.changed, ordering: .relaxed)
        journal.store(file.number, ordering: .relaxed)
    }
}

extension Journal {
    /// Does what ``untouched(_:_:)`` does, for the holder of the lock, who usually knows whether the name still
    /// stands for the file.
    ///
    /// - Parameter isAtOnce: whether the lock was taken just now, for this purpose.
    static func untouched(
        _ state: JournalState, isAtOnce: Bool, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> JournalState? {
        let files = lock.files
        if isAtOnce, lock.sight.isUnchanged, files.folderLook.isJournal(state.file.inode) {
            let inode = try DefaultsError.reading(
                files.location.journalPath, SystemCalls.inode(of: state.file.descriptor))
            if state.file.isAsTrusted(as: inode), inode.linkCount == 1 {
                return try withReserve(of: state, size: inode.size, files.location.journalPath)
            }
        }
        let untouched = try untouched(state, files)
        if untouched != nil { files.folderLook.note(lock.sight, journal: state.file.inode) }
        return untouched
    }
}
