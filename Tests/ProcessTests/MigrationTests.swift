/// A migration is done once, however many processes start at once.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread) struct MigrationTests {
    @Test func `of four processes that migrate at once each step is done by one`() throws {
        let folder = try TemporaryFolder()
        let peers = try (0..<4).map { _ in try Peer.opening(in: folder) }
        for peer in peers { try peer.send("migrate a b c") }
        let answers = try peers.map { try $0.receive() }
        #expect(answers.sorted() == ["a b c", "none", "none", "none"])
        let suite = try folder.suite()
        #expect(try suite.storedValues() == ["n": 3, "$migrations": ["a", "b", "c"]])
        #expect(try peers[0].ask("migrate a b c d") == "d")
        #expect(try suite.storedValues()["n"] == 4)
    }

    @Test func `programs with lists of their own migrate one suite at once, each step once`() throws {
        let folder = try TemporaryFolder()
        let peers = try (0..<6).map { _ in try Peer.opening(in: folder) }
        let commands = ["migrate a b", "migratelist player a c", "migratelist indexer d"]
        for (number, peer) in peers.enumerated() { try peer.send(commands[number % 3]) }
        let answers = try peers.map { try $0.receive() }
        #expect(answers.sorted() == ["a b", "a c", "d", "none", "none", "none"])
        let stored = try folder.suite().storedValues()
        #expect(stored["n"] == 5 && stored["$migrations"] == ["a", "b"])
        #expect(stored["$migrationLists"] == ["player": ["a", "c"], "indexer": ["d"]])
    }
}
