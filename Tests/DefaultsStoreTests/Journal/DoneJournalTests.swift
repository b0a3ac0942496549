/// A journal that checkpoints amid writes have left as it is: the settings file has what is in it, and nobody reads that any
/// more (F18).
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct DoneJournalTests {
    private let folder: TemporaryFolder
    private let peer: Peer

    init() throws {
        folder = try TemporaryFolder()
        peer = try Peer.opening(in: folder)
    }

    private func journal() throws -> [UInt8] { try folder.bytes(of: "settings/.settings.json.journal") }

    private func text() throws -> String {
        try String(contentsOfFile: folder.settingsPath(), encoding: .utf8)
    }

    /// Leaves a journal of three records that are done.
    private func leaveJournal(expecting lines: Int = 4) throws {
        try peer.expectOK("leaveout scheduledCheckpoints restartsJournal")
        for command in ["set a 1", "transact b 1 c 1", "set a 2", "checkpoint"] { try peer.expectOK(command) }
        #expect(try text().contains("\"a\": 2"))
        #expect(try journal().count { $0 == UInt8(ascii: "\n") } == lines)
    }

    /// Sets a key as if without pause, until a checkpoint has left the journal as it is.
    ///
    /// - Returns: the last number that it was set to, another one each time: the same again would be no write.
    @discardableResult
    private func writeUntilNoted(_ set: (Int) throws -> Void) throws -> Int {
        let store = try folder.suite().context.store()
        var (number, isNoted) = (0, false)
        while !isNoted {
            number += 1
            try set(number)
            // Whoever looks whether anybody is writing takes it that somebody is.
            let soon = Date(timeIntervalSinceNow: 3_600)
            try FileManager.default.setAttributes(
                [.modificationDate: soon], ofItemAtPath: folder.path + "/settings/.settings.json.journal")
            #expect(
                try eventually {
                    guard let header = try store.state().journal?.header, let files = store.latest.files
                    else {
                        return false
                    }
                    isNoted = files.checkpointMark(of: header).end > JournalHeader.length
                    return try isNoted || journal().count == JournalHeader.length
                })
        }
        return number
    }

    @Test func `whoever opens the suite reads nothing of it, and all processes read the same`() throws {
        try leaveJournal()
        let all = #"{"a": 2, "b": 1, "c": 1}"#
        for process in [peer, try Peer.opening(in: folder)] { #expect(try process.ask("stored") == all) }
        // Nobody looks at its records: here they are none.
        let file = try FileHandle(
            forUpdating: URL(filePath: folder.path + "/settings/.settings.json.journal"))
        try file.seek(toOffset: UInt64(JournalHeader.length))
        try file.write(contentsOf: Data(repeating: 0x78, count: 40))
        try file.close()
        let newcomer = try Peer.opening(in: folder)
        #expect(try newcomer.ask("stored") == all)
        for process in [newcomer, peer] {
            try process.expectOK("set d 4")
            #expect(try Peer.opening(in: folder).ask("get d") == "4")
            try process.expectOK("remove d")
        }
        // The last record came from a process that makes no checkpoint, and the others may not know of it.
        try newcomer.expectOK("checkpoint")
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test func `what a person saves then counts, also when the journal begins anew`() throws {
        try leaveJournal()
        // As an editor does, at once.
        try folder.write(#"{"a": 5}"#, to: "settings/edited")
        #expect(rename(folder.path + "/settings/edited", folder.settingsPath()) == 0)
        for process in [peer, try Peer.opening(in: folder)] {
            #expect(try process.ask("stored") == #"{"a": 5}"#)
        }
        let suite = try folder.suite()
        try suite.checkpoint()
        #expect(try journal().count == JournalHeader.length)
        #expect(try text() == #"{"a": 5}"#)
        for process in [peer, try Peer.opening(in: folder)] {
            #expect(try process.ask("stored") == #"{"a": 5}"#)
        }
    }

    @Test(arguments: [true, false])
    func `what a person saved then applies without the lock file, or with an older one, when all are killed`(
        isRemoved: Bool
    ) throws {
        let lock = folder.path + "/settings/.settings.json.lock"
        try peer.expectOK("set z 0")
        let old = try folder.bytes(of: "settings/.settings.json.lock")
        try leaveJournal(expecting: 5)
        try folder.write(#"{"a": 5, "b": 6, "c": 7}"#, to: "settings/edited")
        #expect(rename(folder.path + "/settings/edited", folder.settingsPath()) == 0)
        #expect(try peer.ask("get a") == "5")
        peer.kill()
        try FileManager.default.removeItem(atPath: lock)
        if !isRemoved { try Data(old).write(to: URL(filePath: lock)) }
        let newcomer = try Peer.opening(in: folder)
        #expect(try newcomer.ask("stored") == #"{"a": 5, "b": 6, "c": 7}"#)
        for command in ["set d 4", "checkpoint"] { try newcomer.expectOK(command) }
        #expect(try folder.foreignReading() == ["a": 5, "b": 6, "c": 7, "d": 4])
    }

    @Test func `a mistake elsewhere in the file brings nothing back that is done`() throws {
        try leaveJournal()
        try folder.write("{\"a\": 5, \"b\": 6,\n  oops }", to: "settings/edited")
        #expect(rename(folder.path + "/settings/edited", folder.settingsPath()) == 0)
        #expect(try Peer.opening(in: folder).ask("get a") == "5")
    }

    @Test func `it begins anew when nobody has written for a while`() throws {
        let suite = try folder.suite()
        let last = try writeUntilNoted { try suite.set(DefaultsValue($0), forKey: "a") }
        #expect(try eventually { try journal().count == JournalHeader.length })
        #expect(suite.value(forKey: "a") == DefaultsValue(last))
        #expect(try text() == "{\n  \"a\": \(last)\n}\n")
    }

    @Test func `it begins anew though the suite is let go at once`() throws {
        try writeUntilNoted { try folder.suite().set(DefaultsValue($0), forKey: "a") }
        #expect(try eventually { try journal().count == JournalHeader.length })
    }

    @Test func `it begins anew when the program ends`() throws {
        try writeUntilNoted { try peer.expectOK("set a \($0)") }
        #expect(try peer.close() == .status(0))
        #expect(try journal().count == JournalHeader.length)
    }

    @Test func `it stays where something has been written since`() throws {
        try leaveJournal()
        let suite = try folder.suite()
        let store = try suite.context.store()
        #expect(try store.state().journal?.isFullyCheckpointed == true)
        store.checkpointer.hold()
        try suite.set(3, forKey: "a")
        let before = try journal()
        try store.checkpointer.restartIdleJournal(until: .after(milliseconds: 5_000))
        #expect(try journal() == before)
        #expect(try text() == "{\n  \"a\": 2,\n  \"b\": 1,\n  \"c\": 1\n}\n")
        try suite.checkpoint()
        #expect(try journal().count == JournalHeader.length)
        #expect(try folder.foreignReading() == ["a": 3, "b": 1, "c": 1])
    }

    @Test func `a checkpoint that is asked for waits for the disk, though a person has saved the same`()
        throws
    {
        let suite = try folder.heldSuite()
        try suite.set(1, forKey: "a")
        try folder.write(#"{"a": 1}"#, to: "settings/edited")
        #expect(rename(folder.path + "/settings/edited", folder.settingsPath()) == 0)
        #expect(try suite.storedValues() == ["a": 1])
        let plan = FaultInjection()
        try FaultInjection.$current.withValue(plan) { try suite.checkpoint() }
        #expect(plan.calls.count { $0 == "fsync" } == 2, "the file and its name")
        #expect(try text() == #"{"a": 1}"#)
        #expect(try journal().count == JournalHeader.length)
    }
}
