/// Snapshots: all values of one moment.
import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct SnapshotTests {
    private let suite = DefaultsSuite.inMemory()

    @Test func `later writes and registrations do not show in a snapshot`() throws {
        suite.register(defaults: ["r": 1])
        try suite.set(1, forKey: "a")
        let snapshot = suite.snapshot()
        try suite.set(2, forKey: "a")
        try suite.set(2, forKey: "b")
        suite.register(defaults: ["r": 2])
        #expect(snapshot.dictionaryRepresentation() == ["a": 1, "r": 1])
        #expect(snapshot.value(forKey: "a") == 1)
        #expect(suite.snapshot().dictionaryRepresentation() == ["a": 2, "b": 2, "r": 2])
    }

    @Test func `a snapshot taken in a transaction has its staged changes`() throws {
        try suite.set(1, forKey: "a")
        let snapshot = try suite.withTransaction { tx in
            tx[key: "b"] = 2
            tx.removeValue(forKey: "a")
            return suite.snapshot()
        }
        #expect(snapshot.dictionaryRepresentation() == ["b": 2])
    }

    @Test func `a snapshot outlives a rollback of what it saw`() throws {
        struct Change: Error {}
        var snapshot: DefaultsSnapshot?
        #expect(throws: Change.self) {
            try suite.withTransaction { tx in
                tx[key: "a"] = 1
                snapshot = suite.snapshot()
                throw Change()
            }
        }
        #expect(snapshot?.value(forKey: "a") == 1)
        #expect(suite.value(forKey: "a") == nil)
    }
}

@Suite(.ownThread) struct SnapshotConcurrencyTests {
    @Test func `a snapshot never shows half a transaction`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try withThreads(3) { number in
            for round in 1...40 {
                guard number == 0 else {
                    let snapshot = suite.snapshot()
                    #expect(snapshot.value(forKey: "a") == snapshot.value(forKey: "b"))
                    continue
                }
                try suite.withTransaction { tx in
                    tx[key: "a"] = DefaultsValue(round)
                    tx[key: "b"] = tx[key: "a"]
                }
            }
        }
        #expect(try suite.storedValues() == ["a": 40, "b": 40])
    }
}
