/// Typed keys by the writes for tasks.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsTesting

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct AsyncWritesTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let other = DefaultsSuite.inMemory()
    private let level: Defaults.Key<Int>
    private let tags: Defaults.Key<[String]>

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        level = Defaults.Key("level", default: 0, suite: suite, validation: .range(0...9))
        tags = Defaults.Key("tags", default: [], suite: suite)
    }

    @Test func `values are stored, changed and reset by a suite's calls and by those of the keys' own`()
        async throws
    {
        try await suite.async.set(level, to: 2)
        try await suite.async.set(tags, to: ["a"])
        let changed = try await suite.async.modify(level) { level in
            level += 1
            return level
        }
        #expect(changed == 3)
        try await Defaults.async.modify(tags) { $0.append("b") }
        #expect(Defaults[level] == 3)
        #expect(Defaults[tags] == ["a", "b"])
        try await Defaults.async.set(level, to: 4)
        #expect(try suite.storedValues() == ["level": 4, "tags": ["a", "b"]])
        try await suite.async.reset(level, tags)
        #expect(try suite.storedValues() == [:])
        try await other.async.set(level, to: 5)
        try await Defaults.async.set(level, to: 6)
        try await Defaults.async.reset(level)
        #expect(other[level] == 5)
        #expect(try suite.storedValues() == [:])
    }

    @Test func `what the validation refuses is thrown at once, although another writer has the lock`()
        async throws
    {
        try suite.set(level, to: 1)
        let (entered, goes, ended) = (TestSupport.Gate(), TestSupport.Gate(), TestSupport.Gate())
        Thread.detachNewThread { [suite] in
            let refused = refusal {
                try suite.withTransaction { _ in
                    entered.open()
                    goes.wait()
                }
            }
            #expect(refused == nil)
            ended.open()
        }
        #expect(await entered.wait())
        do {
            try await suite.async.set(level, to: 10)
            Issue.record("stored")
        } catch let error as DefaultsError {
            #expect(error.code == .invalidValue)
        }
        // A list is merged into what is stored then.
        let task = Task { [suite, tags] in try await suite.async.set(tags, to: ["c"]) }
        #expect(eventually { suite.context.hasWaitingTasks })
        goes.open()
        try await task.value
        #expect(await ended.wait())
        #expect(try suite.storedValues() == ["level": 1, "tags": ["c"]])
    }

    @Test func `a suite that stands in for another is written to, also after a wait`() async throws {
        try other.set(1, forKey: "there")
        let (entered, goes) = (TestSupport.Gate(), TestSupport.Gate())
        Thread.detachNewThread { [other] in
            let refused = refusal {
                try other.withTransaction { _ in
                    entered.open()
                    goes.wait()
                }
            }
            #expect(refused == nil)
        }
        #expect(await entered.wait())
        let tasks = Defaults.withSuite(suite, replacedBy: other) { [suite, level, tags] in
            [
                Task { try await suite.async.set(level, to: 2) },
                Task { try await Defaults.async.modify(tags) { $0.append("a") } },
                Task { try await suite.async.withTransaction { tx in tx[level] += suite[level] } },
            ]
        }
        #expect(eventually { other.context.waitingTasks == 2 })
        goes.open()
        for task in tasks { try await task.value }
        #expect(try suite.storedValues() == [:])
        let level = try #require(try other.storedValues()["level"]?.int)
        // The order of the three is that in which they came to the line.
        #expect(level == 2 || level == 4)
        #expect(try other.storedValues()["tags"] == ["a"])
    }

    @Test(.isolatedDefaults)
    func `an isolated test writes to its own standard suite`() async throws {
        let volume = Defaults.Key<Double>("volume", default: 0.5)
        try await Defaults.async.set(volume, to: 0.7)
        try await DefaultsSuite.standard.async.modify(volume) { $0 *= 2 }
        #expect(Defaults[volume] == 1.4)
    }
}
