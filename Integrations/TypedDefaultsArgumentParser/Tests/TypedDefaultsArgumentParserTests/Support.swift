import Foundation
import Testing
import TypedDefaults

/// A home of one test's own, in which the tool is started; it goes with the last reference to it.
final class Workplace: Sendable {
    let home: URL

    init() throws {
        home = FileManager.default.temporaryDirectory
            .appending(path: "typed-defaults-arguments-" + UUID().uuidString)
        try FileManager.default.createDirectory(
            at: home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        do { try FileManager.default.removeItem(at: home) } catch {
            FileHandle.standardError.write(
                Data("a test's folder stays behind: \(home.path): \(error)\n".utf8))
        }
    }

    /// What a run of the tool has come to.
    struct Run {
        let output: String
        let errors: String
        let status: Int32

        /// The line of the output that begins with a word.
        func line(_ word: String) -> String? {
            output.split(separator: "\n").first { $0.hasPrefix(word + ": ") }.map {
                $0.dropFirst(word.count + 2)
            }
            .map(String.init)
        }
    }

    /// Stores what the tool finds.
    func store(_ text: String) throws {
        let folder = home.appending(path: "player-tool")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: folder.appending(path: "settings.json"))
    }

    /// Writes an administrator's file, and returns its path.
    func manage(_ text: String) throws -> String {
        let file = home.appending(path: "managed.json")
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return file.path
    }

    /// Runs the tool and waits for its end.
    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
        try run(arguments, environment: environment)
    }

    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
        let process = Process()
        let (output, errors) = (home.appending(path: "output"), home.appending(path: "errors"))
        try Data().write(to: output)
        try Data().write(to: errors)
        process.executableURL = testProducts.appending(path: "player-tool")
        process.arguments = arguments
        process.environment = ["XDG_CONFIG_HOME": home.path, "HOME": home.path].merging(environment) { $1 }
        // Files, which hold whatever a program writes, however long.
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Run(
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8), status: process.terminationStatus)
    }
}

/// Where the built tests and the built tool are.
let testProducts = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
