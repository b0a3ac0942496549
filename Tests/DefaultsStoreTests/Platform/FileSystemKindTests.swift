/// On which file systems a mapped page is trusted to show what other processes write.
@testable import DefaultsStore
import Testing

struct FileSystemKindTests {
    @Test(
        arguments: [
            ("ext4", 0xEF53), ("XFS", 0x5846_5342), ("Btrfs", 0x9123_683E), ("bcachefs", 0xCA45_1A4E),
            ("F2FS", 0xF2F5_2010), ("ZFS", 0x2FC1_2FC1), ("tmpfs", 0x0102_1994), ("overlayfs", 0x794C_7630),
            ("FAT", 0x4D44), ("exFAT", 0x2011_BAB0),
        ] as [(String, UInt32)])
    func `a disk of this machine is one`(name: String, kind: UInt32) {
        #expect(SystemCalls.isLocal(kind))
    }

    @Test(
        arguments: [
            ("NFS", 0x6969), ("SMB", 0x517B), ("CIFS", 0xFF53_4D42), ("SMB 2", 0xFE53_4D42),
            ("FUSE", 0x6573_5546),
            ("Ceph", 0x00C3_6400), ("AFS", 0x5346_414F), ("kAFS", 0x6B41_4653), ("9P", 0x0102_1997),
            ("Coda", 0x7375_7245), ("Lustre", 0x0BD0_0BD0), ("OCFS2", 0x7461_636F), ("GFS2", 0x0116_1970),
            ("NCP", 0x564C), ("OrangeFS", 0x2003_0528), ("vboxsf", 0x786F_4256), ("BeeGFS", 0x1983_0326),
            ("PanFS", 0xAAD7_AAEA), ("SNFS", 0xBEEF_DEAD), ("vmhgfs", 0xBACB_ACBC), ("prl_fs", 0x7C7C_6673),
            ("ACFS", 0x6163_6673), ("GPFS", 0x4750_4653), ("a kind of tomorrow", 0x1234_5678), ("none", 0),
        ] as [(String, UInt32)])
    func `a network's, a virtual machine's or an unknown file system is none`(name: String, kind: UInt32) {
        #expect(!SystemCalls.isLocal(kind))
    }

    @Test(arguments: [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994] as [UInt32])
    func `ext4, XFS, Btrfs and tmpfs tell of a folder's changes`(kind: UInt32) {
        #expect(SystemCalls.notifiesOfChanges(kind))
    }

    @Test(arguments: [0x4D44, 0x2011_BAB0, 0x6969, 0x794C_7630, 0x6573_5546, 0x1234_5678, 0] as [UInt32])
    func `FAT, whose times are of whole seconds, a network's and an unknown file system are not asked`(
        kind: UInt32
    ) {
        #expect(!SystemCalls.notifiesOfChanges(kind))
    }
}
