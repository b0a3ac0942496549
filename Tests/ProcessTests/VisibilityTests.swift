/// A finished write is seen by every process at once.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct VisibilityConcurrencyTests {
    @Test func `Acknowledged means kept: what one process has set, the other reads at once`() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try Peer.opening(in: folder), try Peer.opening(in: folder))
        let stale = try (1...Soak.times(100)).filter { round in
            let (even, odd) = (round * 2, round * 2 + 1)
            try first.ask("set n \(even)")
            let seenBySecond = try second.ask("get n")
            try second.ask("set n \(odd)")
            return try (seenBySecond, first.ask("get n")) != ("\(even)", "\(odd)")
        }
        #expect(stale == [])
    }

    @Test func `Acknowledged means kept: a newcomer reads what this process has set`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(["list": [1, "two", nil]], forKey: "k")
        #expect(try Peer.opening(in: folder).ask("get k") == #"{"list": [1, "two", null]}"#)
    }

    @Test func `a typed key reads at once what another process has set, though it is cached`() throws {
        let folder = try TemporaryFolder()
        let key = Defaults.Key<Int>("n", default: 0, suite: try folder.suite())
        let peer = try Peer.opening(in: folder)
        let rounds = 1...Soak.times(100)
        let seen = try rounds.map { round in
            try peer.ask("setint n \(round)")
            return [Defaults[key], Defaults[key]]
        }
        #expect(seen == rounds.map { [$0, $0] })
    }

    @Test func `a value that one process resets is the default in the other at once`() throws {
        let folder = try TemporaryFolder()
        let key = Defaults.Key<Int>("n", default: 7, suite: try folder.suite())
        let peer = try Peer.opening(in: folder)
        Defaults[key] = 1
        let before = try peer.ask("getint n")
        try peer.ask("reset n")
        #expect(before == "1")
        #expect(Defaults[key] == 7)
    }

    @Test func `what one process removes all of is gone in the other at once`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let peer = try Peer.opening(in: folder)
        try suite.set(1, forKey: "a")
        try suite.set(2, forKey: "b")
        let before = try peer.ask("stored")
        try peer.ask("removeall")
        #expect(before == #"{"a": 1, "b": 2}"#)
        #expect(try suite.storedValues() == [:])
    }
}
