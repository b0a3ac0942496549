#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What kind of file system a folder is on.
extension SystemCalls {
    /// What is known of the file system that a folder is on.
    struct FileSystem: Sendable {
        /// Whether it is on a disk of this machine, where a mapped page shows what other processes write.
        ///
        /// On network and user-space file systems it may not, or not at once. One that is not known, or that nothing can
        /// be learnt of, is taken for one of these.
        var isLocal = false
        /// Whether a folder's time of change tells of every change of a name in it, see ``FolderLook``.
        var tellsChanges = false
        /// Whether a file that has no name yet can be waited for, and then has all its bytes under the name it is given.
        var keepsUnnamed = false
    }

    /// What is known of the file system that a folder is on.
    static func fileSystem(of folder: borrowing Descriptor) -> FileSystem {
        let raw = folder.raw
        #if os(Linux)
            var kind = 0
            do { _ = try check("fstatfs") { LinuxCalls.fileSystem(of: raw, &kind) } } catch {
                return FileSystem()
            }
            let number = UInt32(truncatingIfNeeded: kind)
            return FileSystem(
                isLocal: isLocal(number), tellsChanges: tellsChanges(number),
                keepsUnnamed: keepsUnnamed(number))
        #else
            var result = statfs()
            do { _ = try check("fstatfs") { fstatfs(raw, &result) } } catch { return FileSystem() }
            return FileSystem(isLocal: result.f_flags & UInt32(MNT_LOCAL) != 0)
        #endif
    }

    /// Those of which it is known that they note a folder's change before the call that makes it returns, to the tick of
    /// the kernel's clock at least: the ext family, XFS, Btrfs and tmpfs.
    static func tellsChanges(_ kind: UInt32) -> Bool {
        switch kind {
        case 0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994: true
        default: false
        }
    }

    /// Those of which it is known: the ext family, XFS and tmpfs.
    ///
    /// Btrfs puts nothing of such a file into its log, up to Linux 6.16 at least, and says that it has: behind a power
    /// loss it may be empty under its new name.
    static func keepsUnnamed(_ kind: UInt32) -> Bool {
        switch kind {
        case 0xEF53, 0x5846_5342, 0x0102_1994: true
        default: false
        }
    }

    /// Whether a file system of a kind is local, see ``FileSystem/isLocal``.
    ///
    /// By the magic numbers of statfs(2), in the order of the list: the ext family, XFS, Btrfs, bcachefs, F2FS, ZFS; tmpfs
    /// and ramfs; overlayfs and eCryptfs, which stand on another; JFS, ReiserFS (two), NILFS, UFS (two); what cards and
    /// foreign disks have: FAT, exFAT, NTFS (two), HFS, HFS+, UDF, ISO 9660; flash: JFFS2, UBIFS; read only: SquashFS,
    /// EROFS; and the Linux files of Windows.
    ///
    /// The local ones are listed and not the remote ones, since what is missing here costs speed: its suites have no
    /// journal, and each write waits for the disk. What were missing in a list of remote ones, of which new ones come with
    /// each cluster and each virtual machine, would cost the truth: a reader whose page does not show what another machine
    /// has written goes on with an old value and hears of nothing.
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
