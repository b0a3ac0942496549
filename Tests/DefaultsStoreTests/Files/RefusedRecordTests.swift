/// A record that a file system takes at first, and refuses when it is handed over: it was never there, whoever has read it.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct RefusedRecordTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let peer: Peer
    private let refusedLength = Recorder<Int>()

    init() throws {
        let folder = try TemporaryFolder()
        // A file system that does not say of what kind it is, is taken for one that is not local.
        let unknown = FaultInjection(FaultInjection.Rule("fstatfs", errno: EIO, lasts: true))
        suite = try FaultInjection.$current.withValue(unknown) {
            let suite = try folder.heldSuite()
            try suite.context.store().checkpointer.hold(restarts: false)
            try suite.set(1, forKey: "n")
            return suite
        }
        self.folder = folder
        peer = try Peer()
        try peer.expectOK("leaveout scheduledCheckpoints")
        try peer.expectOK("openunmapped \(folder.path) settings")
    }

    /// Appends a record as another process does, and removes it when the file system has refused it.
    ///
    /// - Parameter body: what happens in between.
    private func appendRefused(_ change: StoredChange, while body: () throws -> Void) throws {
        let state = try suite.context.store().state()
        let (files, journal) = (try #require(state.files), try #require(state.journal))
        let record = JournalRecord(generation: state.generation + 1, changes: [change])
        let line = record.line(try #require(journal.header).nonce)
        refusedLength.append(line.count)
        let path = folder.path + "/settings/.settings.json.journal"
        switch try HeldWriterLock.acquire(files, until: .after(milliseconds: 60_000)) {
        case .some(let lock):
            try lock.raise(to: state.generation + 1)
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: line)
            try body()
            try file.truncate(atOffset: UInt64(journal.end))
            try file.close()
            try lock.raise(to: state.generation + 2)
        case .none: Issue.record("the lock file was replaced")
        }
    }

    @Test(arguments: [2, 200])
    func `what others have read of it is forgotten, and overwritten by a record of any length (F20)`(
        length: Int
    ) throws {
        try suite.set("mine", forKey: "mine")
        try appendRefused(StoredChange(StoredValue(77), forKey: KeyName("n"))) {
            let read = try peer.ask("get n")
            #expect(read == "77" && suite.value(forKey: "n") == 77)
        }
        #expect(suite.value(forKey: "n") == 1)
        #expect(try peer.ask("get n") == "1")
        let text = String(repeating: "x", count: length)
        try peer.expectOK("set m \"\(text)\"")
        let expected: [String: DefaultsValue] = ["n": 1, "mine": "mine", "m": .string(text)]
        #expect(try suite.storedValues() == expected)
        try suite.set(3, forKey: "n")
        for process in [peer, try Peer.opening(in: folder)] {
            #expect(try process.ask("get n") == "3")
            #expect(try process.ask("get m") == "\"\(text)\"")
        }
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["n": 3, "mine": "mine", "m": text])
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test func `nor is one of the same length passed over in its place (F20)`() throws {
        try appendRefused(StoredChange(StoredValue(77), forKey: KeyName("n"))) {
            let read = try peer.ask("get n")
            #expect(read == "77")
        }
        let journal = try #require(try suite.context.store().latest.journal)
        try suite.set(78, forKey: "n")
        let next = try #require(try suite.context.store().latest.journal)
        #expect(next.end - journal.end == refusedLength.all.first)
        try suite.set(1, forKey: "m")
        #expect(try peer.ask("get n") == "78")
    }

    @Test func `it is not stored by the next write of a process that has read it (F20)`() throws {
        try appendRefused(StoredChange(StoredValue(77), forKey: KeyName("n"))) {
            #expect(suite.value(forKey: "n") == 77)
        }
        try suite.set(2, forKey: "m")
        #expect(try suite.storedValues() == ["n": 1, "m": 2])
        #expect(try peer.ask("stored") == #"{"m": 2, "n": 1}"#)
    }

    @Test func `whoever could not hand it over has all others look again (F20)`() throws {
        let files = try #require(try suite.context.store().latest.files)
        let before = try files.generation()
        let refused = FaultInjection(FaultInjection.Rule("close", errno: ENOSPC, from: .behind("pwrite", 2)))
        let error = FaultInjection.$current.withValue(refused) {
            refusal { try suite.set(2, forKey: "n") }
        }
        #expect(error?.code == .diskFull)
        #expect(try files.generation() == before + 2)
        #expect(suite.value(forKey: "n") == 1)
        #expect(try peer.ask("get n") == "1")
    }
}
