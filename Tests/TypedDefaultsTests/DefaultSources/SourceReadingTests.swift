/// `read(sources:)`.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread, .timeLimit(.minutes(60))) struct SourceReadingTests {
    private let suite = DefaultsSuite.inMemory()
    private let low = ScriptedSource("low", ["a": 1, "b": 1])
    private let high = ScriptedSource("high", ["b": 2, "c": 2])

    @Test func `the source read last answers first, below what is stored and above what is registered`()
        async throws
    {
        suite.register(defaults: ["a": 0, "b": 0, "c": 0, "d": 0])
        try suite.set(3, forKey: "c")
        try await suite.read(sources: low, high)
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2, "c": 3, "d": 0])
    }

    @Test func `a layer is replaced as a whole`() async throws {
        try await suite.read(sources: low)
        low.answer(["b": 5])
        try await suite.read(sources: low)
        #expect(suite.dictionaryRepresentation() == ["b": 5])
    }

    /// Answers each question when a test says so.
    private final class Withheld: DefaultValueSource {
        let name = "withheld"
        let questions = Recorder<CheckedContinuation<[String: DefaultsValue], Never>>()

        func defaultValues() async -> [String: DefaultsValue] {
            await withCheckedContinuation { questions.append($0) }
        }
    }

    @Test func `of two readings that overlap the answer to the later question stays`() async throws {
        let source = Withheld()
        let suite = suite
        let older = Task { try await suite.read(sources: source) }
        #expect(await source.questions.wait(for: 1))
        let newer = Task { try await suite.read(sources: source) }
        #expect(await source.questions.wait(for: 2))
        source.questions.all[1].resume(returning: ["a": 2])
        try await newer.value
        source.questions.all[0].resume(returning: ["a": 1, "old": 1])
        try await older.value
        #expect(suite.dictionaryRepresentation() == ["a": 2])
    }

    @Test func `a source of the same name in a later reading takes the layer`() async throws {
        try await suite.read(sources: low)
        try await suite.read(sources: ScriptedSource("low", ["z": 9]))
        #expect(suite.dictionaryRepresentation() == ["z": 9])
    }

    @Test func `of two sources of one name in a reading the second is refused, not put in the first's place`()
        async
    {
        let error = await suite.readingError(
            DictionaryDefaultValueSource(["a": 1]), DictionaryDefaultValueSource(["b": 2]), high)
        #expect(
            error
                == DefaultsError(
                    .sourceFailed, suite: "in memory",
                    underlyingDescription:
                        #""dictionary": another source of this reading has the same name; "#
                        + "give one of them another name"))
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2, "c": 2])
    }

    @Test func `a source that is refused for its name is not asked`() async {
        let twin = ScriptedSource("low", ["z": 9])
        #expect(await suite.readingError(low, twin)?.code == .sourceFailed)
        #expect(twin.readings.all == [])
    }

    @Test func `sources of one kind are told apart by the names they are given`() async throws {
        try await suite.read(
            sources: DictionaryDefaultValueSource(["a": 1], name: "one"),
            DictionaryDefaultValueSource(["b": 2], name: "two"))
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2])
    }

    @Test func `all sources are read although some fail, and the error names each of these`() async throws {
        let broken = ScriptedSource("broken", [:])
        let damaged = JSONDefaultValueSource(name: "damaged", text: { Array("{\n  1}".utf8) })
        broken.fail()
        let error = await suite.readingError(low, broken, damaged, high)
        #expect(
            error
                == DefaultsError(
                    .sourceFailed, suite: "in memory",
                    underlyingDescription:
                        #""broken": it is broken; "damaged": expected a key in double quotes"#
                        + " at damaged:2:3"))
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2, "c": 2])
    }

    @Test func `one that fails alone is named with its place`() async {
        let damaged = JSONDefaultValueSource(name: "damaged", text: { Array("{\n  1}".utf8) })
        #expect(
            await suite.readingError(damaged)
                == DefaultsError(
                    .sourceFailed, suite: "in memory", path: "damaged", line: 2, column: 3,
                    underlyingDescription: #""damaged": expected a key in double quotes"#))
    }

    @Test func `a source that fails keeps its last good layer`() async throws {
        try await suite.read(sources: low)
        low.fail()
        #expect(await suite.readingError(low)?.code == .sourceFailed)
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 1])
    }

    static let unfit: [(Abridged<String>, DefaultsValue)] = [
        (Abridged(""), 1), (Abridged(String(repeating: "k", count: 65_537)), 1),
        (Abridged("deep"), (0..<129).reduce(DefaultsValue.null) { value, _ in .array([value]) }),
    ]

    @Test(arguments: unfit)
    func `a layer with a name or value that no file could hold is refused whole`(
        name: Abridged<String>, value: DefaultsValue
    ) async {
        let error = await suite.readingError(ScriptedSource("odd", ["a": 1, name.content: value]))
        #expect(error?.code == .sourceFailed)
        #expect(error?.underlyingDescription?.hasPrefix(#""odd": "#) == true)
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test func `a name of 65,536 bytes and a value of 128 levels are taken`() async throws {
        let name = String(repeating: "k", count: 65_536)
        let deep = (0..<128).reduce(DefaultsValue.null) { value, _ in .array([value]) }
        try await suite.read(sources: ScriptedSource("odd", [name: deep]))
        #expect(suite.dictionaryRepresentation() == [name: deep])
    }

    @Test func `observers hear of the keys whose effective value changed, with the source's name`()
        async throws
    {
        try suite.set(7, forKey: "b")
        let heard = Recorder<DefaultsChange>()
        let observations = ["a", "b", "z"].map { key in
            suite.observe(forKey: key, options: [.old, .new]) { heard.append($0) }
        }
        try await suite.read(sources: low, high)
        low.answer(["a": 1])
        try await suite.read(sources: low)
        low.answer([:])
        try await suite.read(sources: low)
        #expect(heard.all.map(\.key) == ["a", "a"])
        #expect(heard.all.map(\.oldValue) == [nil, 1])
        #expect(heard.all.map(\.newValue) == [1, nil])
        #expect(Set(heard.all.map(\.cause)) == [.defaultsChanged("low")])
        observations.forEach { $0.invalidate() }
    }

    @Test func `a typed key's observer hears too, and its cached value is not kept`() async throws {
        let key = Defaults.Key<Int>("a", default: 0, suite: suite)
        #expect(Defaults[key] == 0)
        let heard = Recorder<Int>()
        let observation = Defaults.observe(key, options: []) { heard.append($0.newValue) }
        try await suite.read(sources: low)
        #expect(Defaults[key] == 1)
        #expect(heard.all == [1])
        observation.invalidate()
    }

    @Test func `sources are read one after the other in the order given`() async throws {
        let order = Recorder<String>()
        let sources = ["a", "b", "c"].map { name in
            JSONDefaultValueSource(
                name: name,
                text: {
                    order.append("begin \(name)")
                    await Task.yield()
                    order.append("end \(name)")
                    return Array("{}".utf8)
                })
        }
        try await suite.read(sources: sources)
        #expect(order.all == ["begin a", "end a", "begin b", "end b", "begin c", "end c"])
    }

    @MainActor @Test func `nothing runs on the caller's thread`() async throws {
        let source = JSONDefaultValueSource(
            name: "thread", text: { Array("{\"isMain\": \(isOnMainThread())}".utf8) })
        try await suite.read(sources: source)
        #expect(suite.value(forKey: "isMain") == false)
    }

    @MainActor @Test
    func `the callback form returns at once and calls back once, on no thread of the caller's`() {
        let outcomes = Recorder<DefaultsError?>()
        let gate = Gate()
        let source = JSONDefaultValueSource(
            name: "slow",
            text: {
                await gate.wait()
                return Array("{\"a\": 1}".utf8)
            })
        suite.read(sources: source, high) { outcomes.append($0) }
        #expect(outcomes.all == [])
        gate.open()
        #expect(outcomes.wait(for: 1))
        #expect(outcomes.all == [nil])
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2, "c": 2])
    }

    @Test func `the callback form gives the error`() {
        let outcomes = Recorder<DefaultsError?>()
        low.fail()
        suite.read(sources: low, high) { outcomes.append($0) }
        #expect(outcomes.wait(for: 1))
        #expect(outcomes.all.map { $0?.code } == [.sourceFailed])
        #expect(suite.dictionaryRepresentation() == ["b": 2, "c": 2])
    }

    @Test func `a cancelled reading asks no further source and says so`() async {
        let gate = Gate()
        let began = Gate()
        let slow = JSONDefaultValueSource(
            name: "slow",
            text: {
                began.open()
                // What is cancelled first is the task that waits for this one.
                _ = await withTaskCancellationHandler {
                    await gate.wait()
                } onCancel: {
                    gate.open()
                }
                return Array("{\"a\": 1}".utf8)
            })
        let reading = Task { [suite, high] in await suite.readingError(slow, high) }
        await began.wait()
        reading.cancel()
        #expect(
            await reading.value
                == DefaultsError(
                    .sourceFailed, suite: "in memory",
                    underlyingDescription: #""high": the reading was cancelled"#))
        #expect(high.readings.all == [])
    }
}

private func isOnMainThread() -> Bool { Thread.isMainThread }
