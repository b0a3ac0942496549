/// What the system knows of a file but for its times: all that has to be known of one that is written all the time.
///
/// Whoever asks for a file's times has its next write pay for it: Linux, since 6.13 and on ext4, XFS, Btrfs and tmpfs, gives
/// that one a time of its own, which changes the inode. Each of a set's two writes takes half as long without.
struct FileEntry: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    let owner: UInt32
    let linkCount: Int
    let isRegular: Bool

    /// Whether both are the same file, whatever was written to it since.
    func isSameFile(as other: FileEntry) -> Bool { device == other.device && inode == other.inode }
}

extension FileStatus {
    /// The same without its times.
    var entry: FileEntry {
        FileEntry(
            device: identity.device, inode: identity.inode, size: identity.size, owner: owner,
            linkCount: linkCount, isRegular: isRegular)
    }
}
