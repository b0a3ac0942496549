/// Transactions of several threads: one at a time, and no update lost.
import DefaultsStore
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct TransactionConcurrencyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `no two transactions of one suite are open at the same time`() throws {
        let suite = try folder.suite()
        let inside = Atomic<Int>(0)
        try withThreads(4) { _ in
            for _ in 0..<10 {
                try suite.withTransaction { tx in
                    #expect(inside.add(1, ordering: .sequentiallyConsistent).newValue == 1)
                    tx[key: "n"] = DefaultsValue((tx[key: "n"]?.int ?? 0) + 1)
                    #expect(inside.subtract(1, ordering: .sequentiallyConsistent).newValue == 0)
                }
            }
        }
        #expect(suite.integer(forKey: "n") == 40)
    }

    @Test func `writes of different keys from several threads are all kept`() throws {
        let suite = try folder.suite()
        try withThreads(4) { number in
            for round in 0..<10 { try suite.set(DefaultsValue(round), forKey: "\(number).\(round)") }
        }
        let expected = (0..<4).flatMap { number in (0..<10).map { ("\(number).\($0)", DefaultsValue($0)) } }
        #expect(try suite.storedValues() == Dictionary(uniqueKeysWithValues: expected))
    }

    @Test func `another thread neither joins an open transaction nor sees what it has staged`() throws {
        // transaction          | reader
        // stages a = 2         |
        // waits                | reads a: 1
        // commits              | reads a: 2
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        let (staged, seen, committed) = (TestSupport.Gate(), TestSupport.Gate(), TestSupport.Gate())
        let values = Recorder<DefaultsValue?>()
        try withThreads(2) { number in
            if number == 0 {
                try suite.withTransaction { tx in
                    tx[key: "a"] = 2
                    staged.open()
                    #expect(seen.wait())
                }
                committed.open()
            } else {
                #expect(staged.wait())
                values.append(suite.value(forKey: "a"))
                seen.open()
                #expect(committed.wait())
                values.append(suite.value(forKey: "a"))
            }
        }
        #expect(values.all == [1, 2])
    }

    @Test func `a writer waits for an open transaction and builds on it`() throws {
        let suite = try folder.suite()
        let (open, going) = (TestSupport.Gate(), TestSupport.Gate())
        try withThreads(2) { number in
            if number == 0 {
                try suite.withTransaction { tx in
                    open.open()
                    #expect(going.wait())
                    tx[key: "a"] = 1
                }
            } else {
                #expect(open.wait())
                going.open()
                try suite.withTransaction { tx in tx[key: "b"] = tx[key: "a"] }
            }
        }
        #expect(try suite.storedValues() == ["a": 1, "b": 1])
    }
}
