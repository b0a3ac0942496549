import Foundation
import TypedDefaults

/// Edits the settings file as a person with an editor would, and waits each time until the service says what it did.
struct Demo {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "reloader-\(UUID().uuidString)")
    private var file: URL { folder.appending(path: "service.json") }

    func run() async throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { remove() }
        try save(#"{ "port": 9000 }"#)
        try DefaultsSuite.bootstrap(standard: DefaultsSuite(file: file.path))
        var events = try Configuration.events(of: .standard).makeAsyncIterator()
        await tell(&events)

        for text in Demo.saves {
            try save(text)
            await tell(&events)
        }
    }

    private static let saves = [
        "{\n    \"port\": 9000,\n    \"workers\": 8, // one for each core\n}",
        "{\n    \"port\": 9000\n    \"workers\": 16\n}",
        "{\n    \"port\": 9000,\n    \"workers\": 1600\n}",
        // The default, which has been served in place of 1600 since that save: nothing that an observer hears of.
        "{\n    \"port\": 9000,\n    \"workers\": 2\n}",
        // No JSON, and then what was there before.
        "{\n    \"port\": 9000,\n    \"workers\": \n}",
        "{\n    \"port\": 9000,\n    \"workers\": 2\n}",
        "{\n    \"port\": 9000,\n    \"workers\": 16,\n    \"level\": \"debug\"\n}",
    ]

    private func tell(_ events: inout AsyncStream<Configuration.Event>.Iterator) async {
        if let event = await events.next() { print("service: \(event)\n") }
    }

    /// Writes another file beside it and gives that the name, so that nobody ever reads half a file.
    private func save(_ text: String) throws {
        print("saved: \(text)")
        try Data(text.utf8).write(to: file, options: .atomic)
    }

    private func remove() {
        do { try FileManager.default.removeItem(at: folder) } catch {
            print("\(folder.path) stays: \(error)")
        }
    }
}
