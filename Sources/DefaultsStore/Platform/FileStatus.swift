#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system knows of a file: which one it is, whose, and of what kind.
struct FileStatus: Hashable, Sendable {
    /// What distinguishes one version of a file from another.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
        let size: Int
        let modified: Int64

        /// Whether the file may change again without a change in its times, because it was written so shortly before
        /// it was read.
        ///
        /// A time in the future was set by hand, or by another clock; the file's next change will have another time.
        ///
        /// - Parameters:
        ///   - before: the clock of files before the file was read: what happens after it may change the file.
        ///   - after: the same clock after that, because the file may have been written in the meantime.
        ///   - isExact: whether the file system uses the clock that `before` is from, and keeps every tick.
        func isRecent(from before: Int64, to after: Int64, isExact: Bool) -> Bool {
            let uncertainty = Int64(FileStatus.uncertainty(of: modified))
            guard modified < after + uncertainty else { return false }
            if isExact, !FileStatus.isWholeSeconds(modified) { return modified >= before }
            return modified > before - uncertainty
        }
    }

    /// How old a file's time has to be, in nanoseconds, before the next change is certain to give it another.
    static func uncertainty(of time: Int64) -> UInt64 { isWholeSeconds(time) ? 2_100_000_000 : 20_000_000 }

    private static func isWholeSeconds(_ time: Int64) -> Bool { time.isMultiple(of: 1_000_000_000) }

    let identity: Identity
    /// When its inode was changed last: by a write, or by a change of its names or permissions.
    let changed: Int64
    let owner: UInt32
    let group: UInt32
    let permissions: UInt32
    let linkCount: Int
    let isRegular: Bool
    let isDirectory: Bool
    let isSymbolicLink: Bool

    init(_ status: stat) {
        #if canImport(Darwin)
            let (time, change) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (time, change) = (status.st_mtim, status.st_ctim)
        #endif
        changed = FileStatus.nanoseconds(change)
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
            size: Int(status.st_size), modified: FileStatus.nanoseconds(time))
        owner = status.st_uid
        group = status.st_gid
        permissions = UInt32(status.st_mode) & 0o7777
        linkCount = Int(status.st_nlink)
        // S_IFMT and the like, the same on every system; by name each is a function of another library, which a new
        // process would have to look up.
        let kind = UInt32(status.st_mode) & 0o170000
        isRegular = kind == 0o100000
        isDirectory = kind == 0o040000
        isSymbolicLink = kind == 0o120000
    }

    /// Nanoseconds since 1970; outside the years 1677 to 2262, which anybody may give a file, the number only
    /// distinguishes times.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whether its owner has made it read-only.
    ///
    /// The mode is what counts, also for root, whom it does not stop.
    var isReadOnly: Bool { permissions & 0o200 == 0 }

    /// Whether only their owners, and its own, can rename and remove what is in a folder.
    var isSticky: Bool { permissions & 0o1000 != 0 }

    /// Whether its permissions let others than root and the process's user write it: everybody, or a group that others
    /// are in.
    var canOthersWrite: Bool {
        permissions & 0o002 != 0 || permissions & 0o020 != 0 && !SystemCalls.isOwn(group: group)
    }

    /// Whether a file with another status has the same owner's rules: mode, group, and attributes such as an access
    /// control list, of which the time of change tells.
    func hasSameRules(as other: FileStatus?) -> Bool {
        other.map { $0.permissions == permissions && $0.group == group && $0.changed == changed } ?? false
    }

    /// Whether both are the same file, regardless of what was written to it since.
    func isSameFile(as other: FileStatus) -> Bool {
        identity.device == other.identity.device && identity.inode == other.identity.inode
    }
}

/// What the system knows of a file apart from its times: all that has to be known of a file that is written all the
/// time.
///
/// Asking for a file's times makes its next write more expensive: Linux, since 6.13 and on ext4, XFS, Btrfs and
/// tmpfs, gives that write a time of its own, which has to be recorded. Without that, each of a set's two writes
/// takes half as long.
struct Inode: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int
    let owner: UInt32
    let linkCount: Int
    let isRegular: Bool

    /// Whether both are the same file, regardless of what was written to it since.
    func isSameFile(as other: Inode) -> Bool { device == other.device && number == other.number }
}

extension FileStatus {
    /// Without the times.
    var inode: Inode {
        Inode(
            device: identity.device, number: identity.inode, size: identity.size, owner: owner,
            linkCount: linkCount, isRegular: isRegular)
    }
}
