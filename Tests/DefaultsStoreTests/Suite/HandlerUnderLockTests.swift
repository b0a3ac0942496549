import DefaultsStore
import TestSupport
import Testing

/// A person's failure handler runs when no lock is held, so it may use the suite.
@Suite(.timeLimit(.minutes(10)), .ownThread) struct HandlerUnderLockTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let refusals = Recorder<DefaultsError.Code?>()

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    /// Has the handler write, and notes what it was thrown.
    private func writeFromTheHandler() {
        suite.onFailure = { [suite, refusals] _ in
            refusals.append(refusal { try suite.set(1, forKey: "fromTheHandler") }?.code)
        }
    }

    @Test func `damage that the first write meets is told when the write has given its lock back`() throws {
        try folder.write("{\"a\": 1,\n  \"b\": tru", to: "settings/settings.json")
        writeFromTheHandler()
        try suite.set(2, forKey: "c")
        #expect(refusals.wait(for: 1))
        #expect(refusals.all == [nil])
        #expect(try suite.storedValues() == ["a": 1, "c": 2, "fromTheHandler": 1])
    }

    @Test func `what a save under a transaction has wrong is told when the transaction is over`() throws {
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
        writeFromTheHandler()
        try suite.withTransaction { tx in
            tx[key: "n"] = 2
            try folder.write("{\"twice\": 1, \"twice\": 2}", to: "settings/settings.json")
        }
        #expect(refusals.wait(for: 1))
        #expect(refusals.all == [nil])
        #expect(try suite.storedValues() == ["twice": 2, "n": 2, "fromTheHandler": 1])
    }
}
