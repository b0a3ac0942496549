import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

/// Bodies that say which type of error they throw, which Swift 6.3 compiles only where the verb takes that type.
@Suite(.ownThread) struct TypedThrowTests {
    private let suite: DefaultsSuite
    private let size: Defaults.Key<Int>
    private let refusal = DefaultsError(.invalidValue)

    init() {
        suite = .inMemory()
        size = Defaults.Key("size", default: 1, suite: suite)
    }

    private func refuse(_ isUnwanted: Bool = true) throws(DefaultsError) {
        if isUnwanted { throw refusal }
    }

    @Test func `a transaction takes a body of any type of error, or of none`() throws {
        try suite.withTransaction { tx throws(DefaultsError) in tx[size] = 2 }
        try suite.withTransaction { (tx: inout DefaultsTransaction) throws(DefaultsError) -> Void in
            tx[size] += 1
            try refuse(tx[size] == 0)
        }
        let sum = try suite.withTransaction { tx throws(DefaultsError) -> Int in
            try refuse(tx[size] == 0)
            return tx[size] + 1
        }
        func doubled(_ tx: inout DefaultsTransaction) throws(DefaultsError) { tx[size] *= 2 }
        try suite.withTransaction(doubled)
        let any: (inout DefaultsTransaction) throws -> Int = { tx in tx[size] }
        #expect(try [sum, suite.withTransaction(any), suite.withTransaction { $0[size] }] == [4, 6, 6])
        #expect(throws: refusal) {
            try suite.withTransaction { tx throws(DefaultsError) in
                tx[size] = 9
                try refuse()
            }
        }
        #expect(throws: ChangeOfMind()) {
            try suite.withTransaction { tx throws(ChangeOfMind) in
                tx[size] = 9
                throw ChangeOfMind()
            }
        }
        try #expect(suite.storedValues() == ["size": 6])
    }

    @Test func `modify takes a body of any type of error, and throws no other`() throws {
        try suite.modify(size) { size throws(DefaultsError) in size += 1 }
        try #expect(suite.modify(size) { size throws(DefaultsError) in size + 1 } == 3)
        Defaults.modify(size) { size in size += 1 }
        Defaults.modify(size) { size throws(Never) in size += 1 }
        do throws(ChangeOfMind) {
            try Defaults.modify(size) { size throws(ChangeOfMind) in
                size = 9
                throw ChangeOfMind()
            }
            Issue.record("it threw nothing")
        } catch {
            #expect(error == ChangeOfMind())
        }
        #expect(throws: refusal) {
            try suite.modify(size) { size throws(DefaultsError) in
                size = 9
                try refuse()
            }
        }
        try #expect(suite.storedValues() == ["size": 4])
    }

    @Test func `a quiet body's error keeps its type, and the writes are heard again`() async throws {
        let heard = Recorder<Int>()
        let observation = Defaults.observe(size, options: []) { heard.append($0.newValue) }
        do throws(DefaultsError) {
            try Defaults.withoutPropagation { () throws(DefaultsError) in
                try suite.set(size, to: 2)
                try refuse()
            }
            Issue.record("it threw nothing")
        } catch {
            #expect(error == refusal)
        }
        do throws(DefaultsError) {
            try await Defaults.withoutPropagation { () async throws(DefaultsError) in
                await Task.yield()
                try suite.set(size, to: 3)
                try refuse()
            }
            Issue.record("it threw nothing")
        } catch {
            #expect(error == refusal)
        }
        let quiet = await Defaults.withoutPropagation {
            await Task.yield()
            Defaults[size] = 4
            return Defaults[size]
        }
        Defaults[size] = quiet + 1
        #expect(heard.all == [5])
        observation.invalidate()
    }

    @Test func `a caller's own verb may pass on what its body throws`() throws {
        func quietly<Result>(_ body: () throws -> Result) rethrows -> Result {
            try Defaults.withoutPropagation(body)
        }
        func changing<Result>(_ body: (inout Int) throws -> Result) rethrows -> Result {
            try Defaults.modify(size) { try body(&$0) }
        }
        #expect(quietly { changing { $0 + 1 } } == 2)
        #expect(throws: ChangeOfMind()) { try quietly { try changing { _ in throw ChangeOfMind() } } }
    }
}
