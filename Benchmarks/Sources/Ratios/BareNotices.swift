import Foundation
import Glibc
import Measuring
import Synchronization

extension Bench {
    /// Item 11, for comparison: the delays from the begin of a set's bare system calls to the kernel's notice of them.
    ///
    /// None of our code is between, so no observer can be called sooner on this machine.
    func bareNotices(count: Int = 1000, pause: Int = 2000) throws -> Sample {
        let files = try BareFiles(folder: try makeFolder("bare-notices"))
        let begin = Atomic<Int>(0)
        let times = Mutex<[Double]>([])
        let done = DispatchSemaphore(value: 0)
        let reader = Thread {
            for _ in 0..<count {
                files.waitForNotice()
                let now = Clock.now()
                times.withLock { $0.append(Double(now - begin.load(ordering: .acquiring))) }
                done.signal()
            }
        }
        reader.start()
        for _ in 0..<count {
            Clock.pause(microseconds: pause)
            begin.store(Clock.now(), ordering: .releasing)
            try files.makeCalls()
            // The next begins when this one was heard, as the pause sees to between processes.
            guard done.wait(timeout: .now() + 10) == .success else {
                throw SystemFailure(waitingFor: "a notice")
            }
        }
        return Sample(times.withLock { $0 })
    }
}

/// Files like a suite's lock file and journal, and the calls that a set makes on them.
private final class BareFiles: Sendable {
    private let (lock, journal, folder, notices): (Int32, Int32, Int32, Int32)
    private let lockPath: String

    init(folder path: String) throws {
        lockPath = path + "/lock"
        lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        journal = open(path + "/journal", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        notices = inotify_init1(Int32(IN_CLOEXEC))
        guard lock >= 0, journal >= 0, folder >= 0, notices >= 0,
            inotify_add_watch(notices, path + "/journal", UInt32(IN_MODIFY)) >= 0
        else { throw SystemFailure("open", path) }
    }

    deinit { for file in [lock, journal, folder, notices] { close(file) } }

    func makeCalls() throws {
        var status = stat()
        let record = [UInt8](repeating: 0x61, count: 96)
        guard flock(lock, LOCK_EX | LOCK_NB) == 0, lstat(lockPath, &status) == 0,
            fstatat(folder, "journal", &status, AT_SYMLINK_NOFOLLOW) == 0,
            pwrite(lock, record, 20, 0) == 20, pwrite(journal, record, record.count, 0) == record.count,
            flock(lock, LOCK_UN) == 0
        else { throw SystemFailure("pwrite", lockPath) }
    }

    func waitForNotice() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = read(notices, &buffer, buffer.count)
    }
}
