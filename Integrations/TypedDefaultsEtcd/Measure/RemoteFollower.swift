import Foundation
import LocalEtcd

/// A follower as the measuring process sees it: a process with a settings folder of its own, as on a machine of its own.
final class RemoteFollower {
    let program: Program

    /// Starts it.
    init(_ endpoint: String, _ prefix: String, folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        program = try Program.again(
            ["--follow", prefix, "--endpoint", endpoint], environment: ["XDG_CONFIG_HOME": folder])
    }

    /// Waits for a value; the next one has to be it.
    ///
    /// - Returns: when the observer was called.
    func hears(_ value: Int) throws -> Moment {
        let words = try program.next().split(separator: " ", maxSplits: 1)
        guard words.count == 2, let moment = UInt64(words[0]), words[1] == "\(value)" else {
            throw Refusal("a follower should hear \(value), and says \(words)")
        }
        return Moment(nanoseconds: moment)
    }

    /// What it uses now.
    func usage() throws -> ProcessUsage { try ProcessUsage(of: program.id) }

    func end() { program.end() }
}
