/// A transaction of one process is seen by the others whole or not at all.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct TransactionTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let holder: Peer
    private let other: Peer

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        holder = try Peer.opening(in: folder)
        other = try Peer.opening(in: folder)
        try suite.set(1, forKey: "a")
    }

    /// What this process and the other peer have stored.
    private func seen() throws -> [String] {
        [DefaultsValue.object(try stored()).description, try other.ask("stored")]
    }

    private func stored() throws -> DefaultsObject {
        DefaultsObject(
            try suite.storedValues().sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) })
    }

    private func hold() throws {
        let said = try ["begin", "set a 2", "set b 2", "get a"].map { try holder.ask($0) }
        #expect(said == ["held", "ok", "ok", "2"])
    }

    @Test func `All or nothing: others see an open transaction only when it has ended`() throws {
        try hold()
        let during = try seen()
        #expect(try holder.ask("release") == "released")
        #expect(during == [#"{"a": 1}"#, #"{"a": 1}"#])
        #expect(try seen() == [#"{"a": 2, "b": 2}"#, #"{"a": 2, "b": 2}"#])
    }

    @Test func `All or nothing: a transaction that throws leaves nothing, in its own process too`() throws {
        try hold()
        #expect(try holder.ask("rollback") == "rolled back")
        #expect(try seen() == [#"{"a": 1}"#, #"{"a": 1}"#])
        #expect(try holder.ask("stored") == #"{"a": 1}"#)
    }

    @Test func `All or nothing: a killed transaction leaves nothing, and its lock is free at once`() throws {
        try hold()
        holder.kill()
        #expect(try holder.close() == .signal(9))
        #expect(try seen() == [#"{"a": 1}"#, #"{"a": 1}"#])
        #expect(try other.ask("set c 3") == "ok")
        #expect(try seen() == [#"{"a": 1, "c": 3}"#, #"{"a": 1, "c": 3}"#])
    }

    @Test func `a write waits for another process's transaction and goes on top of it`() throws {
        try hold()
        try other.send("set b 3")
        #expect(throws: Peer.Failure.timedOut(waitingFor: "an answer")) {
            try other.receive(within: .milliseconds(200))
        }
        try holder.ask("release")
        #expect(try other.receive() == "ok")
        #expect(try seen() == [#"{"a": 2, "b": 3}"#, #"{"a": 2, "b": 3}"#])
    }

    @Test func `an observer hears a transaction of another process as one event per key`() throws {
        for key in ["a", "b"] { try other.ask("observe \(key)") }
        try hold()
        try holder.ask("release")
        let cause = "otherProcess \(holder.processID)"
        let (a, b) = (#"[1, 2, "\#(cause)"]"#, #"[null, 2, "\#(cause)"]"#)
        let said = try other.ask("events 2")
        #expect(["[\(a), \(b)]", "[\(b), \(a)]"].contains(said), "\(said)")
    }
}

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct SnapshotConcurrencyTests {
    @Test func `All or nothing: snapshots in other processes never hold half of a pair`() throws {
        let folder = try TemporaryFolder()
        let readers = [try Peer.opening(in: folder), try Peer.opening(in: folder)]
        let writer = try Peer.opening(in: folder)
        let last = Soak.times(200)
        let ready = try readers.map { try $0.ask("torn \(last)") }
        // Each reader takes its snapshots while these are written, however little it gets to run beside the writer.
        for number in 1...10 {
            #expect(try writer.ask("transact a \(number) b \(number)") == "ok")
            #expect(try readers.map { try $0.receive() } == ["seen", "seen"])
        }
        #expect(try writer.ask("pairs \(last)", within: .seconds(120)) == "ok")
        let said = try readers.map {
            try $0.receive(within: .seconds(60)).split(separator: " of ").compactMap { Int($0) }
        }
        #expect(ready == ["reading", "reading"])
        #expect(said.map(\.first) == [0, 0], "torn snapshots")
        #expect(said.allSatisfy { ($0.last ?? 0) > 11 }, "the readers saw the pairs change: \(said)")
    }
}
