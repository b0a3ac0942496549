/// What a writer leaves that dies while it puts a new settings file in place is put right by the next one.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct CrashRecoveryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
    }

    private enum Name: String {
        case settings = "settings.json"
        case temporary = ".settings.json.tmp"
        case displaced = ".settings.json.old"
    }

    private func path(_ name: Name) -> String { "\(folder.path)/settings/\(name.rawValue)" }

    private func put(_ text: String, _ name: Name) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    private func link(_ name: Name, _ other: Name) throws {
        try FileManager.default.linkItem(atPath: path(name), toPath: path(other))
    }

    private func rename(_ name: Name, _ other: Name) throws {
        try #require(Foundation.rename(path(name), path(other)) == 0)
    }

    /// What the next program to write finds and makes.
    private func afterNextWrite() throws -> (stored: [String: DefaultsValue], names: [String]) {
        // A store of its own, or this process would know that there was nothing to put right.
        let moved = folder.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: folder.path + "/settings", toPath: moved)
        let suite = try DefaultsSuite(file: moved + "/settings.json")
        try suite.set(5, forKey: "m")
        try suite.checkpoint()
        return (
            try suite.storedValues(), try folder.names(in: "elsewhere").filter { !$0.hasSuffix(".lock") }
        )
    }

    @Test func `a file that was never put in place goes`() throws {
        try put("{\"n\": 2}", .temporary)
        let (stored, names) = try afterNextWrite()
        #expect(stored == ["n": 1, "m": 5])
        #expect(names == [".settings.json.journal", "settings.json"])
    }

    @Test func `a file that was linked and not exchanged goes`() throws {
        try put("{\"n\": 2}", .temporary)
        try link(.temporary, .displaced)
        let (stored, names) = try afterNextWrite()
        #expect(stored == ["n": 1, "m": 5])
        #expect(names == [".settings.json.journal", "settings.json"])
    }

    @Test func `a save that made way to a writer who died gets its name back (F14)`() throws {
        try put("{\"n\": 2}", .temporary)
        try put("{\"by hand\": true}", .displaced)
        try FileManager.default.removeItem(atPath: path(.settings))
        try link(.temporary, .settings)
        let (stored, names) = try afterNextWrite()
        #expect(stored == ["by hand": true, "m": 5])
        #expect(names == [".settings.json.journal", "settings.json"])
    }

    @Test func `an edit in place after a writer died stays, and what had made way is kept (F14)`() throws {
        try put("{\"n\": 2}", .temporary)
        try rename(.settings, .displaced)
        try link(.temporary, .settings)
        // A person is slower than one tick of the clock that files are stamped by.
        #expect(
            try eventually {
                let hand = try #require(FileHandle(forUpdatingAtPath: path(.settings)))
                try hand.truncate(atOffset: 0)
                try hand.write(contentsOf: Data("{\"by hand\": true}".utf8))
                try hand.close()
                return try stamp(.settings) > stamp(.displaced)
            })
        let (stored, names) = try afterNextWrite()
        #expect(stored == ["by hand": true, "m": 5])
        #expect(names == [".settings.json.journal", "settings.json", "settings.json.damaged-1"])
        #expect(try folder.read("elsewhere/settings.json.damaged-1") == "{\n  \"n\": 1\n}\n")
    }

    /// When a file's entry was changed last, in nanoseconds.
    private func stamp(_ name: Name) throws -> Int64 {
        var status = stat()
        try #require(stat(path(name), &status) == 0)
        return Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    }

    @Test func `a save that has no place any more is kept`() throws {
        try put("{\"n\": 2}", .temporary)
        try put("{\"by hand\": true}", .displaced)
        let (stored, names) = try afterNextWrite()
        #expect(stored == ["n": 1, "m": 5])
        #expect(names == [".settings.json.journal", "settings.json", "settings.json.damaged-1"])
        #expect(try folder.read("elsewhere/settings.json.damaged-1") == "{\"by hand\": true}")
    }

    @Test func `a displaced file alone is kept`() throws {
        try put("{\"by hand\": true}", .displaced)
        let (stored, names) = try afterNextWrite()
        #expect(stored == ["n": 1, "m": 5])
        #expect(names == [".settings.json.journal", "settings.json", "settings.json.damaged-1"])
    }
}
