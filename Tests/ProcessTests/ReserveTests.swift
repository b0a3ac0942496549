/// Processes that write into one journal's reserve.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct ReserveTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let peers: [Peer]

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        suite = try folder.suite()
        peers = try (0..<2).map { _ in try Peer.opening(in: folder) }
    }

    /// The one waits for the disk and so makes reserves, the others write over them and know no length but what they find.
    @Test func `records of several processes go over a reserve, and none is lost (F17)`() throws {
        for round in 1...300 {
            #expect(try peers[0].ask("set a \(round)") == "ok")
            #expect(try peers[0].ask("synchronize") == "ok")
            #expect(try peers[1].ask("set b \(round)") == "ok")
            try suite.set(DefaultsValue(integerLiteral: Int128(round)), forKey: "c")
            let expected = [String](repeating: #"{"a": \#(round), "b": \#(round), "c": \#(round)}"#, count: 2)
            #expect(try peers.map { try $0.ask("stored") } == expected)
        }
        #expect(try suite.storedValues() == ["a": 300, "b": 300, "c": 300])
        #expect(try folder.damagedCopies() == [])
        try suite.checkpoint()
        #expect(
            try folder.read("settings/settings.json") == "{\n  \"a\": 300,\n  \"b\": 300,\n  \"c\": 300\n}\n")
    }

    /// What it has written goes on being what counts, at whatever moment it is killed.
    @Test func `a process that is killed among durable sets leaves them all (F17)`() throws {
        let other = try Peer.opening(in: folder)
        for round in 1...20 {
            #expect(try other.ask("set a \(round)") == "ok")
            #expect(try other.ask("synchronize") == "ok")
        }
        other.kill()
        #expect(try other.close() == .signal(9))
        #expect(try peers[0].ask("get a") == "20")
        #expect(try peers[0].ask("set b 1") == "ok")
        #expect(try suite.storedValues() == ["a": 20, "b": 1])
        #expect(try folder.damagedCopies() == [])
    }
}
