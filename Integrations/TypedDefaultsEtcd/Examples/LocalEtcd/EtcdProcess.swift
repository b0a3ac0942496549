import Foundation
import Synchronization

/// A running etcd, or a proxy of it: it ends with the last reference to it, and with this program however that ends.
package final class EtcdProcess: Sendable {
    private static let running = Mutex<[Int32: Program]>([:])

    /// The id of its process.
    package let id: Int32

    /// Starts it under a shell that ends it when the shell's own input ends, as it does when this program is killed.
    ///
    /// It waits until the process has said that it is ready, and throws the last it said where that never comes.
    package init(_ arguments: [String], ready: String = "serving client traffic") throws {
        let script = #"""
            sh -c 'echo $$; exec "$@"' sh "$@" 2>&1 &
            exec >/dev/null 2>&1; read _; kill -9 $!
            """#
        let shell = try Program("/bin/sh", ["-c", script, "sh", "etcd"] + arguments)
        guard let id = Int32(try shell.next()) else { throw Refusal("the shell has not said an id") }
        self.id = id
        EtcdProcess.running.withLock { $0[id] = shell }
        var said: [String] = []
        do {
            while case let line = try shell.next(), !line.contains(ready) {
                said.append(line)
                guard !line.contains("address already in use"), !line.contains("\"level\":\"fatal\"") else {
                    throw Refusal("it has given up")
                }
            }
        } catch {
            // It may have ended without a word, as where the disk is full: then nobody has its output open any more.
            end()
            throw Refusal("etcd does not start: \(error)\n\(said.suffix(20).joined(separator: "\n"))")
        }
        shell.ignoreTheRest()
    }

    deinit { end() }

    /// Ends it at once, without a chance to say so; when this returns its files and ports are free.
    package func end() { EtcdProcess.end(id) }

    /// Ends those that are left.
    package static func endAll() { running.withLock { Array($0.keys) }.forEach(end) }

    private static func end(_ id: Int32) {
        guard let shell = running.withLock({ $0.removeValue(forKey: id) }) else { return }
        kill(id, SIGKILL)
        // Its shell, which keeps its number from others, does not wait for it: dash needs a signal for that which the
        // thread that started it may have blocked.
        while isRunning(id) { poll(nil, 0, 1) }
        shell.end()
    }

    private static func isRunning(_ id: Int32) -> Bool {
        guard let status = FileManager.default.contents(atPath: "/proc/\(id)/stat") else { return false }
        // The state stands behind the name, which stands in brackets.
        let text = String(decoding: status, as: UTF8.self)
        let isZombie = text.split(separator: ") ").last?.hasPrefix("Z") == true
        // The first thread is a zombie before the others have closed the files and ports.
        return !isZombie || threads(id) > 1
    }

    private static func threads(_ id: Int32) -> Int {
        do { return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task").count } catch {
            // A process that is gone has none.
            return 0
        }
    }
}
