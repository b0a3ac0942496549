import Foundation
import Glibc
import Testing
import TypedDefaults

/// A home of one test's own, and the tool as it is run there; all of it goes with the last reference.
final class Workplace: Sendable {
    /// Everything is below this folder.
    let path: String

    /// What a run of the tool came to.
    struct Run: Equatable {
        let status: Int32
        let output: String
        let errors: String
    }

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appending(path: "defaultsctl-test-\(UUID().uuidString)")
            .path
        for folder in ["config", "tmp", "runs", "scripts"] {
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(folder)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            FileHandle.standardError.write(Data("a test's folder stays behind: \(path): \(error)\n".utf8))
        }
    }

    /// What stands before a command that root is to run as anybody would whom files do not belong to.
    static let withoutPower =
        geteuid() == 0
        ? "setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search"
        : ""

    /// The tool that was built beside the tests.
    static let tool = Result {
        URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            .deletingLastPathComponent().appending(path: "defaultsctl").path
    }

    /// The variables that programs of this place have, and nothing of the tester's own settings.
    func environment(_ more: [String: String] = [:]) throws -> [String: String] {
        let tool = try Workplace.tool.get()
        return [
            "HOME": path, "XDG_CONFIG_HOME": "\(path)/config", "TMPDIR": "\(path)/tmp", "TERM": "xterm",
            "PATH": URL(filePath: tool).deletingLastPathComponent().path + ":/usr/bin:/bin",
        ].merging(more) { _, new in new }
    }

    /// Runs the tool to its end; no terminal is near.
    @discardableResult
    func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> Run {
        try run(program: Workplace.tool.get(), arguments, input: input, environment: environment)
    }

    /// Runs a line of the shell to its end.
    @discardableResult
    func shell(_ line: String) throws -> Run {
        try run(program: "/bin/sh", ["-c", "cd\n" + line])
    }

    private func run(
        program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> Run {
        let name = UUID().uuidString
        let paths = ["in", "out", "err"].map { "\(path)/runs/\(name).\($0)" }
        try Data(input.utf8).write(to: URL(filePath: paths[0]))
        let files = try zip(paths, [O_RDONLY, O_RDWR | O_CREAT, O_RDWR | O_CREAT]).map { path, flags in
            let file = open(path, flags | O_CLOEXEC, 0o600)
            try #require(file >= 0)
            return file
        }
        defer {
            files.forEach { close($0) }
            paths.forEach { unlink($0) }
        }
        let status = try Child(program, arguments, self.environment(environment), files).wait()
        return Run(status: status, output: try text(paths[1]), errors: try text(paths[2]))
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The path of a suite's file.
    func file(_ name: String = "settings.json", of suite: String = "player") -> String {
        "\(path)/config/\(suite)/\(name)"
    }

    /// The text of a suite's file.
    func settings(of suite: String = "player") throws -> String { try text(file(of: suite)) }

    /// Saves a suite's file by hand, as an editor does that writes another and renames it.
    func save(_ settings: String, of suite: String = "player") throws {
        let file = URL(filePath: file(of: suite))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let next = file.appendingPathExtension("next")
        try Data(settings.utf8).write(to: next)
        try #require(rename(next.path, file.path) == 0)
    }

    /// Opens a suite as a program does that may write: its lock file is there from then on, by which it is listed.
    func use(_ suite: String = "player") throws {
        let opened = try DefaultsSuite(suite, in: "\(path)/config")
        _ = try opened.storedObject()
    }

    /// Writes a shell script and returns its path.
    func script(_ text: String) throws -> String {
        let script = "\(path)/scripts/\(UUID().uuidString)"
        try Data("set -e\n\(text)\n".utf8).write(to: URL(filePath: script))
        return script
    }

    /// A command for `EDITOR` that runs the script.
    ///
    /// A shell reads it, the kernel does not execute it: a file that a program started by another test still
    /// holds open for writing cannot be executed ("Text file busy").
    func editor(_ text: String) throws -> String { "sh \(try script(text))" }
}

extension Workplace.Run {
    /// The output as JSON.
    func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
    }

    /// The output as a JSON object.
    func object() throws -> [String: Any] { try #require(try json() as? [String: Any]) }
}
