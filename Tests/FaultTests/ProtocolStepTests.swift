/// What each step of the protocol that no single call shows is for: without it something acknowledged would be lost, or two
/// processes would see two orders.
///
/// `ProtocolModel` leaves the precautions out, one after the other, and the waits for the disk are left out in `PowerLoss`,
/// where the states they rule out are enumerated.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct ProtocolStepTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A process that listens from the first read on, which else looks at the files itself.
    private func peer(leavingOut step: String? = nil) throws -> Peer {
        let peer = try Peer.opening(in: folder, leavingOut: step)
        try peer.expectOK("listen")
        return peer
    }

    private var journal: String { folder.path + "/settings/.settings.json.journal" }

    /// Changes some bytes of a file, as power loss and dying disks do.
    private func patch(_ bytes: [UInt8], at offset: UInt64, of path: String) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    /// Takes the generation back to nothing, as power loss may: the lock file is never waited for.
    private func loseGeneration() throws {
        try patch([UInt8](repeating: 0, count: 8), at: 0, of: folder.path + "/settings/.settings.json.lock")
    }

    /// Saves the file as editors do: a new one that takes its name.
    private func saveByHand(_ text: String) throws {
        try folder.awaitCheckpoint()
        try Data(text.utf8).write(to: URL(filePath: folder.settingsPath()), options: .atomic)
    }

    @Test
    func `a save by hand makes what is cached old`() throws {
        // Or a checkpoint that is due would look at the file.
        let readers = [try peer(leavingOut: "scheduledCheckpoints"), try peer()]
        #expect(try readers[0].ask("save n 1") == "ok")
        #expect(try readers.map { try $0.ask("get n") } == ["1", "1"])
        try saveByHand(#"{ "n": 2 }"#)
        for reader in readers { #expect(try eventually { try reader.ask("get n") == "2" }) }
    }

    @Test
    func `what stands behind a bad record does not come back (F12)`() throws {
        // Or the records may be in the file, and out of the journal, before it is killed.
        let dead = try peer(leavingOut: "scheduledCheckpoints")
        #expect(try dead.ask("save n 1") == "ok")
        for number in 2...4 { #expect(try dead.ask("set n \(number)") == "ok") }
        dead.kill()
        #expect(try dead.close() == .signal(9))
        // The second of three records is lost, with the generation; the third is on the disk.
        let bytes = try Data(contentsOf: URL(filePath: journal))
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        try #require(lines.count == 5)
        let second = UInt64(lines[0].count + lines[1].count + 2)
        try patch([UInt8](repeating: 0, count: lines[2].count), at: second, of: journal)
        try loseGeneration()

        // Or the file might have the value before the newcomer looks.
        let writer = try peer(leavingOut: "scheduledCheckpoints")
        #expect(try writer.ask("set n 9") == "ok")
        // A record as long as the lost one would have the third follow it.
        let newcomer = try Peer.opening(in: folder)
        #expect(try newcomer.ask("get n") == "9")
    }

    @Test
    func `a write that seems to change nothing looks at the file first`() throws {
        let writer = try peer(leavingOut: "scheduledCheckpoints")
        #expect(try writer.ask("save n 1") == "ok")
        #expect(try writer.ask("get n") == "1")
        // It may not have been notified yet.
        try saveByHand(#"{ "n": 2 }"#)
        #expect(try writer.ask("set n 1") == "ok")
        #expect(try Peer.opening(in: folder).ask("get n") == "1")
    }

    @Test
    func `a generation that power loss took back is made good from the journal`() throws {
        // Or the file may have the values before the newcomer looks: of the one that dies, and of the one after it.
        let dead = try peer(leavingOut: "scheduledCheckpoints")
        #expect(try dead.ask("save n 1") == "ok")
        for number in 2...4 { #expect(try dead.ask("set n \(number)") == "ok") }
        dead.kill()
        #expect(try dead.close() == .signal(9))
        try loseGeneration()
        #expect(try peer(leavingOut: "scheduledCheckpoints").ask("set n 9") == "ok")
        #expect(try Peer.opening(in: folder).ask("get n") == "9")
    }

    @Test
    func `nobody reads an old value after another has read the new one (F4)`() throws {
        let writer = try peer()
        #expect(try writer.ask("save n 1") == "ok")
        let reader = try peer()
        #expect(try reader.ask("get n") == "1")
        let strace = try Strace(writer, "pwrite64:signal=STOP:when=2")
        try #require(try writer.answerOrStop(to: "set n 2") == nil)
        #expect(try Peer.opening(in: folder).ask("get n") == "2")
        #expect(try reader.ask("get n") == "2")
        writer.resume()
        #expect(try writer.receive() == "ok")
        strace.finish()
    }

    @Test(arguments: [nil, "scheduledCheckpoints"])
    func `the file follows a write without being asked`(_ left: String?) throws {
        let writer = try peer(leavingOut: left)
        #expect(try writer.answers(to: ["save n 1", "set n 2"]) == ["ok", "ok"])
        if left == nil { try folder.awaitCheckpoint() }
        #expect(try folder.numbersInFile() == ["n": left == nil ? 2 : 1])
        // At its end it follows in any case.
        #expect(try writer.close() == .status(0))
        #expect(try folder.numbersInFile() == ["n": 2])
    }

    @Test func `who leaves that out brings in nothing for a process that has died either`() throws {
        let other = try TemporaryFolder()
        // The second shows that the first has had its time.
        let readers = try [(folder, "scheduledCheckpoints"), (other, nil)].map { place, left in
            let dead = try Peer.opening(in: place, leavingOut: "scheduledCheckpoints")
            try dead.expectOK("set n 1")
            let reader = try Peer.opening(in: place, leavingOut: left)
            #expect(try reader.ask("get n") == "1")
            dead.kill()
            return reader
        }
        #expect(try eventually { try other.numbersInFile() == ["n": 1] })
        #expect(try folder.numbersInFile() == [:])
        for reader in readers { #expect(try reader.ask("get n") == "1") }
    }
}
