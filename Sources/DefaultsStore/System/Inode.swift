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
    /// The same without its times.
    var inode: Inode {
        Inode(
            device: identity.device, number: identity.inode, size: identity.size, owner: owner,
            linkCount: linkCount, isRegular: isRegular)
    }
}
