import Foundation
import Glibc
import Measuring

/// Files like a suite's lock file and journal, and the calls that a set makes on them.
final class BareFiles: Sendable {
    private let (lock, journal, folder, notices): (Int32, Int32, Int32, Int32)
    private let lockPath: String

    /// - Parameter isWatched: whether the kernel is asked to tell of the journal's bytes.
    init(folder path: String, isWatched: Bool) throws {
        lockPath = path + "/lock"
        lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        journal = open(path + "/journal", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        notices = inotify_init1(Int32(IN_CLOEXEC))
        guard lock >= 0, journal >= 0, folder >= 0, notices >= 0,
            !isWatched || inotify_add_watch(notices, path + "/journal", UInt32(IN_MODIFY)) >= 0
        else { throw SystemFailure("open", path) }
    }

    deinit { for file in [lock, journal, folder, notices] { close(file) } }

    /// Makes the system calls of one set: nothing else that it does is between them.
    func makeCalls() throws {
        var status = stat()
        let record = [UInt8](repeating: 0x61, count: 96)
        guard flock(lock, LOCK_EX | LOCK_NB) == 0, lstat(lockPath, &status) == 0,
            fstatat(folder, "journal", &status, AT_SYMLINK_NOFOLLOW) == 0,
            pwrite(lock, record, 20, 0) == 20, pwrite(journal, record, record.count, 0) == record.count,
            flock(lock, LOCK_UN) == 0
        else { throw SystemFailure("pwrite", lockPath) }
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
