import Foundation
import Synchronization

/// The end of a server's process.
extension EtcdServer {
    private static let running = Mutex<Set<Int32>>([])

    static func noteRunning(_ pid: Int32) { running.withLock { _ = $0.insert(pid) } }

    /// Ends those that the tests have left.
    static func endAll() { running.withLock { $0 }.forEach(end) }

    /// Kills a server and waits until nothing is left of it but its number, which its shell keeps from others.
    static func end(_ pid: Int32) {
        guard running.withLock({ $0.remove(pid) }) != nil else { return }
        Foundation.kill(pid, SIGKILL)
        while isRunning(pid) { poll(nil, 0, 1) }
    }

    private static func isRunning(_ pid: Int32) -> Bool {
        guard let status = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return false }
        // The state stands behind the name, which stands in brackets.
        let text = String(decoding: status, as: UTF8.self)
        let isZombie = text.split(separator: ") ").last?.hasPrefix("Z") == true
        // The first thread is a zombie before the others have closed the files and ports.
        return !isZombie || threads(pid) > 1
    }

    private static func threads(_ pid: Int32) -> Int {
        // A process that is gone has none.
        do { return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").count } catch {
            return 0
        }
    }
}
