import Synchronization

/// One look at a suite's folder in place of one at each of two names in it.
///
/// Whoever writes makes sure first that nobody has taken the lock file, the journal or the folder away, since people do that at
/// any time. To look at both names is a third of what the kernel does for a set, and the folder says whether there is anything to see.
///
/// Proof. Whatever makes, renames, exchanges or removes a name in a folder gives the folder another time of change before
/// it returns, and nobody can set that time. So while the path leads to the same folder, and that has the time it had *before* both
/// names were looked at, they stand for what they stood for then. The clock of files goes on in ticks, and two changes within
/// one may have one time; so a time counts only where that clock was 20 ms past it before that look, and one of a file system that
/// seems to keep whole seconds where it was two seconds past: what comes later has a later one. A clock that was set back would have to come to that nanosecond again, and of mounts only one on a name
/// itself is not seen. What else may be done to the journal, which stays open, shows in its own inode: its length, its owner, a
/// second name. The look is as old as the lock: who runs a person's code under it looks at the journal's name again.
///
/// The idea is that of Git, whose index trusts a file's times but for those that are too young.
///
/// Touched by the holder of the writer's lock alone, and in one process by whoever has passed the gate.
struct FolderLook: ~Copyable, Sendable {
    private let isUsed: Bool
    /// The folder's inode, device and time of change under which both names stood for what they are to stand for; 0 for none.
    private let inode = Atomic<UInt64>(0)
    private let device = Atomic<UInt64>(0)
    private let changed = Atomic<Int64>(0)
    /// The inode of the journal that was looked at then.
    private let journal = Atomic<UInt64>(0)
    /// From when on a look at the folder is worth while, on the clock of files.
    private let rest = Atomic<Int64>(0)

    /// - Parameter isUsed: whether the file system's times of change can be relied on.
    init(isUsed: Bool) { self.isUsed = isUsed }

    /// What was seen of the folder by somebody who has just got the lock.
    struct Sight: Sendable {
        /// Whether the lock file is still the one with its name.
        let isCurrent: Bool
        /// Whether the names stand for what they stood for when they were looked at last.
        let isUnchanged: Bool
        /// The folder before the names were looked at, where it may be kept.
        fileprivate let found: Found?
    }

    fileprivate struct Found: Sendable {
        let inode, device: UInt64
        let changed: Int64
    }

    /// Looks at the folder, and at the lock file's name where that does not tell.
    func look(at files: SuiteFiles) -> Sight {
        let found = lookAtFolder(files.location.folder)
        if let found, isKnown(found) { return Sight(isCurrent: true, isUnchanged: true, found: nil) }
        // The clock is asked behind the look, and before the names are looked at.
        let lasts = found.map { isSettled($0) } ?? false
        return Sight(isCurrent: files.isCurrent(), isUnchanged: false, found: lasts ? found : nil)
    }

    private func isKnown(_ found: Found) -> Bool {
        found.changed == changed.load(ordering: .relaxed)
            && found.inode == inode.load(ordering: .relaxed)
            && found.device == device.load(ordering: .relaxed)
    }

    /// - Returns: nil where it would tell nothing.
    private func lookAtFolder(_ path: String) -> Found? {
        guard isUsed else { return nil }
        let rest = rest.load(ordering: .relaxed)
        if rest != 0, SystemCalls.wallNanoseconds < rest { return nil }
        // The names tell why a folder cannot be looked at.
        do {
            return try SystemCalls.changes(ofFolder: path)
                .map { Found(inode: $0.folder.number, device: $0.folder.device, changed: $0.changed) }
        } catch { return nil }
    }

    /// Whether the folder's next change has another time; else it is left alone until then.
    private func isSettled(_ found: Found) -> Bool {
        let now = SystemCalls.wallNanoseconds
        let age = now &- found.changed
        let settling = Int64(FileStatus.settling(of: found.changed))
        if age >= settling {
            rest.store(0, ordering: .relaxed)
            return true
        }
        // With a time that is yet to come the clock was set back: it is looked at again and again until that is over.
        rest.store(now &+ settling &- max(age, 0), ordering: .relaxed)
        return false
    }

    /// Whether a journal is the one that had its name when the names were looked at.
    fileprivate func isJournal(_ file: Inode) -> Bool { file.number == journal.load(ordering: .relaxed) }

    /// Notes that both names stand for what they are to stand for.
    ///
    /// - Parameters:
    ///   - sight: of the folder, from before they were looked at.
    ///   - file: the journal's.
    fileprivate func note(_ sight: Sight, journal file: Inode) {
        guard let found = sight.found else { return }
        inode.store(found.inode, ordering: .relaxed)
        device.store(found.device, ordering: .relaxed)
        changed.store(found.changed, ordering: .relaxed)
        journal.store(file.number, ordering: .relaxed)
    }
}

extension Journal {
    /// The same as ``untouched(_:_:)`` for the holder of the lock, who mostly knows whether the name still stands for
    /// the file.
    ///
    /// - Parameter isAtOnce: whether the lock was got for this just now.
    static func untouched(
        _ state: JournalState, isAtOnce: Bool, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> JournalState? {
        let files = lock.files
        if isAtOnce, lock.sight.isUnchanged, files.folderLook.isJournal(state.file.inode) {
            let inode = try DefaultsError.reading(files.location.journalPath) { () throws(SystemError) in
                try SystemCalls.inode(of: state.file.descriptor)
            }
            if state.file.isAsTrusted(as: inode), inode.linkCount == 1 {
                return try withReserve(of: state, size: inode.size, files.location.journalPath)
            }
        }
        let untouched = try untouched(state, files)
        if untouched != nil { files.folderLook.note(lock.sight, journal: state.file.inode) }
        return untouched
    }
}
