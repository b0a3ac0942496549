/// Threads that write at once share an append, and threads that wait for the disk at once share the wait.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct GroupCommitTests {
    private let folder: TemporaryFolder
    private let peer: Peer

    init() throws {
        folder = try TemporaryFolder()
        peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
    }

    private var header: Int { 48 }

    private func journalLength(_ name: String) throws -> Int {
        try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)/.settings.json.journal")).count
    }

    @Test(.strace) func `threads that an open transaction blocks are committed by one append`() throws {
        #expect(try peer.ask("save n 1") == "ok")
        let strace = try Strace(holding: [peer], ["-f", "-y", "-e", "trace=pwrite64"])
        #expect(try peer.ask("group 20") == "ok")
        let writes = try strace.log().split(separator: "\n").filter { $0.contains("pwrite64(") }
        // The transaction, and the threads that waited for it: the generation, then the records.
        #expect(writes.filter { $0.contains("journal>") }.count == 2)
        #expect(writes.count == 4)
        let records = try String(
            contentsOfFile: folder.path + "/settings/.settings.json.journal", encoding: .utf8
        ).split(separator: "\n").dropFirst()
        #expect(records.count == 21)
    }

    /// The lengths of the first record of a group and of each further one.
    private func measure() throws -> (first: Int, further: Int) {
        for (name, count) in [("one", 1), ("eight", 8)] {
            let commands = ["open \(folder.path) \(name)", "save n 1", "group \(count)"]
            #expect(try peer.answers(to: commands) == ["ok", "ok", "ok"])
        }
        let (one, eight) = (try journalLength("one") - header, try journalLength("eight") - header)
        let further = (eight - one) / 7
        try #require(one + 7 * further == eight && further > 50)
        return (one - further, further)
    }

    /// How many records of a group of eight fit, and how many bytes more.
    @Test(arguments: [(0, 20), (1, 0), (3, 1), (7, -1), (8, 0)])
    func `of a group that is written in part exactly the whole records are acknowledged`(
        _ room: (records: Int, bytes: Int)
    ) throws {
        let lengths = try measure()
        #expect(try peer.answers(to: ["open \(folder.path) settings", "save n 1"]) == ["ok", "ok"])
        let bytes = header + lengths.first + room.records * lengths.further + room.bytes
        #expect(try peer.ask("limit \(bytes)") == "ok")
        let outcomes = try peer.ask("outcomes 8").split(separator: " ").map(String.init)
        #expect(Set(outcomes).isSubset(of: ["ok", "diskFull"]) && outcomes.count == 8)
        let done = outcomes.indices.filter { outcomes[$0] == "ok" }
        #expect(done.count == (room.bytes < 0 ? room.records - 1 : room.records))
        let newcomer = try Peer.opening(in: folder)
        let members = [#""first": 8"#, #""n": 1"#] + done.map { #""own \#($0)": 8"# }
        #expect(try newcomer.ask("stored") == "{\(members.joined(separator: ", "))}")
        #expect(try peer.ask("stored") == newcomer.ask("stored"))
        #expect(try newcomer.ask("set later 1") == "ok")
        #expect(try peer.ask("get later") == "1")
        #expect(try folder.numbers().count == done.count + 3)
    }

    @Test(.strace) func `threads that wait for the disk at once wait together`() throws {
        #expect(try peer.answers(to: ["save n 1", "set n 2", "synchronize"]) == ["ok", "ok", "ok"])
        // A slow disk, in microseconds: by the time that the first wait is over, all have come.
        let strace = try Strace(
            holding: [peer],
            ["-f", "-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=1000000"])
        #expect(try [peer.ask("synchronizers 64"), peer.ask("failures")] == ["ok", ""])
        let waits = try strace.log().split(separator: "\n").filter { $0.contains("fdatasync(") }
        #expect((1...16).contains(waits.count))
        #expect(try folder.numbers().count == 65)
    }
}
