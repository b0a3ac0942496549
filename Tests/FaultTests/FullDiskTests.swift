/// Writes for which there is no room: they throw, cost nothing, and work again when there is.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(10)), .ownThread)
struct FullDiskTests {
    /// How many bytes a process may put into a file, and what becomes of a write of 43 bytes.
    struct Limit: Sendable, CustomTestStringConvertible {
        let bytes: Int
        let answer: String
        let values: [String: Int]
        var testDescription: String { "\(bytes) bytes" }
    }

    static let old = ["n": 1]
    static let new = ["n": 1, "a": 1, "b": 2, "c": 3]
    static let limits = [
        Limit(bytes: 0, answer: "error diskFull", values: old),
        Limit(bytes: 10, answer: "error diskFull", values: old),
        Limit(bytes: 20, answer: "error diskFull", values: old),
        Limit(bytes: 42, answer: "error diskFull", values: old),
        Limit(bytes: 43, answer: "ok", values: new),
        Limit(bytes: 47, answer: "ok", values: new),
    ]

    @Test(arguments: limits)
    func `a write cut short by a limit is whole or not at all, and the next process writes on`(_ limit: Limit)
        throws
    {
        let folder = try TemporaryFolder()
        let limited = try Peer.opening(in: folder)
        let other = try Peer.opening(in: folder)
        let said = try ["set n 1", "limit \(limit.bytes)", "transact a 1 b 2 c 3"].map { try limited.ask($0) }
        #expect(said == ["ok", "ok", limit.answer])
        #expect(try folder.numbers() == limit.values)
        let seen = try [limited, other].map { try $0.ask("get c") }
        #expect(seen == Array(repeating: limit.values["c"].map(String.init) ?? "none", count: 2))

        #expect(try other.ask("set n 2") == "ok")
        #expect(try folder.numbers() == limit.values.merging(["n": 2]) { _, new in new })
        #expect(try [limited, other].map { try $0.ask("get n") } == ["2", "2"])
        #expect(try limited.answers(to: ["limit -1", "set n 3"]) == ["ok", "ok"])
        #expect(try other.ask("get n") == "3")
    }

    @Test func `a process that a limit kills leaves the old file whole`() throws {
        let folder = try TemporaryFolder()
        let limited = try Peer.opening(in: folder)
        #expect(
            try limited.answers(to: ["set n 1", "hardlimit 20", "transact a 1 b 2 c 3"]) == ["ok", "ok"])
        #expect(try limited.close() == .signal(SIGXFSZ))
        #expect(try folder.numbers() == ["n": 1])
        let next = try Peer.opening(in: folder)
        #expect(try next.answers(to: ["get n", "set n 2"]) == ["1", "ok"])
    }

    @Test(.mounting) func `a write on a full disk throws, and works when there is room`() throws {
        let disk = try Mount(pages: 16)
        let peers = [try Peer(), try Peer()]
        let opened = try peers.map { try $0.ask("open \(disk.path) settings") }
        #expect(try opened + [peers[0].ask("set n 1"), peers[1].ask("get n")] == ["ok", "ok", "ok", "1"])
        try disk.fill(leaving: 0)
        let full = try peers.map { try $0.ask("set n 2") }
        #expect(full == ["error diskFull", "error diskFull"])
        #expect(try peers.map { try $0.ask("get n") } == ["1", "1"])
        try disk.makeRoom()
        #expect(try [peers[0].ask("set n 3"), peers[1].ask("get n")] == ["ok", "3"])
    }

    /// How many pages are free on a disk, and what becomes of a first open and write there.
    struct Room: Sendable, CustomTestStringConvertible {
        let pages: Int
        let answers: [String]
        var testDescription: String { "\(pages) pages" }
    }

    /// The lock file needs one, the next settings file one, the journal one; the folder none.
    static let rooms = [
        Room(pages: 0, answers: ["ok", "error diskFull", "none", ""]),
        Room(pages: 1, answers: ["ok", "error diskFull", "none", ""]),
        Room(pages: 2, answers: ["ok", "ok", "1", "diskFull"]),
        Room(pages: 3, answers: ["ok", "ok", "1", ""]),
    ]

    @Test(.mounting, arguments: rooms)
    func `a first open on a disk that is full somewhere on the way is made good later`(_ room: Room) throws {
        let disk = try Mount(pages: 16)
        try disk.fill(leaving: room.pages)
        let (first, second) = (try Peer(), try Peer())
        let open = "open \(disk.path) settings"
        #expect(try first.answers(to: [open, "set n 1", "get n", "failures"]) == room.answers)
        try disk.makeRoom()
        #expect(try first.ask("set m 2") == "ok")
        #expect(try second.answers(to: [open, "get m", "get n"]) == ["ok", "2", room.answers[2]])
        #expect(try [second.ask("set n 5"), first.ask("get n")] == ["ok", "5"])
    }
}
