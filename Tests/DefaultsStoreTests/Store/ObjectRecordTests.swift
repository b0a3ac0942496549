/// A write of an object through the journal: a replay merges it into the file's text.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ObjectRecordTests {
    private static let text = "{\n  \"window\": {\"w\": 800, // left\n    \"h\": 600, \"depth\": 3}\n}\n"

    @Test func `the record names what has changed, and whoever replays it keeps the layout (F25)`() throws {
        let folder = try TemporaryFolder()
        try folder.write(ObjectRecordTests.text, to: "settings/settings.json")
        let suite = try folder.heldSuite()
        try suite.set(["w": 801, "h": 600, "depth": 3], forKey: "window")
        let journal = try String(
            contentsOfFile: "\(folder.path)/settings/.settings.json.journal", encoding: .utf8)
        #expect(journal.contains(#""m":["window",{"w": [801]}]"#))
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/settings", toPath: "\(folder.path)/again")
        let again = try folder.suite("again")
        #expect(again.value(forKey: "window") == ["w": 801, "h": 600, "depth": 3])
        try again.checkpoint()
        #expect(
            try folder.read("again/settings.json") == ObjectRecordTests.text.replacing("800", with: "801"))
    }

    @Test func `what is equal is no write, however it is laid out`() throws {
        let folder = try TemporaryFolder()
        try folder.write(ObjectRecordTests.text, to: "settings/settings.json")
        let suite = try folder.suite()
        let generation = try suite.context.view().snapshot.generation
        try suite.set(["depth": 3, "h": 600, "w": 800.0], forKey: "window")
        #expect(try suite.context.view().snapshot.generation == generation)
        #expect(try folder.read("settings/settings.json") == ObjectRecordTests.text)
    }
}
