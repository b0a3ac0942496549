import Foundation
import TypedDefaults

/// Starts the daemon and its control program as processes of their own, in a settings folder that goes at the end.
struct Demo {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "thermostat-\(UUID().uuidString)")

    func run() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { remove() }
        let daemon = try start("daemon")
        do {
            try awaitDaemon()
            try control("set", "21")
            try control("set", "17")
            try control("status")
        } catch {
            daemon.terminate()
            daemon.waitUntilExit()
            throw error
        }
        say("$ kill -TERM (the daemon)")
        daemon.terminate()
        try end(of: daemon)
        try control("status")
    }

    /// The suite says when the daemon is there.
    private func awaitDaemon() throws {
        let isThere = DispatchSemaphore(value: 0)
        let suite = try DefaultsSuite("thermostat", in: folder.path)
        let observation = suite.observe(forKey: "daemon") { change in
            if change.newValue != nil { isThere.signal() }
        }
        defer { observation.invalidate() }
        guard isThere.wait(timeout: .now() + 30) == .success else {
            throw Refusal(description: "the daemon does not start")
        }
    }

    private func control(_ arguments: String...) throws {
        say("$ thermostat \(arguments.joined(separator: " "))")
        try end(of: start(arguments))
    }

    private func start(_ arguments: String...) throws -> Process { try start(arguments) }

    private func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["XDG_CONFIG_HOME": folder.path]) { $1 }
        try process.run()
        return process
    }

    private func end(of process: Process) throws {
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Refusal(description: "thermostat \(process.arguments ?? []) failed")
        }
    }

    private func remove() {
        do { try FileManager.default.removeItem(at: folder) } catch { say("\(folder.path) stays: \(error)") }
    }
}
