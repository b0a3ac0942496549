#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system knows of a file: which one it is, whose, and of what kind.
struct FileStatus: Hashable, Sendable {
    /// What tells one version of a file from another.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
        let size: Int
        let modified: Int64

        /// Whether it may change again without a change in its times, so short a time before it was read was it written.
        ///
        /// A time that is yet to come was given to it by hand, or by another clock, and its next change has another one.
        ///
        /// - Parameters:
        ///   - before: the clock of files before the file was read: what comes behind it may change.
        ///   - after: the same behind that, since it may have been written meanwhile.
        ///   - isExact: whether its file system's clock is the one that `before` is from, and keeps every tick.
        func isRecent(from before: Int64, to after: Int64, isExact: Bool) -> Bool {
            let settling = Int64(FileStatus.settling(of: modified))
            guard modified < after + settling else { return false }
            if isExact, !FileStatus.isWholeSeconds(modified) { return modified >= before }
            return modified > before - settling
        }
    }

    /// How old a file's time has to be, in nanoseconds, before the next change is sure to give it another.
    static func settling(of time: Int64) -> UInt64 { isWholeSeconds(time) ? 2_100_000_000 : 20_000_000 }

    private static func isWholeSeconds(_ time: Int64) -> Bool { time.isMultiple(of: 1_000_000_000) }

    let identity: Identity
    /// When its entry was changed last: by a write, and by what is done to its names and permissions.
    let changed: Int64
    let owner: UInt32
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
        permissions = UInt32(status.st_mode) & 0o7777
        linkCount = Int(status.st_nlink)
        // S_IFMT and its like, the same on every system; by its name each is a function of another library, which a new
        // process would have to look up.
        let kind = UInt32(status.st_mode) & 0o170000
        isRegular = kind == 0o100000
        isDirectory = kind == 0o040000
        isSymbolicLink = kind == 0o120000
    }

    /// Nanoseconds since 1970; beyond the years 1677 to 2262, which anybody may give a file, the number only tells times apart.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whether both are the same file, whatever was written to it since.
    func isSameFile(as other: FileStatus) -> Bool {
        identity.device == other.identity.device && identity.inode == other.identity.inode
    }
}
