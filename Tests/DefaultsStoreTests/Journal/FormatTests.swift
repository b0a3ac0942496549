/// The files of each version of the format, as programs of that version have left them.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct FormatTests {
    private static let names = ["settings.json", "settings.json.journal", "settings.json.lock"]
    /// What both versions' files say.
    private static let values: [String: DefaultsValue] = [
        "window": ["width": 802, "height": 600, "depth": nil], "theme": "dark", "n": 5,
        "list": ["now": "an object"], "made": ["a": [:], "c": []],
    ]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func fixture(_ name: String, _ version: Int) throws -> Data {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appending(path: "Fixtures/format-\(version)/\(name)"))
    }

    /// Puts a version's files where the suite `settings` has them.
    private func place(_ version: Int, lock: Data? = nil) throws {
        let suite = URL(filePath: folder.path).appending(path: "settings")
        try FileManager.default.createDirectory(
            at: suite, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in Self.names {
            let bytes = try lock.flatMap { name.hasSuffix(".lock") ? $0 : nil } ?? fixture(name, version)
            try bytes.write(to: suite.appending(path: name == Self.names[0] ? name : "." + name))
        }
    }

    /// The version that the lock file names.
    private var version: [UInt8] {
        get throws { Array(try folder.bytes(of: "settings/.settings.json.lock")[14..<16]) }
    }

    @Test(arguments: 1...2)
    func `files of each version are read, and go on in the present one`(_ version: Int) throws {
        try place(version)
        let suite = try folder.heldSuite()
        #expect(try suite.storedValues() == Self.values)
        #expect(try self.version == [UInt8(version), 0])
        try suite.set(["width": 803, "height": 600, "depth": nil], forKey: "window")
        #expect(try self.version == [2, 0])
        let journal = String(
            decoding: try folder.bytes(of: "settings/.settings.json.journal"), as: UTF8.self)
        #expect(journal.contains(#""m":["window",{"width": [803]}]"#))
        try suite.checkpoint()
        let expected = """
            {
              "window": {"width": 803, // left
                "height": 600, "depth": null},
              "theme": "dark", // of mine
              "list": {"now": "an object"},
              "n": 5,
              "made": {"a": {}, "c": []}
            }

            """
        // How new objects are laid out is not the format's.
        let text = try folder.read("settings/settings.json")
        #expect(text.filter { !$0.isWhitespace } == expected.filter { !$0.isWhitespace })
    }

    @Test func `the present version is written byte for byte`() throws {
        try folder.write(
            String(decoding: try fixture("settings.json", 2), as: UTF8.self), to: "settings/settings.json")
        let suite = try folder.heldSuite()
        try suite.set("dark", forKey: "theme")
        try suite.set(["width": 801, "height": 600, "depth": nil], forKey: "window")
        try suite.set([["id": 1], nil], forKey: "list")
        try suite.withTransaction { transaction in
            transaction[key: "n"] = 5
            transaction[key: "old"] = nil
            transaction[key: "window"] = ["width": 802, "height": 600, "depth": nil]
        }
        try suite.set(["a": ["b": 1]], forKey: "made")
        try suite.set(["a": ["b": 2], "c": []], forKey: "made")
        try suite.set(["a": [:], "c": []], forKey: "made")
        try suite.removeValue(forKey: "gone")
        try suite.set(["now": "an object"], forKey: "list")
        let (written, expected) = (
            try folder.bytes(of: "settings/.settings.json.journal"),
            Array(try fixture("settings.json.journal", 2))
        )
        #expect(records(of: written) == records(of: expected))
        let header = try #require(JournalHeader(expected))
        var lines = JournalLines(nonce: header.nonce, after: 0)
        _ = lines.take(Array(expected.dropFirst(JournalHeader.length)))
        #expect(header.bytes + lines.records.flatMap { $0.line(header.nonce) } == expected)
    }

    /// The lines behind the header.
    private func text(of journal: [UInt8]) -> [String] {
        String(decoding: journal, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
    }

    /// Generation and object of each record, with one process for all.
    private func records(of journal: [UInt8]) -> [String] {
        text(of: journal).map { line in
            String(line.dropFirst(26)).replacing(/"p":\d+/, with: #""p":0"#)
        }
    }

    @Test(arguments: [[3, 0], [0, 1], [0xFF, 0xFF]] as [[UInt8]])
    func `a version that is not known is read, and refused by writes, which say which it is`(
        _ version: [UInt8]
    ) throws {
        var lock = try fixture("settings.json.lock", 2)
        lock.replaceSubrange(14..<16, with: version)
        try place(2, lock: lock)
        let suite = try folder.suite()
        #expect(try suite.storedValues() == Self.values)
        let error = refusal { try suite.set(1, forKey: "n") }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.description.contains("format is \(Int(version[0]) + Int(version[1]) << 8)") == true)
        #expect(error?.description.contains("Update this program") == true)
        #expect(try suite.storedValues() == Self.values)
        let journal = Array(try fixture("settings.json.journal", 2))
        #expect(try folder.bytes(of: "settings/.settings.json.journal") == journal)
    }
}
