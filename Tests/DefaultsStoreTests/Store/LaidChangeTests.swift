/// A write of an object through the journal: whoever replays it lays it into the file's text.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct LaidChangeTests {
    private static let text = "{\n  \"window\": {\"w\": 800, // left\n    \"h\": 600, \"depth\": 3}\n}\n"

    @Test func `the record has the whole value on one line, and whoever replays it keeps the layout (F1)`()
        throws
    {
        let folder = try TemporaryFolder()
        try folder.write(LaidChangeTests.text, to: "settings/settings.json")
        let suite = try folder.heldSuite()
        try suite.set(["w": 801, "h": 600, "depth": 3], forKey: "window")
        let journal = try String(
            contentsOfFile: "\(folder.path)/settings/.settings.json.journal", encoding: .utf8)
        #expect(journal.contains(#""s":["window",{"w": 801, "h": 600, "depth": 3}]"#))
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/settings", toPath: "\(folder.path)/again")
        let again = try folder.suite("again")
        #expect(again.value(forKey: "window") == ["w": 801, "h": 600, "depth": 3])
        try again.checkpoint()
        #expect(
            try folder.read("again/settings.json") == LaidChangeTests.text.replacing("800", with: "801"))
    }

    @Test func `what is equal is no write, however it is laid out`() throws {
        let folder = try TemporaryFolder()
        try folder.write(LaidChangeTests.text, to: "settings/settings.json")
        let suite = try folder.suite()
        let generation = try suite.context.view().snapshot.generation
        try suite.set(["depth": 3, "h": 600, "w": 800.0], forKey: "window")
        #expect(try suite.context.view().snapshot.generation == generation)
        #expect(try folder.read("settings/settings.json") == LaidChangeTests.text)
    }
}
