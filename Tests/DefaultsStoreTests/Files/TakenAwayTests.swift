/// Files that somebody takes away before the checkpoint that the last write has coming.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct TakenAwayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes, takes something away, and lets go of the suite.
    private func writeAndTake(_ names: String..., reading: (DefaultsSuite) throws -> Void = { _ in }) throws {
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        // By the system's own call, since the folder's own waits for the checkpoint.
        for name in names { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        try reading(suite)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.path + "/" + name)
    }

    @Test func `a folder is not made again by a checkpoint, and nothing of it stays open`() throws {
        try writeAndTake("settings")
        #expect(try eventually { try folder.openDescriptors() == 0 })
        #expect(!exists("settings"))
    }

    @Test(arguments: [false, true])
    func `what went with its folder is not stored any more`(_ isWatched: Bool) throws {
        try writeAndTake("settings") { suite in
            if isWatched { try suite.context.startWatching() }
            #expect(suite.value(forKey: "a") == nil)
            #expect(try suite.storedValues() == [:])
            try suite.set(2, forKey: "b")
            #expect(try suite.storedValues() == ["b": 2])
        }
    }

    @Test func `a lock file is not made again at once by a timer, since its folder may be about to go`()
        throws
    {
        // None but those of this test.
        let suite = try folder.heldSuite()
        let store = try suite.context.store()
        try suite.set(1, forKey: "a")
        try FileManager.default.removeItem(atPath: folder.path + "/settings/.settings.json.lock")
        let refusal = #expect(throws: DefaultsError.self) {
            try store.checkpointer.checkpointWhatWaits(until: .after(milliseconds: 0), remakes: false)
        }
        #expect(refusal?.code == .lockTimeout)
        #expect(!exists("settings/.settings.json.lock"))
        #expect(
            try store.checkpointer.checkpointWhatWaits(until: .after(milliseconds: 5_000), remakes: true)
                != nil)
        #expect(try folder.foreignReading() == ["a": 1])
    }

    @Test func `what is synchronized is in a journal that has its name, though somebody removed that`() throws
    {
        let suite = try folder.heldSuite()
        for number in 1...3 {
            try suite.set(DefaultsValue(number), forKey: "a")
            try FileManager.default.removeItem(atPath: folder.path + "/settings/.settings.json.journal")
            try suite.synchronize()
            let peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
            #expect(try peer.ask("get a") == "\(number)")
        }
    }

    @Test func `in the caller's own transaction what would wait for its end is refused at once`() throws {
        let suite = try folder.heldSuite()
        try suite.set(1, forKey: "a")
        try FileManager.default.removeItem(atPath: folder.path + "/settings/.settings.json.journal")
        let begin = ContinuousClock.now
        let error = try suite.withTransaction { _ in refusal { try suite.synchronize() } }
        #expect(error?.code == .lockTimeout)
        #expect(error?.underlyingDescription?.contains("transaction") == true)
        #expect(ContinuousClock.now - begin < .milliseconds(WriterLock.limit))
        try suite.synchronize()
        #expect(try Peer.opening(in: folder).ask("get a") == "1")
    }

    @Test func `a folder that is gone is none that may not be written`() throws {
        let files = try SuiteFiles.open(
            SuiteLocation(folder: folder.path + "/gone", settings: "s.json", allowsInsecureDirectory: false))
        try FileManager.default.removeItem(atPath: folder.path + "/gone")
        switch try TemporaryFile.writeUnnamed([1], like: FileAttributes(of: nil), files) {
        case nil: break
        case .some: Issue.record("a file in a folder that is gone")
        }
    }

    @Test(arguments: [".settings.json.journal", ".settings.json.lock"])
    func `a companion is made again by the checkpoint, which loses nothing`(_ name: String) throws {
        try writeAndTake("settings/" + name)
        #expect(try eventually { try folder.openDescriptors() == 0 })
        #expect(try folder.foreignReading() == ["a": 1])
    }

    @Test func `a journal that goes before a person saves loses nothing, though both come before a read`()
        throws
    {
        try writeAndTake("settings/.settings.json.journal") { suite in
            try Data("{\"b\": 2}".utf8).write(to: URL(filePath: folder.settingsPath()))
            #expect(try suite.storedValues() == ["a": 1, "b": 2])
        }
        #expect(try eventually { try folder.openDescriptors() == 0 })
        #expect(try folder.foreignReading() == ["a": 1, "b": 2])
    }

    @Test func `a lock file that goes before a read is made again by the checkpoint all the same`() throws {
        try writeAndTake("settings/.settings.json.lock") { suite in
            let values = try suite.storedValues()
            #expect(values == ["a": 1])
        }
        #expect(try eventually { try folder.openDescriptors() == 0 })
        #expect(try folder.foreignReading() == ["a": 1])
    }

    @Test func `with both companions gone nothing is lost either`() throws {
        try writeAndTake("settings/.settings.json.journal", "settings/.settings.json.lock")
        #expect(try eventually { try folder.openDescriptors() == 0 })
        #expect(try folder.foreignReading() == ["a": 1])
    }
}
