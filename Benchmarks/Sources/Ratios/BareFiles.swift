import Foundation
import Glibc
import Measuring

/// Files like a suite's lock file and journal, and the calls that a set makes on them.
final class BareFiles: Sendable {
    private let (lock, journal, notices): (Int32, Int32, Int32)
    private let path: String
    private let look: Look

    private typealias Look =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer) -> Int32

    /// - Parameter isWatched: whether the kernel is asked to tell of the journal's bytes.
    init(folder path: String, isWatched: Bool) throws {
        self.path = path
        guard let call = dlsym(nil, "statx") else { throw SystemFailure("statx", path) }
        // Hidden from Swift by the headers; the cast is sound because this is the prototype in statx(2).
        look = unsafeBitCast(call, to: Look.self)
        lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        journal = open(path + "/journal", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        notices = inotify_init1(Int32(IN_CLOEXEC))
        guard lock >= 0, journal >= 0, notices >= 0,
            !isWatched || inotify_add_watch(notices, path + "/journal", UInt32(IN_MODIFY)) >= 0
        else { throw SystemFailure("open", path) }
    }

    deinit { for file in [lock, journal, notices] { close(file) } }

    /// Makes the system calls of one set: nothing else that it does is between them.
    func makeCalls() throws {
        // Kind, owner, number of names, inode and size; of the journal no times: the next write would pay for those.
        let (asked, change): (UInt32, UInt32) = (0x30D, 0x80)
        let record = [UInt8](repeating: 0x61, count: 96)
        let areThere = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { room in
            guard flock(lock, LOCK_EX | LOCK_NB) == 0, let start = room.baseAddress else { return false }
            // `AT_EMPTY_PATH`, which the headers hide from Swift.
            return look(AT_FDCWD, path, 0, asked | change, start) == 0
                && look(journal, "", 0x1000, asked, start) == 0
        }
        guard areThere, pwrite(lock, record, 20, 0) == 20,
            pwrite(journal, record, record.count, 0) == record.count,
            flock(lock, LOCK_UN) == 0
        else { throw SystemFailure("pwrite", path) }
    }

    /// The time of the calls of one set, of so many in a row.
    func callsOfSets(_ count: Int) throws -> Double {
        try Clock.time { for _ in 0..<count { try makeCalls() } } / Double(count)
    }

    /// Waits until the kernel tells of the journal's bytes.
    func waitForNotice() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = read(notices, &buffer, buffer.count)
    }
}
