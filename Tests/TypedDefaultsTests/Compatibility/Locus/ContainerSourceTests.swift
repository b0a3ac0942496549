/// Default values from sources, as a container's user sees them.
import DefaultsStore
import TestSupport
import Testing
@testable import TypedDefaults
@testable import TypedDefaultsCompatibility

@Suite(.ownThread, .timeLimit(.minutes(60))) struct ContainerSourceTests {
    private let suite = DefaultsSuite.inMemory()
    private let container: SettingsContainer
    private let low = ScriptedSource("low", ["url": "http://low", "retries": 1])
    private let high = ScriptedSource("high", ["url": "http://high"])

    init() {
        container = SettingsContainer(suite: suite)
        container.register {
            userDefault("url")
            readonly("retries", default: .local(5))
        }
    }

    @Test func `sources are read in their order, and each value of the last one applies`() async throws {
        try await container.read(sources: low, high)
        #expect(try container.value("url", as: String.self) == "http://high")
        #expect(try container.value("retries", as: Int.self) == 1)
    }

    @Test func `the callback form reads too, with what one source has thrown, or the names of several`() async
    {
        let outcomes = Recorder<(any Error)?>()
        high.fail()
        container.read(sources: low, high) { outcomes.append($0) }
        #expect(await outcomes.wait(for: 1))
        #expect(outcomes.all[0] is ScriptedSource.Broken)
        #expect(container["url"] as String == "http://low")
        low.fail()
        container.read(sources: low, high) { outcomes.append($0) }
        #expect(await outcomes.wait(for: 2))
        let both = outcomes.all[1] as? DefaultsError
        #expect(both?.underlyingDescription == "\"low\": it is broken; \"high\": it is broken")
    }

    @Test func `a source that no longer has a value leaves the local default`() async throws {
        try await container.read(sources: low)
        low.answer([:])
        try await container.read(sources: low)
        #expect(try container.value("retries", as: Int.self) == 5)
    }

    @Test func `a stored value hides a source's`() async throws {
        try container.set("url", to: "http://mine")
        try await container.read(sources: low)
        #expect(try container.value("url", as: String.self) == "http://mine")
    }

    @Test func `the updates are the defaults that changed, in order, hidden ones and gone ones included`()
        async throws
    {
        try container.set("url", to: "http://mine")
        let updates = container.defaultValueUpdates
        try await container.read(sources: low)
        low.answer(["retries": 5, "unknown": 1])
        try await container.read(sources: low)
        suite.register(defaults: ["url": "http://end"])

        var heard: [String] = []
        for await (key, value) in updates {
            heard.append("\(key) \(value)")
            if value == "http://end" { break }
        }
        let expected: [[(String, DefaultsValue)]] = [
            [("url", "http://low"), ("retries", 1)], [("url", .null), ("retries", 5)],
            [("url", "http://end")],
        ]
        // The keys of one layer have no order among themselves.
        #expect(Set(heard[..<2]) == Set(expected[0].map { "\($0) \($1)" }))
        #expect(Set(heard[2..<4]) == Set(expected[1].map { "\($0) \($1)" }))
        #expect(Array(heard[4...]) == expected[2].map { "\($0) \($1)" })
    }

    @Test func `setting a value and a source that says the same as before are no updates`() async throws {
        let updates = container.defaultValueUpdates
        try container.set("url", to: "http://mine")
        try await container.read(sources: ScriptedSource("same", ["retries": 5]))
        try await container.read(sources: high)
        var iterator = updates.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.key == "url")
        #expect(first?.value == "http://high")
    }

    @Test func `a setting that is registered while somebody listens is told of too`() async throws {
        let updates = container.defaultValueUpdates
        container.register { readonly("late") }
        suite.register(defaults: ["late": 1])
        var iterator = updates.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.key == "late")
        #expect(first?.value == 1)
    }

    @Test func `a stream ends when its consumer is cancelled, and leaves no observer behind`() async {
        let (updates, heard) = (container.defaultValueUpdates, Recorder<String>())
        let task = Task.detached {
            for await (key, _) in updates { heard.append(key) }
        }
        suite.register(defaults: ["retries": 3])
        #expect(await heard.wait(for: 1))
        task.cancel()
        await task.value
        #expect(heard.all == ["retries"])
        #expect(container.state.withLock { $0.feeds.isEmpty })
    }

    @Test func `a stream that nobody holds any more leaves no observer behind`() async {
        weak var gone: SettingsContainer?
        do {
            let container = SettingsContainer(suite: suite)
            container.register { readonly("a") }
            gone = container
            _ = container.defaultValueUpdates
            #expect(container.state.withLock { $0.feeds.isEmpty })
        }
        #expect(gone == nil)
    }
}
