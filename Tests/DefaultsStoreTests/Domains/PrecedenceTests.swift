/// Which domain answers, and who hears of it when one changes.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct PrecedenceTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    @Test(arguments: Domain.pairs)
    func `the higher of two domains answers`(_ pair: Domain.Pair) throws {
        // Locked keys cannot be set any more, so the lower one comes first.
        try pair.low.set(1, in: suite, folder)
        try pair.high.set(2, in: suite, folder)
        #expect(suite.value(forKey: "a") == 2)
        #expect(suite.domain(forKey: "a") == pair.high.domain)
        #expect(suite.dictionaryRepresentation() == ["a": 2])
        #expect(suite.snapshot().value(forKey: "a") == 2)
        #expect(
            try suite.storedValues()
                == (pair.low == .stored ? ["a": 1] : pair.high == .stored ? ["a": 2] : [:]))
    }

    @Test(arguments: Domain.pairs.filter { $0.high != .managed })
    func `a lower domain that changes leaves the higher one's value`(_ pair: Domain.Pair) throws {
        try pair.high.set(2, in: suite, folder)
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "a", options: []) { events.append($0) }
        try pair.low.set(1, in: suite, folder)
        #expect(suite.value(forKey: "a") == 2)
        #expect(events.all == [])
        observation.invalidate()
    }

    @Test(arguments: Domain.allCases)
    func `an observer hears a change of each domain with its cause`(_ domain: Domain) throws {
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "a", options: [.old, .new]) { events.append($0) }
        try domain.set(1, in: suite, folder)
        #expect(events.all.map(\.newValue) == [1])
        #expect(events.all.map(\.cause) == [domain.cause])
        observation.invalidate()
    }

    @Test(arguments: Domain.allCases)
    func `a transaction sees each domain and its own writes below the higher ones`(_ domain: Domain) throws {
        try domain.set(1, in: suite, folder)
        let seen = refusal {
            try suite.withTransaction { tx in
                #expect(tx[key: "a"] == 1)
                tx[key: "a"] = 2
                #expect(tx[key: "a"] == (domain > .stored ? 1 : 2))
            }
        }
        #expect(seen?.code == (domain == .managed ? .locked : nil))
    }

    @Test func `a snapshot keeps what every domain had at its moment`() throws {
        for domain in Domain.allCases.reversed() { try domain.set(1, in: suite, folder) }
        let snapshot = suite.snapshot()
        for domain in [Domain.arguments, .environment, .managed] { try domain.set(2, in: suite, folder) }
        #expect(snapshot.value(forKey: "a") == 1)
        #expect(suite.value(forKey: "a") == 2)
    }

    @Test func `reading through all domains makes no system call while nothing changes`() throws {
        // A checkpoint of its own time is a change, too, and so is a second look at a file that is young.
        try suite.holdCheckpoints()
        for domain in Domain.allCases.reversed() { try domain.set(1, in: suite, folder) }
        try suite.set(1, forKey: "b")
        try suite.checkpoint()
        try suite.awaitOld()
        try suite.context.startWatching()
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
        let plan = FaultInjection()
        FaultInjection.$current.withValue(plan) {
            for _ in 0..<1_000 { _ = (suite.value(forKey: "a"), suite.value(forKey: "b")) }
        }
        #expect(plan.calls == [])
    }
}

/// Domains that change on several threads at once; ThreadSanitizer runs these.
@Suite(.ownThread) struct DomainConcurrencyTests {
    @Test func `of domains changed on several threads none is lost, and observers end with the last values`()
        throws
    {
        let suite = DefaultsSuite.inMemory()
        let last = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "t", options: [.old, .new]) { last.append($0) }
        try withThreads(4) { number in
            for round in 1...50 {
                switch number {
                case 0: try suite.setTransient(DefaultsValue(round), forKey: "t")
                case 1: suite.addArguments(["--a\(round)", "\(round)"])
                case 2: suite.context.setLayer("l", values: ["l": DefaultsValue(round)], location: nil)
                default: suite.addEnvironment(prefix: "P_", in: ["P_E\(round)": "\(round)"])
                }
            }
        }
        #expect(suite.value(forKey: "t") == 50)
        #expect(suite.value(forKey: "l") == 50)
        #expect((1...50).allSatisfy { suite.value(forKey: "a\($0)") == DefaultsValue($0) })
        #expect((1...50).allSatisfy { suite.value(forKey: "e\($0)") == DefaultsValue($0) })
        #expect(last.wait { $0.last?.newValue == 50 })
        observation.invalidate()
    }
}
