import Foundation
import TypedDefaults

/// Is the supervisor, and the person who makes a mistake and mends it.
struct Demo {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "survivor-\(UUID().uuidString)")

    func run() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { remove() }
        try save("{ \"workers\": 8 }")
        try superviseOnce()
        try save("{ \"workers\": 0 }")
        var starts = 1
        while try !superviseOnce() { starts += 1 }
        say("it came up at start \(starts)")
        try save("{ \"workers\": 5 }")
        try superviseOnce()
    }

    /// Saves the settings as an editor does.
    private func save(_ text: String) throws {
        say("$ echo '\(text)' > settings.json")
        let settings = folder.appending(path: "survivor/settings.json")
        try FileManager.default.createDirectory(
            at: settings.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data("\(text)\n".utf8).write(to: settings, options: .atomic)
    }

    /// Runs the daemon to its end; says whether it has come up.
    @discardableResult
    private func superviseOnce() throws -> Bool {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["daemon"]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["XDG_CONFIG_HOME": folder.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let isUp = process.terminationReason == .exit && process.terminationStatus == 0
        if !isUp { say("supervisor: the daemon has crashed") }
        return isUp
    }

    private func remove() {
        do { try FileManager.default.removeItem(at: folder) } catch { say("\(folder.path) stays: \(error)") }
    }
}

/// Prints a line at once, since two processes print in turn.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
