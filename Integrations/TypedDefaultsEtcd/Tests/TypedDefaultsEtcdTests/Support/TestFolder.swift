import Foundation
import LocalEtcd
import Synchronization

/// A folder of one test's own that goes with the last reference to it; in memory where the system has such a place.
final class TestFolder: Sendable {
    private static let all = Mutex<[String]>([])

    let path: String

    init() throws {
        let manager = FileManager.default
        let parent = TestFolder.hasRoom("/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        path = parent + "/typed-defaults-etcd-" + UUID().uuidString
        try manager.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let isFirst = TestFolder.all.withLock { all in
            all.append(path)
            return all.count == 1
        }
        if isFirst { atexit { TestFolder.clear() } }
    }

    /// Whether all that run at once have room in a folder; a member of a cluster takes 123 MB.
    private static func hasRoom(_ folder: String) -> Bool {
        guard FileManager.default.isWritableFile(atPath: folder) else { return false }
        do {
            let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder)
            return (attributes[.systemFreeSize] as? NSNumber)?.int64Value ?? 0 > 3 << 30
        } catch { return false }
    }

    // Under the lock, because the process's end may be clearing up beside it.
    deinit { TestFolder.all.withLock { _ in TestFolder.remove(path) } }

    /// Takes away what is left at the process's end, as by a suite that was still writing.
    private static func clear() {
        EtcdProcess.endAll()
        all.withLock { $0.forEach(remove) }
    }

    private static func remove(_ path: String) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch {
            FileHandle.standardError.write(Data("a test's folder stays behind: \(path): \(error)\n".utf8))
        }
    }
}
