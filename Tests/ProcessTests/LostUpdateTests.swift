/// No process undoes what another one wrote.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct LostUpdateTests {
    @Test func `No lost updates: 8 processes with 4 threads add 1 to one key 250 times each`() throws {
        let folder = try TemporaryFolder()
        let ways = ["subscript", "modify", "defaults", "transaction"]
        let peers = try (0..<8).map { _ in try Peer.opening(in: folder) }
        let times = Soak.times(250)
        for (number, peer) in peers.enumerated() { try peer.send("threads n \(ways[number % 4]) 4 \(times)") }
        let said = try peers.map { try [$0.receive(within: .seconds(300)), $0.ask("failures")] }
        #expect(said == Array(repeating: ["ok", ""], count: 8))
        #expect(try folder.suite().storedValues() == ["n": .number(DefaultsNumber(32 * times))])
    }

    @Test func `No lost updates: different keys of 8 processes never undo one another`() throws {
        let folder = try TemporaryFolder()
        let peers = try (0..<8).map { _ in try Peer.opening(in: folder) }
        let count = Soak.times(40)
        for (number, peer) in peers.enumerated() { try peer.send("fill p\(number)- \(count)") }
        let said = try peers.map { try $0.receive(within: .seconds(300)) }
        #expect(said == Array(repeating: "ok", count: 8))
        let expected = (0..<8).flatMap { peer in
            (0..<count).map { ("p\(peer)-\($0)", DefaultsValue.number(DefaultsNumber($0))) }
        }
        #expect(try folder.suite().storedValues() == Dictionary(uniqueKeysWithValues: expected))
    }
}

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct UpdateConcurrencyTests {
    @Test func `No lost updates: threads of two processes add 1 to one key`() throws {
        let folder = try TemporaryFolder()
        let key = Defaults.Key<Int>("n", default: 0, suite: try folder.suite())
        let peer = try Peer.opening(in: folder)
        try peer.send("threads n subscript 3 50")
        withThreads(3) { _ in
            for _ in 0..<50 { Defaults[key] += 1 }
        }
        #expect(try peer.receive(within: .seconds(120)) == "ok")
        #expect(Defaults[key] == 300)
    }
}
