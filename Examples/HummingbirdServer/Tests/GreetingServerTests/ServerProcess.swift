import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `greeting-server` as a process of its own, whose settings are in a folder of its own.
final class ServerProcess: Sendable {
    private let home: URL
    private let process = Process()
    private let log = Pipe()
    /// The lines that no wait has found; the last one may not be whole.
    private let unseen = Mutex([""])

    /// Starts it.
    ///
    /// - Parameter settings: what its settings file has; nil for a first start, when there is none.
    init(settings: String? = nil, environment: [String: String] = ["HTTP_PORT": "0"]) throws {
        home = FileManager.default.temporaryDirectory.appending(path: "greeting-server-\(UUID())")
        try FileManager.default.createDirectory(
            at: home.appending(path: "greeting-server"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        if let settings { try save(settings) }
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "greeting-server")
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .merging(["XDG_CONFIG_HOME": home.path, "LOG_LEVEL": "debug"]) { $1 }
        process.standardError = log
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        do { try FileManager.default.removeItem(at: home) } catch {
            FileHandle.standardError.write(Data("a test's folder stays behind: \(error)\n".utf8))
        }
    }

    /// Saves the settings file as an editor does: a new file takes the old one's place.
    func save(_ settings: String) throws {
        try Data(settings.utf8).write(
            to: home.appending(path: "greeting-server/settings.json"), options: .atomic)
    }

    /// Waits until it answers requests and hears of changes.
    ///
    /// - Returns: where it answers, as its log says.
    func address() throws -> URL {
        let line = try logged("listening on")
        try logged("settings are served")
        return try #require(URL(string: "http://\(line.split(separator: " ").last ?? "")/"))
    }

    /// Waits until it logs a line with these words, two minutes at most.
    ///
    /// - Returns: the line, which no later wait finds again.
    @discardableResult
    func logged(_ words: String...) throws -> String {
        while true {
            let found = unseen.withLock { unseen in
                unseen.dropLast().firstIndex { line in words.allSatisfy { line.contains($0) } }
                    .map { unseen.remove(at: $0) }
            }
            if let found { return found }
            var readable = pollfd(
                fd: log.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&readable, 1, 120_000) == 1, "it does not log \(words)")
            let more = log.fileHandleForReading.availableData
            try #require(!more.isEmpty, "it has ended, and has not logged \(words)")
            hear(more)
        }
    }

    /// Sends it SIGTERM and waits for its end.
    func end() -> (status: Int32, log: String) {
        process.terminate()
        return waitForEnd()
    }

    /// Waits until it ends by itself.
    ///
    /// - Returns: its status, and what it has logged and no wait has found.
    func waitForEnd() -> (status: Int32, log: String) {
        hear(log.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return (process.terminationStatus, unseen.withLock { $0.joined(separator: "\n") })
    }

    /// Takes what it has logged apart into lines, the last of which may go on.
    private func hear(_ more: Data) {
        unseen.withLock { unseen in
            let text = unseen.removeLast() + String(decoding: more, as: UTF8.self)
            unseen += text.components(separatedBy: "\n")
        }
    }
}

/// Asks a server for something.
func answer(from address: URL, to path: String) async throws -> String {
    let (body, response) = try await URLSession.shared.data(from: address.appending(path: path))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    return String(decoding: body, as: UTF8.self)
}
