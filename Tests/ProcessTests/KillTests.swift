/// A writer that is killed at any moment loses nothing it had acknowledged and leaves a whole file.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct KillTests {
    @Test func `Acknowledged means kept: what a writer acknowledged is there after each kill`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let rounds = try (0..<Soak.times(50)).map { _ in try killedRound(folder, suite) }
        #expect(rounds.filter { !$0.isKept } == [])
        #expect(try suite.storedValues().keys.sorted() == ["n"])
    }

    /// What a round left behind.
    private struct Round: Equatable {
        let acknowledged: Int
        let inFile: Int?
        let readHere: Int?

        /// The killed write may have been committed before it was acknowledged.
        var isKept: Bool { inFile == readHere && (inFile == acknowledged || inFile == acknowledged + 1) }
    }

    /// Starts a writer, which opens the suite as the last kill left it, and kills it after a few writes.
    private func killedRound(_ folder: TemporaryFolder, _ suite: DefaultsSuite) throws -> Round {
        let peer = try Peer.opening(in: folder)
        try peer.send("writeforever n")
        var acknowledged = 0
        for _ in 0..<Int.random(in: 1...5) { acknowledged = try number(try peer.receive()) }
        spin(for: .microseconds(.random(in: 0...3_000)))
        peer.kill()
        while let line = try lineOrEnd(of: peer) { acknowledged = try number(line) }
        #expect(try peer.close() == .signal(9))
        // What the killed process wrote last is in the journal; what it left of the file is whole anyhow.
        let bytesLeft = FileManager.default.contents(atPath: folder.settingsPath()) ?? Data("{}".utf8)
        _ = try JSONSerialization.jsonObject(with: bytesLeft)
        try suite.checkpoint()
        let bytes = try Data(contentsOf: URL(filePath: folder.settingsPath()))
        let object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        return Round(
            acknowledged: acknowledged, inFile: object["n"] as? Int,
            readHere: try suite.storedValues()["n"]?.int)
    }

    private func number(_ line: String) throws -> Int { try #require(Int(line), "\(line)") }

    private func lineOrEnd(of peer: Peer) throws -> String? {
        do { return try peer.receive() } catch Peer.Failure.ended { return nil }
    }

    /// Moves the kill to a random place of the write; nothing rests on how long it takes.
    private func spin(for time: Duration) {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {}
    }
}
