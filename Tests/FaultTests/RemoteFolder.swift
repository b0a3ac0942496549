import Foundation
import TestSupport
import Testing

/// One folder as two machines see it that have it over a network: two mounts of a file system in user space, whose kernel
/// remembers what the other one may have changed.
final class RemoteFolder {
    /// What the kernel remembers, and what the file system can do.
    enum Kind: String, CaseIterable {
        /// It is asked each time.
        case uncached
        /// Names, lengths and times are remembered for seconds.
        case names
        /// Bytes too, until the file is opened again.
        case bytes
        /// Names cannot be exchanged either, and a file that has lost its name is gone.
        case network

        fileprivate var options: [String] {
            switch self {
            case .uncached: ["0"]
            case .names: ["5"]
            case .bytes: ["5", "bytes"]
            case .network: ["5", "bytes", "noexchange", "stale"]
            }
        }
    }

    /// Where each machine has it.
    let machines: [String]
    private let folder: TemporaryFolder
    private let servers: [Process]

    init(_ kind: Kind) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        machines = ["one", "two"].map { "\(folder.path)/\($0)" }
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "RemoteFolder/remotefs.py").path
        for name in ["kept", "one", "two"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        let kept = "\(folder.path)/kept"
        servers = try machines.map { machine in
            try RemoteFolder.serve(["python3", script, kept, machine] + kind.options)
        }
    }

    // At once for everybody to come, even while a peer still has files open there.
    deinit {
        for machine in machines {
            do { try Tool.run("umount", ["-l", machine]) } catch {
                FileHandle.standardError.write(
                    Data("a test's mount stays behind: \(machine): \(error)\n".utf8))
            }
        }
        for server in servers { server.terminate() }
    }

    /// What is in the settings file, past every kernel's memory.
    func settings() throws -> NSDictionary {
        let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/kept/settings/settings.json"))
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? NSDictionary)
    }

    /// The names in the suite's folder, sorted.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/kept/settings").sorted()
    }

    /// The texts of the last known layers, past every kernel's memory.
    func knownLayers() throws -> [String] {
        let known = "\(folder.path)/kept/settings/.settings.json.known"
        guard FileManager.default.fileExists(atPath: known) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: known).filter { !$0.hasPrefix(".") }
            .map { try String(contentsOfFile: known + "/" + $0, encoding: .utf8) }
    }

    /// A process on each machine that has the suite open.
    func peers() throws -> [Peer] { try machines.map(peer) }

    /// A process on a machine that has the suite open.
    func peer(on machine: String) throws -> Peer {
        let peer = try Peer()
        try peer.expectOK("open \(machine) settings")
        return peer
    }

    /// Saves as an editor does, on a machine.
    func save(_ text: String, on machine: String) throws {
        let path = "\(machine)/settings/settings.json"
        try Data(text.utf8).write(to: URL(filePath: path + "~"))
        guard rename(path + "~", path) == 0 else { throw Refused(output: "rename \(errno)") }
    }

    /// The file system cannot be had.
    struct Refused: Error {
        let output: String
    }

    private static func serve(_ command: [String]) throws -> Process {
        let process = Process()
        let said = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = said
        try Tool.startingAlone { try process.run() }
        let line = String(decoding: said.fileHandleForReading.availableData, as: UTF8.self)
        guard line.hasPrefix("mounted") else { throw Refused(output: line) }
        return process
    }

    /// Whether there can be one here.
    static let exists: Bool = {
        do {
            _ = try RemoteFolder(.uncached)
            return true
        } catch { return false }
    }()
}
