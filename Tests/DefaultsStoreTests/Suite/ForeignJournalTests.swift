/// A journal that somebody else wrote into is kept beside the settings file before it is replaced.
import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .ownThread) struct ForeignJournalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var journal: URL { URL(filePath: folder.path + "/settings/.settings.json.journal") }

    private func kept() throws -> [String] {
        try folder.names().filter { $0.hasPrefix("settings.json.damaged") }
            .map { try String(contentsOfFile: folder.path + "/settings/" + $0, encoding: .utf8) }
    }

    @Test func `what stands behind the records is kept, and the records count (F3)`() throws {
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        let hand = try FileHandle(forUpdating: journal)
        try hand.seekToEnd()
        try hand.write(contentsOf: Data("a note\nof mine\n".utf8))
        try hand.close()
        try suite.set(2, forKey: "b")
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
        let kept = try kept()
        #expect(kept.count == 1)
        #expect(kept.last?.hasSuffix("a note\nof mine\n") == true)
        #expect(try folder.foreignReading() == ["a": 1, "b": 2])
    }

    @Test func `a file in the journal's place is kept whole, however long it is (F3)`() throws {
        let text = String(repeating: "a diary is a journal too\n", count: 100)
        try FileManager.default.createDirectory(
            at: journal.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: journal)
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        #expect(try kept() == [text])
        #expect(try folder.foreignReading() == ["a": 1])
    }
}
