#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What kind of file system a folder is on.
extension SystemCalls {
    /// Whether the folder is on a disk of this machine, where a mapped page shows what other processes write.
    ///
    /// On network and user-space file systems it may not, or not at once. One that nothing can be learnt of is taken
    /// for one of these.
    static func isLocal(_ folder: borrowing Descriptor) -> Bool {
        let raw = folder.raw
        #if os(Linux)
            var kind = 0
            do { _ = try check("fstatfs") { LinuxCalls.fileSystem(of: raw, &kind) } } catch { return false }
            return !isRemote(UInt32(truncatingIfNeeded: kind))
        #else
            var result = statfs()
            do { _ = try check("fstatfs") { fstatfs(raw, &result) } } catch { return false }
            return result.f_flags & UInt32(MNT_LOCAL) != 0
        #endif
    }

    /// By the magic numbers of statfs(2): NFS, SMB, CIFS, SMB 2, FUSE, Ceph, AFS (two), 9P, Coda, Lustre, OCFS2, GFS2,
    /// NCP.
    private static func isRemote(_ kind: UInt32) -> Bool {
        switch kind {
        case 0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x00C3_6400, 0x5346_414F, 0x6B41_4653,
            0x0102_1997, 0x7375_7245, 0x0BD0_0BD0, 0x7461_636F, 0x0116_1970, 0x564C:
            true
        default: false
        }
    }
}
