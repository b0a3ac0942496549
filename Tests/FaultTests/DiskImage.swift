import Foundation
import Libc
import TestSupport

/// A disk of a test's own, in a file, that loses its power when it is told to.
///
/// The file system itself cuts itself off from its disk, so that everything it had not written is gone, and makes good
/// from its journal when it is mounted again: what power loss does, but for what a disk's own cache adds.
final class DiskImage {
    /// The file systems that can cut themselves off.
    enum Kind: String, CaseIterable {
        case ext4, xfs

        /// It makes none in less.
        fileprivate var megabytes: Int { self == .ext4 ? 64 : 300 }
    }

    /// What becomes of the file system's journal, as its ioctl has it.
    enum PowerLoss: UInt32, CaseIterable {
        /// It is written first: names and lengths may be there without the bytes.
        case withLog = 1
        /// It is lost as far as nobody has waited for it.
        case withoutLog = 2
    }

    /// A program or a call was refused.
    struct Refused: Error {
        let what: String
    }

    /// Where it is mounted.
    let path: String
    private let folder: TemporaryFolder
    private let image: String

    /// Makes a file system and mounts it.
    init(_ kind: Kind, options: String...) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/mounted"
        image = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try run("truncate", "-s", "\(kind.megabytes)M", image)
        try run("mkfs.\(kind)", ["-q"] + options + [image])
        try mount()
    }

    deinit {
        do { try Tool.run("umount", ["-l", path]) } catch {
            FileHandle.standardError.write(Data("a test's mount stays behind: \(path): \(error)\n".utf8))
        }
    }

    /// Cuts the file system off: from here on every call on it is refused.
    func losePower(_ loss: PowerLoss) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Refused(what: "open \(errno)") }
        defer { close(file) }
        // EXT4_IOC_SHUTDOWN, which took over the number that XFS had for XFS_IOC_GOINGDOWN.
        var argument = loss.rawValue
        guard ioctl(file, 0x8004_587D, &argument) == 0 else { throw Refused(what: "ioctl \(errno)") }
    }

    /// Mounts it as the next start of the machine does; nobody may have a file open on it.
    func mountAgain() throws {
        // A process that has ended may hold its files a moment longer.
        guard try eventually({ try Tool.run("umount", [path]).status == 0 }) else {
            throw Refused(what: "umount \(path)")
        }
        try mount()
    }

    private func mount() throws {
        try run("mount", "-o", "loop", image, path)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    private func run(_ program: String, _ arguments: String...) throws { try run(program, arguments) }

    private func run(_ program: String, _ arguments: [String]) throws {
        let ended = try Tool.run(program, arguments)
        guard ended.status == 0 else { throw Refused(what: "\(program): \(ended.output)") }
    }
}
