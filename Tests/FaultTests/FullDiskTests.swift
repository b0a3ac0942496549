/// Writes for which there is no room: they throw, cost nothing, and work again when there is.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct FullDiskTests {
    /// How many bytes of a record a process may write, and whether the record is whole then.
    struct Limit: Sendable, CustomTestStringConvertible {
        /// Bytes of the record, from its start, or where negative from its end.
        let bytes: Int
        let isWhole: Bool
        var testDescription: String { "\(bytes) bytes" }
    }

    static let limits = [
        Limit(bytes: 0, isWhole: false), Limit(bytes: 1, isWhole: false), Limit(bytes: 42, isWhole: false),
        Limit(bytes: 60, isWhole: false), Limit(bytes: -1, isWhole: false),
        Limit(bytes: -0x1000, isWhole: true),
    ]

    private static let transaction = "transact a 1 b 2 c 3"

    /// The length of the journal of a suite that has just been written to, before it is emptied.
    private func journalLength(_ folder: TemporaryFolder, _ name: String) throws -> Int {
        try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)/.settings.json.journal")).count
    }

    @Test(arguments: limits)
    func `a write cut short by a limit is whole or not at all, and the next process writes on`(_ limit: Limit)
        throws
    {
        let folder = try TemporaryFolder()
        // Or the journal may be emptied before it is measured.
        let limited = try Peer.opening("measured", in: folder, leavingOut: "scheduledCheckpoints")
        #expect(try limited.answers(to: ["save n 1", FullDiskTests.transaction]) == ["ok", "ok"])
        let header = 48
        let record = try journalLength(folder, "measured") - header
        try #require(record > 60)
        let bytes = limit.bytes == -0x1000 ? record : limit.bytes < 0 ? record + limit.bytes : limit.bytes

        #expect(try limited.answers(to: ["open \(folder.path) settings", "save n 1"]) == ["ok", "ok"])
        let other = try Peer.opening(in: folder)
        let said = try limited.answers(to: ["limit \(header + bytes)", FullDiskTests.transaction])
        #expect(said == ["ok", limit.isWhole ? "ok" : "error diskFull"])
        let values = limit.isWhole ? ["n": 1, "a": 1, "b": 2, "c": 3] : ["n": 1]
        let seen = try [limited, other].map { try $0.ask("get c") }
        #expect(seen == Array(repeating: values["c"].map(String.init) ?? "none", count: 2))
        #expect(try folder.numbers() == values)

        #expect(try other.ask("set n 2") == "ok")
        #expect(try folder.numbers() == values.merging(["n": 2]) { _, new in new })
        #expect(try [limited, other].map { try $0.ask("get n") } == ["2", "2"])
        #expect(try limited.answers(to: ["limit -1", "set n 3"]) == ["ok", "ok"])
        #expect(try other.ask("get n") == "3")
    }

    @Test func `a process that a limit kills leaves the old file whole`() throws {
        let folder = try TemporaryFolder()
        let limited = try Peer.opening(in: folder)
        #expect(
            try limited.answers(to: ["save n 1", "hardlimit 60", FullDiskTests.transaction]) == ["ok", "ok"])
        #expect(try limited.close() == .signal(SIGXFSZ))
        #expect(try folder.numbers() == ["n": 1])
        let next = try Peer.opening(in: folder)
        #expect(try next.answers(to: ["get n", "set n 2"]) == ["1", "ok"])
    }

    @Test(.mounting) func `a write on a full disk throws, and works when there is room`() throws {
        let disk = try Mount(pages: 16)
        let peers = [try Peer(), try Peer()]
        // Or a checkpoint may take room, or give it back, while the disk is filled.
        for peer in peers { try peer.expectOK("leaveout scheduledCheckpoints") }
        let opened = try peers.map { try $0.ask("open \(disk.path) settings") }
        #expect(try opened + [peers[0].ask("set n 1"), peers[1].ask("get n")] == ["ok", "ok", "ok", "1"])
        try disk.fill(leaving: 0)
        // The journal's page has room for some records; a checkpoint needs a page of its own.
        #expect(try peers[0].ask("save n 2") == "error diskFull")
        var last = 2
        while try peers[last % 2].ask("set n \(last + 1)") == "ok" { last += 1 }
        let refused = try peers.map { try $0.ask("set n 1000") }
        #expect(refused == ["error diskFull", "error diskFull"])
        #expect(try peers.map { try $0.ask("get n") } == ["\(last)", "\(last)"])
        try disk.makeRoom()
        #expect(try [peers[0].ask("set n 3"), peers[1].ask("get n")] == ["ok", "3"])
    }

    @Test(.mounting, arguments: 0...4)
    func `a disk that is full while a version is kept costs the version, never the settings (F27)`(
        pages: Int
    ) throws {
        let disk = try Mount(pages: 32)
        let peer = try Peer()
        try peer.expectOK("leaveout scheduledCheckpoints")
        let begun = try peer.answers(to: ["open \(disk.path) settings", "keephistory 50", "save n 1"])
        #expect(begun == ["ok", "ok", "ok"])
        try disk.fill(leaving: pages)
        let isSaved = try peer.ask("save n 2") == "ok"
        #expect(isSaved == (pages > 0))
        let failures = try peer.ask("failures")
        #expect(failures == "" || failures == "diskFull")
        // The page of the settings file is the one that is missing, then the version's.
        if pages == 1 { #expect(failures == "diskFull") }
        #expect(try peer.ask("get n") == "2")
        let other = try Peer()
        #expect(try other.answers(to: ["open \(disk.path) settings", "get n"]) == ["ok", "2"])
        try disk.makeRoom()
        // What never was in the file has no version.
        let undone = isSaved ? ["2", "1"] : ["1", "none"]
        #expect(try peer.answers(to: ["save n 3", "undo n", "undo n"]) == ["ok"] + undone)
    }

    /// How many pages are free on a disk, and what becomes of a first open and write there.
    struct Room: Sendable, CustomTestStringConvertible {
        let pages: Int
        let answers: [String]
        var testDescription: String { "\(pages) pages" }
    }

    /// The lock file needs one, the journal one, the next settings file one; the folder none.
    static let rooms = [
        Room(pages: 0, answers: ["ok", "error diskFull", "none", "error diskFull"]),
        Room(pages: 1, answers: ["ok", "error diskFull", "none", "ok"]),
        Room(pages: 2, answers: ["ok", "ok", "1", "error diskFull"]),
        Room(pages: 3, answers: ["ok", "ok", "1", "ok"]),
    ]

    @Test(.mounting, arguments: rooms)
    func `a first open on a disk that is full somewhere on the way is made good later`(_ room: Room) throws {
        let disk = try Mount(pages: 16)
        try disk.fill(leaving: room.pages)
        let (first, second) = (try Peer(), try Peer())
        let open = "open \(disk.path) settings"
        #expect(try first.answers(to: [open, "set n 1", "get n", "checkpoint"]) == room.answers)
        try disk.makeRoom()
        #expect(try first.ask("set m 2") == "ok")
        #expect(try second.answers(to: [open, "get m", "get n"]) == ["ok", "2", room.answers[2]])
        #expect(try [second.ask("set n 5"), first.ask("get n")] == ["ok", "5"])
    }
}
