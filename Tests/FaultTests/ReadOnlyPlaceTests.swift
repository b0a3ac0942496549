/// Places where a process may read and not write, or not even read.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .root)
struct ReadOnlyPlaceTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
    }

    @Test(.mounting)
    func `on a read-only file system reads work, writes throw at once, and both work after it`()
        throws
    {
        let place = try Mount(readOnly: folder)
        let peer = try Peer()
        #expect(try peer.answers(to: ["open \(place.path) settings", "get n"]) == ["ok", "1"])
        // Who waits for a lock does so for five seconds.
        let refused = try ["set n 2", "remove n", "transact n 3"].map {
            try peer.ask($0, within: .seconds(4.9))
        }
        #expect(refused == Array(repeating: "error readOnly", count: 3))
        try suite.set(4, forKey: "n")
        #expect(try peer.ask("stored") == #"{"n": 4}"#)

        try place.makeWritable()
        #expect(try peer.ask("set n 5") == "ok")
        #expect(suite.value(forKey: "n") == 5)
        #expect(try peer.ask("get n") == "5")
    }

    /// Lets everybody look into the folders, and says who may read the settings.
    private func expose(_ folder: TemporaryFolder, settings mode: Int) throws {
        try folder.setMode(0o755, of: "")
        try folder.setMode(0o755, of: "settings")
        try folder.setMode(mode, of: "settings/settings.json")
    }

    @Test func `another user reads what may be read, sees it change, and is refused each write at once`()
        throws
    {
        try expose(folder, settings: 0o644)
        let nobody = try Peer.asNobody()
        #expect(try nobody.answers(to: ["open \(folder.path) settings", "get n"]) == ["ok", "1"])
        // Who waits for a lock does so for five seconds.
        let refused = try ["set n 2", "remove n", "transact n 3"].map {
            try nobody.ask($0, within: .seconds(4.9))
        }
        #expect(refused == Array(repeating: "error readOnly", count: 3))
        try nobody.ask("observe n")
        try suite.set(4, forKey: "n")
        #expect(try nobody.ask("events 1").hasPrefix("[[1, 4, "))
        #expect(try nobody.ask("stored") == #"{"n": 4}"#)
        #expect(try folder.numbers() == ["n": 4])
    }

    /// Who may read the journal too, and what another user reads beside a writer that has not come to its checkpoint.
    @Test(arguments: [(mode: 0o600, value: "1"), (0o644, "2")])
    func `another user reads the journal's records where it may`(_ journal: (mode: Int, value: String)) throws
    {
        // With no suite of this process, which would bring the writer's record into the file some time later.
        let folder = try TemporaryFolder()
        let maker = try Peer.opening(in: folder)
        #expect(try maker.ask("save n 1") == "ok")
        #expect(try maker.close() == .status(0))
        try expose(folder, settings: 0o644)
        let writer = try Peer.opening(in: folder)
        #expect(try writer.answers(to: ["leaveout scheduledCheckpoints", "set n 2"]) == ["ok", "ok"])
        try folder.setMode(journal.mode, of: "settings/.settings.json.journal")
        let nobody = try Peer.asNobody()
        let said = try nobody.answers(to: ["open \(folder.path) settings", "get n", "set n 3", "get n"])
        #expect(said == ["ok", journal.value, "error readOnly", journal.value])
        #expect(try writer.close() == .status(0))
        #expect(try nobody.ask("stored") == #"{"n": 2}"#)
    }

    @Test func `Unreadable is not empty: a journal that may only be read is read, and writes are refused`()
        throws
    {
        let place = folder.path + "/theirs"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: false,
            attributes: [.ownerAccountID: 65_534, .posixPermissions: 0o700])
        try folder.setMode(0o755, of: "")
        let (writer, reader) = (try Peer.asNobody(), try Peer.asNobody())
        let open = "open \(place) settings"
        #expect(try writer.answers(to: [open, "leaveout scheduledCheckpoints"]) == ["ok", "ok"])
        #expect(try reader.answers(to: [open, "get n"]) == ["ok", "none"])
        #expect(try writer.ask("set n 2") == "ok")
        try folder.setMode(0o400, of: "theirs/settings/.settings.json.journal")
        #expect(try reader.answers(to: ["get n", "set n 3", "get n"]) == ["2", "error readOnly", "2"])
        try folder.setMode(0o600, of: "theirs/settings/.settings.json.journal")
        #expect(try reader.answers(to: ["set n 4", "get n", "checkpoint"]) == ["ok", "4", "ok"])
        #expect(try writer.ask("get n") == "4")
    }

    @Test func `Unreadable is not empty: a file that may not be read is an error that names it`() throws {
        try expose(folder, settings: 0o600)
        let nobody = try Peer.asNobody()
        let said = try nobody.answers(to: ["open \(folder.path) settings", "stored", "explain", "set n 2"])
        #expect(said == ["ok", "error ioFailure", "ioFailure \(folder.settingsPath())", "error readOnly"])

        try folder.setMode(0o644, of: "settings/settings.json")
        #expect(try nobody.ask("stored") == #"{"n": 1}"#)
    }

    @Test func `Unreadable is not empty: a folder that may not be entered is an error`() throws {
        try folder.setMode(0o755, of: "")
        let nobody = try Peer.asNobody()
        let said = try nobody.answers(to: ["open \(folder.path) settings", "stored", "set n 2"])
        #expect(said == ["ok", "error ioFailure", "error ioFailure"])
        #expect(try folder.numbers() == ["n": 1])
    }
}
