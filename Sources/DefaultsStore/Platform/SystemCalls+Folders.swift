#if os(Linux)
    import CTypedDefaults
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The names in a folder.
extension SystemCalls {
    /// Returns the names in an open folder, in no particular order, whatever has taken its place since it was opened.
    ///
    /// - Throws: also if the listing breaks off, so that what is returned is complete.
    static func names(in folder: borrowing Descriptor) throws(SystemError) -> [String] {
        try refresh(folder)
        let raw = folder.raw
        // A number of the list's own, which closes it.
        let own = try check("fcntl") { fcntl(raw, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
        let planned = FaultInjection.strike("fdopendir")
        guard planned == nil, let list = fdopendir(own) else {
            let code = planned ?? errno
            _ = close(own)
            throw SystemError(call: "fdopendir", errno: code)
        }
        defer { closedir(list) }
        // Both numbers are of one place in the folder, where an earlier list may have ended.
        rewinddir(list)
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(list) else {
                let code = errno
                guard code == 0 else { throw SystemError(call: "readdir", errno: code) }
                return names.filter { $0 != "." && $0 != ".." }
            }
            // By its offset in the entry, because a copy of the whole structure would read beyond a shorter entry.
            let place = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = UnsafeRawPointer(entry) + place
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
    }
}

/// The kind of file system that a folder is on.
extension SystemCalls {
    /// What is known of the file system that a folder is on.
    struct FileSystem: Sendable {
        /// Whether it is on a disk of this machine, where a mapped page shows what other processes write, the kernel tells
        /// of every change, and what it remembers of files is what they are.
        ///
        /// Of network and user-space file systems it may remember what is old (`SystemCalls+Refreshing`), and it hears
        /// nothing of what other machines do. A file system that is not known, or about which nothing can be learnt, is
        /// treated as one of these.
        var isLocal = false
        /// Whether a folder's time of change reveals every change of a name in it.
        var notifiesOfChanges = false
        /// Whether a file without a name can be synced, and then has all its bytes under the name that it is given.
        var supportsUnnamedFiles = false
    }

    static func fileSystem(of folder: borrowing Descriptor) -> FileSystem {
        let raw = folder.raw
        var result = statfs()
        do { _ = try check("fstatfs") { fstatfs(raw, &result) } } catch { return FileSystem() }
        #if os(Linux)
            let kind = UInt32(truncatingIfNeeded: result.f_type)
            return FileSystem(
                isLocal: isLocal(kind), notifiesOfChanges: notifiesOfChanges(kind),
                supportsUnnamedFiles: supportsUnnamedFiles(kind))
        #else
            return FileSystem(isLocal: result.f_flags & UInt32(MNT_LOCAL) != 0)
        #endif
    }

    /// Whether the file system of a folder is mounted read-only here, so that nobody writes by this mount.
    static func isReadOnly(_ folder: borrowing Descriptor) -> Bool {
        let raw = folder.raw
        var result = statfs()
        do { _ = try check("fstatfs") { fstatfs(raw, &result) } } catch { return false }
        // `ST_RDONLY`, and `MNT_RDONLY` on Apple's systems.
        return UInt64(truncatingIfNeeded: result.f_flags) & 1 != 0
    }

    /// Whether a kind of file system is known to record a folder's change before the call that makes it returns, to
    /// the tick of the kernel's clock at least: the ext family, XFS, Btrfs and tmpfs.
    static func notifiesOfChanges(_ kind: UInt32) -> Bool {
        switch kind {
        case 0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994: true
        default: false
        }
    }

    /// Whether this is known of a kind of file system: the ext family, XFS and tmpfs.
    ///
    /// Btrfs, at least up to Linux 6.16, puts nothing of such a file into its log, and says that it has: after a
    /// power loss the file may be empty under its new name.
    static func supportsUnnamedFiles(_ kind: UInt32) -> Bool {
        switch kind {
        case 0xEF53, 0x5846_5342, 0x0102_1994: true
        default: false
        }
    }

    /// Whether a kind of file system is local; see ``FileSystem/isLocal``.
    ///
    /// By the magic numbers of statfs(2), in the order of the list: the ext family, XFS, Btrfs, bcachefs, F2FS, ZFS;
    /// tmpfs and ramfs; overlayfs and eCryptfs, which are layered on another; JFS, ReiserFS (two), NILFS, UFS (two);
    /// what cards and foreign disks have: FAT, exFAT, NTFS (two), HFS, HFS+, UDF, ISO 9660; flash: JFFS2, UBIFS; read
    /// only: SquashFS, EROFS; and the Linux files of Windows.
    ///
    /// The local ones are listed and not the remote ones, because what is missing here costs only speed: each look asks
    /// the file system. What was missing in a list of remote ones, of which new ones come with each cluster and each
    /// virtual machine, would cost correctness: a reader whose page does not show what another machine has written
    /// would go on with an old value and learn of nothing.
    static func isLocal(_ kind: UInt32) -> Bool {
        switch kind {
        case 0xEF53, 0x5846_5342, 0x9123_683E, 0xCA45_1A4E, 0xF2F5_2010, 0x2FC1_2FC1,
            0x0102_1994, 0x8584_58F6,
            0x794C_7630, 0xF15F,
            0x3153_464A, 0x5265_4973, 0x5234_5362, 0x3434, 0x0001_1954, 0x1954_0119,
            0x4D44, 0x2011_BAB0, 0x5346_544E, 0x7366_746E, 0x4244, 0x482B, 0x1501_3346, 0x9660,
            0x72B6, 0x2405_1905,
            0x7371_7368, 0xE0F5_E1E2,
            0x5346_4846:
            true
        default: false
        }
    }
}
