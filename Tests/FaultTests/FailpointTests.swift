/// Each step of the protocol that no single call shows is left out once, and something acknowledged is lost, or two
/// processes see two orders: the step is needed. With it, all is well.
///
/// The waits for the disk are left out in `PowerLoss`, where the states they rule out are enumerated.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct FailpointTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func peer(without step: String?, _ others: String...) throws -> Peer {
        let peer = try Peer.opening(in: folder)
        let steps = others + [step].compactMap(\.self)
        if !steps.isEmpty { #expect(try peer.ask("leaveout \(steps.joined(separator: " "))") == "ok") }
        // From the first read on, which else looks at the files itself.
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

    @Test(arguments: [nil, "noticesRaiseEpoch"])
    func `a save by hand makes what is cached old`(_ left: String?) throws {
        // Or a checkpoint that is due would look at the file.
        let (careless, reader) = (try peer(without: left, "scheduledCheckpoints"), try peer(without: nil))
        #expect(try careless.ask("save n 1") == "ok")
        #expect(try [careless, reader].map { try $0.ask("get n") } == ["1", "1"])
        try saveByHand(#"{ "n": 2 }"#)
        #expect(try eventually { try reader.ask("get n") == "2" })
        // Both were told by the kernel; the one that listens may still take a moment.
        let seen =
            try left == nil ? eventually { try careless.ask("get n") == "2" } : careless.ask("get n") == "2"
        #expect(seen == (left == nil))
    }

    @Test(arguments: [nil, "cutTornTail"])
    func `what stands behind a bad record does not come back (F12)`(_ left: String?) throws {
        // Or the records may be in the file, and out of the journal, before it is killed.
        let dead = try peer(without: nil, "scheduledCheckpoints")
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
        let writer = try peer(without: left, "scheduledCheckpoints")
        #expect(try writer.ask("set n 9") == "ok")
        let newcomer = try Peer.opening(in: folder)
        // Its process id, and with it the line, may be longer or shorter; then the bytes behind it do not fit.
        let fits = "\(writer.processID)".count == "\(dead.processID)".count
        #expect(try newcomer.ask("get n") == (left != nil && fits ? "4" : "9"))
    }

    @Test(arguments: [nil, "compareBeforeDoingNothing"])
    func `a write that seems to change nothing looks at the file first`(_ left: String?) throws {
        let writer = try peer(without: left, "noticesRaiseEpoch", "scheduledCheckpoints")
        #expect(try writer.ask("save n 1") == "ok")
        #expect(try writer.ask("get n") == "1")
        try saveByHand(#"{ "n": 2 }"#)
        #expect(try writer.ask("set n 1") == "ok")
        #expect(try Peer.opening(in: folder).ask("get n") == (left == nil ? "1" : "2"))
    }

    @Test(arguments: [nil, "raiseBeyondJournal"])
    func `a generation that power loss took back is made good from the journal`(_ left: String?) throws {
        // Or the file may have the values before the newcomer looks: of the one that dies, and of the one after it.
        let dead = try peer(without: nil, "scheduledCheckpoints")
        #expect(try dead.ask("save n 1") == "ok")
        for number in 2...4 { #expect(try dead.ask("set n \(number)") == "ok") }
        dead.kill()
        #expect(try dead.close() == .signal(9))
        try loseGeneration()
        #expect(try peer(without: left, "scheduledCheckpoints").ask("set n 9") == "ok")
        #expect(try Peer.opening(in: folder).ask("get n") == (left == nil ? "9" : "4"))
    }

    @Test(arguments: [nil, "raiseBeforeRecords"])
    func `nobody reads an old value after another has read the new one (F4)`(_ left: String?) throws {
        let writer = try peer(without: left)
        #expect(try writer.ask("save n 1") == "ok")
        let reader = try peer(without: nil)
        #expect(try reader.ask("get n") == "1")
        let strace = try Strace(writer, "pwrite64:signal=STOP:when=\(left == nil ? 2 : 1)")
        try #require(try writer.answerOrStop(to: "set n 2") == nil)
        #expect(try Peer.opening(in: folder).ask("get n") == "2")
        #expect(try reader.ask("get n") == (left == nil ? "2" : "1"))
        writer.resume()
        #expect(try writer.receive() == "ok")
        strace.finish()
    }

    @Test(arguments: [nil, "scheduledCheckpoints"])
    func `the file follows a write without being asked`(_ left: String?) throws {
        let writer = try peer(without: left)
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
