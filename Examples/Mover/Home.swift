import Foundation

/// A home folder that nobody lives in, for as long as the move takes.
struct Home {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "mover-\(UUID().uuidString)")

    func move() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { remove() }
        for program in ["old", "new", "new"] { try start(program) }
        let settings = folder.appending(path: "config/mover/settings.json")
        print(try String(contentsOf: settings, encoding: .utf8), terminator: "")
    }

    private func start(_ program: String) throws {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [program]
        // Foundation looks at the second where it is set, and at the first where not.
        let home = ["HOME": folder.path, "XDG_CONFIG_HOME": folder.appending(path: "config").path]
        process.environment = ProcessInfo.processInfo.environment.merging(home) { $1 }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(what: "the \(program) program failed") }
    }

    private func remove() {
        do { try FileManager.default.removeItem(at: folder) } catch {
            print("\(folder.path) stays: \(error)")
        }
    }
}
