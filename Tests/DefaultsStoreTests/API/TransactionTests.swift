/// Transactions: all or nothing.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct TransactionTests {
    struct Change: Error {}

    /// Where a suite lives; the promises are the same.
    enum Place: CaseIterable, Sendable { case file, memory }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func suite(_ place: Place) throws -> DefaultsSuite {
        let suite = place == .file ? try folder.suite() : .inMemory()
        try suite.set(1, forKey: "a")
        return suite
    }

    @Test(arguments: Place.allCases)
    func `a transaction commits its sets and removals and returns what its body does`(_ place: Place) throws {
        let suite = try suite(place)
        let result = try suite.withTransaction { tx in
            tx[key: "b"] = tx[key: "a"]
            tx.removeValue(forKey: "a")
            return "done"
        }
        #expect(result == "done")
        #expect(try suite.storedValues() == ["b": 1])
    }

    @Test(arguments: Place.allCases)
    func `a body that throws leaves nothing and its error comes out`(_ place: Place) throws {
        let suite = try suite(place)
        #expect(throws: Change.self) {
            try suite.withTransaction { tx in
                tx[key: "a"] = 2
                tx[key: "b"] = 2
                throw Change()
            }
        }
        #expect(try suite.storedValues() == ["a": 1])
    }

    @Test(arguments: Place.allCases)
    func `reads inside see the transaction's own writes, by every way of reading`(_ place: Place) throws {
        let suite = try suite(place)
        try suite.withTransaction { tx in
            tx[key: "a"] = 2
            tx[key: "b"] = 3
            #expect(tx[key: "a"] == 2)
            #expect(suite.value(forKey: "b") == 3)
            let both = try suite.storedValues()
            #expect(both == ["a": 2, "b": 3])
            tx.removeValue(forKey: "b")
            #expect(tx[key: "b"] == nil)
            let one = try suite.storedValues()
            #expect(one == ["a": 2])
        }
    }

    @Test(arguments: Place.allCases)
    func `a nested call that throws takes back its own changes alone`(_ place: Place) throws {
        let suite = try suite(place)
        try suite.withTransaction { tx in
            tx[key: "a"] = 2
            #expect(throws: Change.self) {
                try suite.withTransaction { inner in
                    inner[key: "a"] = 3
                    inner[key: "b"] = 3
                    throw Change()
                }
            }
            #expect(tx[key: "a"] == 2)
            tx[key: "c"] = 4
        }
        #expect(try suite.storedValues() == ["a": 2, "c": 4])
    }

    @Test func `a nested call that returns is undone by the outer one's throw`() throws {
        let suite = try suite(.memory)
        #expect(throws: Change.self) {
            try suite.withTransaction { _ in
                try suite.withTransaction { inner in inner[key: "b"] = 2 }
                try suite.set(3, forKey: "c")
                throw Change()
            }
        }
        #expect(try suite.storedValues() == ["a": 1])
    }

    @Test(arguments: [0, 65_537])
    func `a key that is refused fails the whole transaction`(length: Int) throws {
        let key = String(repeating: "k", count: length)
        let suite = try suite(.memory)
        let refused = refusal {
            try suite.withTransaction { tx in
                tx[key: "a"] = 2
                tx[key: key] = 2
                tx[key: "b"] = 2
            }
        }
        #expect(refused?.code == .invalidKey)
        #expect(try suite.storedValues() == ["a": 1])
    }

    @Test func `a value that is refused in a nested call fails that call, and the outer one goes on`() throws
    {
        let suite = try suite(.memory)
        try suite.withTransaction { tx in
            tx[key: "b"] = 2
            let refused = refusal { try suite.withTransaction { inner in inner[key: ""] = 1 } }
            #expect(refused?.code == .invalidKey)
        }
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
    }

    @Test func `a refusal in the outer call is not lost in a nested one`() throws {
        let suite = try suite(.memory)
        let refused = refusal {
            try suite.withTransaction { tx in
                tx[key: ""] = 1
                let inner = refusal { try suite.withTransaction { inner in inner[key: "b"] = 2 } }
                #expect(inner == nil)
            }
        }
        #expect(refused?.code == .invalidKey)
        #expect(try suite.storedValues() == ["a": 1])
    }

    @Test func `observers hear a transaction once for each key, after it, and nothing of a rollback`() throws
    {
        let suite = try suite(.memory)
        let events = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { events.append($0.newValue) }
        try suite.withTransaction { tx in
            tx[key: "a"] = 2
            tx[key: "a"] = 3
            #expect(events.all.isEmpty)
        }
        _ = refusal { try suite.withTransaction { tx in (tx[key: "a"], tx[key: ""]) = (4, 4) } }
        #expect(events.all == [3])
        observation.invalidate()
    }

    @Test func `a transaction that ends where it began writes nothing`() throws {
        let suite = try suite(.file)
        let before = try folder.bytes()
        let plan = FaultInjection()
        try FaultInjection.$current.withValue(plan) {
            try suite.withTransaction { tx in
                tx[key: "a"] = 2
                tx[key: "a"] = 1
            }
        }
        #expect(!plan.calls.contains("pwrite"))
        #expect(try folder.bytes() == before)
    }

    @Test func `removeAll inside a transaction takes what was staged too`() throws {
        let suite = try suite(.memory)
        try suite.withTransaction { tx in
            tx[key: "b"] = 2
            try suite.removeAll()
            tx[key: "c"] = 3
        }
        #expect(try suite.storedValues() == ["c": 3])
    }

    @Test func `a checkpoint inside a transaction of its own is refused at once, and says why`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.withTransaction { transaction in
            transaction[key: "a"] = 1
            let error = refusal { try suite.checkpoint() }
            #expect(error?.code == .lockTimeout)
            #expect(error?.description.contains("inside a transaction") == true)
        }
        try suite.checkpoint()
        #expect(try folder.read("settings/settings.json").contains(#""a": 1"#))
    }
}
