/// A source's last layer, between processes that are killed and start offline.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct LastKnownLayerTests {
    private let folder: TemporaryFolder
    private var source: String { folder.path + "/source.json" }

    init() throws { folder = try TemporaryFolder() }

    /// A program that follows the source, whose failures nobody hears.
    private func follower() throws -> Peer {
        let peer = try Peer.opening(in: folder)
        try peer.expectOK("followkept \(source)")
        return peer
    }

    private func isKept(_ text: String) throws -> Bool {
        let known = folder.path + "/settings/.settings.json.known"
        guard FileManager.default.fileExists(atPath: known) else { return false }
        return try FileManager.default.contentsOfDirectory(atPath: known).filter { !$0.hasPrefix(".") }
            .contains { try String(contentsOfFile: known + "/" + $0, encoding: .utf8).contains(text) }
    }

    @Test func `a program that was killed starts offline with what its source said last`() throws {
        try folder.write(#"{"volume": 0.25}"#, to: "source.json")
        let first = try follower()
        #expect(try eventually { try isKept(#""volume":0.25"#) })
        try folder.saveByRename(#"{"volume": 0.5}"#, to: "source.json")
        #expect(try eventually { try isKept(#""volume":0.5"#) })
        first.kill()
        try folder.remove("source.json")

        let offline = try follower()
        #expect(try offline.ask("get volume") == "0.5")
        let line = try offline.ask("explained volume")
        #expect(line.hasPrefix("registered: 0.5 (source \(source), last known, "), "\(line)")
        #expect(try eventually { try offline.ask("failures") == "sourceFailed" })
        #expect(try offline.ask("get volume") == "0.5")

        try folder.write(#"{"volume": 0.75}"#, to: "source.json")
        #expect(try eventually { try offline.ask("get volume") == "0.75" })
        #expect(try offline.ask("explained volume").contains(", loaded "))
    }

    @Test func `whenever a program is killed, the next has a whole layer, or none yet`() throws {
        let filler = String(repeating: "x", count: 200_000)
        for round in 0..<Soak.times(20) {
            try folder.write(
                #"{"n": \#(round), "filler": "\#(filler)", "same": \#(round)}"#, to: "source.json")
            let peer = try follower()
            // Each time at another moment of the reading and the writing.
            for _ in 0..<round { try peer.expectOK("set turn \(round)") }
            peer.kill()
            try folder.remove("source.json")
            let next = try follower()
            #expect(try next.ask("get n") == next.ask("get same"))
            #expect(try next.ask("failures").contains("malformed") == false)
            next.kill()
        }
    }

    @Test func `two programs keep one file, and either starts with it`() throws {
        try folder.write(#"{"volume": 0.25}"#, to: "source.json")
        let peers = [try follower(), try follower()]
        for number in 1...5 {
            try folder.saveByRename(#"{"volume": \#(number)}"#, to: "source.json")
            for peer in peers { #expect(try eventually { try peer.ask("get volume") == "\(number)" }) }
        }
        #expect(try eventually { try isKept(#""volume":5"#) })
        peers.forEach { $0.kill() }
        try folder.remove("source.json")
        #expect(try follower().ask("get volume") == "5")
    }
}
