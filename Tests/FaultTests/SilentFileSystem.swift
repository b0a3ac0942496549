import Foundation
import Libc
import Synchronization
import TestSupport

/// A file system of a test's own process (FUSE) with an empty folder, which stops answering when it is told to, as a
/// server does that is gone.
final class SilentFileSystem: Sendable {
    /// Where it is mounted.
    let path: String
    private let folder: TemporaryFolder
    private let device: Int32
    private let isSilent = Atomic<Bool>(false)
    private let isOver = Atomic<Bool>(false)
    private let asked = Atomic<Int>(0)
    private let ignored = Atomic<Int>(0)
    private let ended = DispatchSemaphore(value: 0)

    /// Mounts it, which only root may do.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/mounted"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        guard device >= 0 else { throw POSIXError.current }
        let options = "fd=\(device),rootmode=40000,user_id=0,group_id=0"
        guard SilentFileSystem.mount("silent", path, "fuse", 0, options) == 0 else {
            let error = POSIXError.current
            close(device)
            throw error
        }
        Thread.detachNewThread { [self] in serve() }
    }

    /// The C function, for which there is no module.
    @_silgen_name("mount")
    private static func mount(
        _ source: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>, _ kind: UnsafePointer<CChar>,
        _ flags: UInt,
        _ options: UnsafePointer<CChar>
    ) -> Int32

    /// How many requests there were that it has answered.
    var requests: Int { asked.load(ordering: .acquiring) }

    /// How many requests wait for an answer that does not come.
    var unanswered: Int { ignored.load(ordering: .acquiring) }

    /// Answers nothing any more.
    func fallSilent() { isSilent.store(true, ordering: .releasing) }

    /// Ends it: whatever waits for an answer gets an error.
    func end() throws {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        try Tool.run("umount", ["-l", path])
        ended.wait()
        close(device)
    }

    deinit {
        do { try end() } catch {
            FileHandle.standardError.write(Data("a test's mount stays behind: \(path): \(error)\n".utf8))
        }
    }

    private func serve() {
        var room = [UInt8](repeating: 0, count: 1 << 18)
        while !isOver.load(ordering: .acquiring) {
            var event = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
            guard poll(&event, 1, 20) > 0 else { continue }
            let count = read(device, &room, room.count)
            guard count >= 40 else {
                // Unmounted, or a request that was interrupted before it was read.
                if count < 0, errno == ENODEV { break }
                continue
            }
            answer(room)
        }
        ended.signal()
    }

    private func answer(_ request: [UInt8]) {
        let (call, unique) = request.withUnsafeBytes {
            ($0.load(fromByteOffset: 4, as: UInt32.self), $0.load(fromByteOffset: 8, as: UInt64.self))
        }
        // What wants no answer: that something was forgotten.
        if call == 2 || call == 42 { return }
        if isSilent.load(ordering: .acquiring) {
            ignored.add(1, ordering: .releasing)
            return
        }
        asked.add(1, ordering: .releasing)
        switch call {
        case 1: reply(unique, error: ENOENT)
        case 3: reply(unique, [UInt32](repeating: 0, count: 4) + SilentFileSystem.attributes)
        case 14, 27: reply(unique, [UInt32](repeating: 0, count: 4))
        case 17: reply(unique, SilentFileSystem.statistics)
        case 18, 25, 29: reply(unique, [])
        case 26: reply(unique, [7, 31, 0, 0, 0, 4_096] + [UInt32](repeating: 0, count: 10))
        default: reply(unique, error: ENOSYS)
        }
    }

    /// Of a folder that belongs to root, number 1, with two links.
    private static let attributes: [UInt32] =
        [1, 0] + [UInt32](repeating: 0, count: 13) + [0o40755, 2, 0, 0, 0, 4_096, 0]

    private static let statistics: [UInt32] =
        [UInt32](repeating: 0, count: 10) + [4_096, 255, 4_096] + [UInt32](repeating: 0, count: 7)

    private func reply(_ unique: UInt64, _ words: [UInt32] = [], error: Int32 = 0) {
        var bytes: [UInt8] = []
        func put<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        put(UInt32(16 + words.count * 4))
        put(-error)
        put(unique)
        words.forEach(put)
        _ = write(device, bytes, bytes.count)
    }
}
