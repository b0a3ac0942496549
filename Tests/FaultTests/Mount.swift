import Foundation
import TestSupport
import Testing

/// A file system that is mounted in a folder of a test's own for as long as this lives.
final class Mount {
    /// Where it is mounted.
    let path: String
    /// The folder that was made for it; nil if it is in one of somebody else's.
    private let folder: TemporaryFolder?

    /// Mount refused.
    struct Refused: Error {
        let output: String
    }

    /// Mounts a file system in memory that has room for so many pages.
    convenience init(pages: Int) throws {
        try self.init(["-t", "tmpfs", "-o", "size=\(pages * 4)k,mode=700", "tmpfs"])
    }

    /// Mounts another folder a second time, such that nothing can be written through here.
    convenience init(readOnly source: TemporaryFolder) throws {
        try self.init(["--bind", source.path])
        try mount(["-o", "remount,bind,ro", path])
    }

    /// Mounts one file in another one's place.
    init(of file: String, on place: String) throws {
        (folder, path) = (nil, place)
        try mount(["--bind", file, path])
    }

    private init(_ arguments: [String]) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        path = folder.path + "/mounted"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try mount(arguments + [path])
    }

    // At once for everybody to come, even while a peer still has files open there.
    deinit {
        do { try Tool.run("umount", ["-l", path]) } catch {
            FileHandle.standardError.write(Data("a test's mount stays behind: \(path): \(error)\n".utf8))
        }
    }

    /// Lets what was read-only be written.
    func makeWritable() throws { try mount(["-o", "remount,bind,rw", path]) }

    /// Writes a file that leaves room for so many pages.
    func fill(leaving pages: Int) throws {
        let free = try freePages()
        try Data(count: max(0, free - pages) * 4096).write(to: URL(filePath: path + "/filler"))
        guard try freePages() == pages else { throw Refused(output: "\(try freePages()) pages are free") }
    }

    /// Takes that file away.
    ///
    /// Emptied first: Foundation has written it by a descriptor that a peer gets a copy of which another test starts in
    /// that moment, and which keeps what was in the file.
    func makeRoom() throws {
        let filler = try #require(FileHandle(forWritingAtPath: path + "/filler"))
        try filler.truncate(atOffset: 0)
        try filler.close()
        try FileManager.default.removeItem(atPath: path + "/filler")
    }

    private func freePages() throws -> Int {
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: path)
        return ((attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0) / 4096
    }

    private func mount(_ arguments: [String]) throws {
        let ended = try Tool.run("mount", arguments)
        guard ended.status == 0 else { throw Refused(output: ended.output) }
    }
}
