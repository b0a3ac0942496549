/// Whole settings and tracked reads, with another process on the same file.
import Observation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct WholeSettingsTests {
    @Test func `two processes that update different properties lose nothing`() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try Peer.opening(in: folder), try Peer.opening(in: folder))
        #expect(try first.ask("wholeload") == "1 3")
        #expect(try second.ask("wholeload") == "1 3")
        try first.ask("wholevolume 7")
        try second.ask("wholelives 9")
        try first.ask("wholeupdate")
        try second.ask("wholeupdate")
        #expect(try first.ask("stored") == #"{"lives": 9, "volume": 7}"#)
        #expect(try first.ask("wholeload") == "7 9")
        #expect(try second.ask("wholeload") == "7 9")
    }

    @Test func `two processes that load for the first time at once keep one value`() throws {
        let folder = try TemporaryFolder()
        let peers = [try Peer.opening(in: folder), try Peer.opening(in: folder)]
        for peer in peers { try peer.send("wholeload") }
        #expect(try peers.map { try $0.receive() } == ["1 3", "1 3"])
        #expect(try peers[0].ask("stored") == #"{"lives": 3, "volume": 1}"#)
    }
}

private struct Panel: Sendable {
    @Default<Int> var size: Int
}

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct TrackedReadTests {
    @Test func `a tracked read hears of another process's change`() throws {
        let folder = try TemporaryFolder()
        let panel = Panel(
            size: Default(Defaults.Key<Int>("size", default: 1, suite: try folder.suite())))
        let peer = try Peer.opening(in: folder)
        let fired = Recorder<Int>()
        withObservationTracking {
            _ = panel.size
        } onChange: {
            fired.append(panel.size)
        }
        try peer.ask("set size 5")
        #expect(fired.wait(for: 1))
        #expect(fired.all == [5])
    }
}
