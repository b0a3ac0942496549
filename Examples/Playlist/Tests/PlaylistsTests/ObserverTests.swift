import Foundation
import Playlists
import Testing
import TypedDefaults

/// Waiting for observers: the event itself is awaited, with a time limit that only a failure reaches.
@Suite(.timeLimit(.minutes(1))) struct ObserverTests {
    init() { useStandardSuiteInMemory() }

    @Test func `an observer has heard a write of this process when the write returns`() async throws {
        let suite = DefaultsSuite.inMemory()
        try await confirmation(expectedCount: 2) { heard in
            let observation = suite.observe(.volume, options: []) { _ in heard() }
            try Player(suite: suite).play(at: 0.75)
            try Player(suite: suite).play(at: 0.75)
            try Player(suite: suite).play(at: 1)
            observation.invalidate()
        }
    }

    @Test func `an edit by hand is heard`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "playlist-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let file = folder.appending(path: "settings.json")
        try Data(#"{ "volume": 0.25 }"#.utf8).write(to: file)
        let suite = try DefaultsSuite(file: file.path)

        // Begun before the edit: a stream has every change from its making on, however late it is read.
        var changes = suite.changes(.volume).makeAsyncIterator()
        try Data(#"{ "volume": 0.75 }"#.utf8).write(to: file, options: .atomic)
        let change = await changes.next()
        #expect(change?.oldValue == 0.25 && change?.newValue == 0.75)
        #expect(change?.cause == .fileEdited)
    }
}
