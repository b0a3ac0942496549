/// Sources that tell more than values.
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread, .timeLimit(.minutes(60))) struct LiveSourceTests {
    /// A source that reports what a test tells it to.
    final class Reporter: LiveDefaultValueSource {
        let name = "fleet"
        private let present: Locked<AsyncStream<DefaultsLayerUpdate>.Continuation?> = Locked(nil)
        private let first: DefaultsLayerUpdate
        /// One element for each stream that was asked for, and for each that ended.
        let streams = Recorder<Int>()
        let ends = Recorder<Int>()

        init(_ first: DefaultsLayerUpdate) { self.first = first }

        func send(_ report: DefaultsLayerUpdate) { present.withLock { $0 }?.yield(report) }

        func finish() { present.withLock { $0 }?.finish() }

        func layerUpdates() -> AsyncStream<DefaultsLayerUpdate> {
            let (stream, continuation) = AsyncStream.makeStream(of: DefaultsLayerUpdate.self)
            continuation.onTermination = { [ends] _ in ends.append(1) }
            continuation.yield(first)
            present.withLock { $0 = continuation }
            streams.append(1)
            return stream
        }
    }

    private let suite = DefaultsSuite.inMemory()
    private let failures: FailureRecorder
    private let heard = Recorder<DefaultsValue?>()
    private let observation: DefaultsObservation

    init() {
        failures = FailureRecorder(suite)
        observation = suite.observe(forKey: "a", options: [.new]) { [heard] in heard.append($0.newValue) }
    }

    private func failed(_ reason: String) -> DefaultsError {
        DefaultsError(.sourceFailed, path: "shelf", underlyingDescription: reason)
    }

    @Test func `an age that is none becomes the nearest, and is printed`() async throws {
        let greatest = Duration.seconds(100_000 * 365 * 86_400)
        for (given, age) in [
            (Duration.seconds(1e19), greatest), (.seconds(-1), .zero), (.seconds(9), .seconds(9)),
        ] {
            var layer = DefaultsLayer(["a": 1], age: given)
            #expect(layer.age == age)
            layer.age = .seconds(1)
            layer.age = given
            #expect(layer.age == age)
        }
    }

    @Test func `values and locked values of a layer change in one step`() async throws {
        let source = Reporter(DefaultsLayerUpdate(layer: DefaultsLayer(["a": 1, "b": 1])))
        let pairs = Recorder<[DefaultsValue?]>()
        let both = suite.observeAll(options: []) { [suite] in
            pairs.append([suite.value(forKey: "a"), suite.value(forKey: "b")])
        }
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        source.send(DefaultsLayerUpdate(layer: DefaultsLayer(["a": 2], locked: ["b": 2])))
        #expect(await pairs.wait(for: 2))
        #expect(pairs.all == [[1, 1], [2, 2]])
        withExtendedLifetime((following, both)) {}
    }

    @Test func `a changed copy of a layer is heard by the changed key's observer once, and by no other`()
        async throws
    {
        var layer = DefaultsLayer(["a": 0, "gone": 0])
        for number in 0..<10_000 { layer.set(0, forKey: "k\(number)") }
        let source = Reporter(DefaultsLayerUpdate(layer: layer))
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        let others = Recorder<String>()
        let observations = (0..<10_000).map { number in
            suite.observe(forKey: "k\(number)", options: []) { [others] in others.append($0.key) }
        }
        for value in 1...3 {
            layer.set(DefaultsValue(integerLiteral: Int128(value)), forKey: "a")
            layer.setLocked(value == 2 ? true : nil, forKey: "gone")
            source.send(DefaultsLayerUpdate(layer: layer))
        }
        layer.set(1, forKey: "k7")
        layer.set(nil, forKey: "gone")
        source.send(DefaultsLayerUpdate(layer: layer))
        #expect(await others.wait(for: 1))
        #expect(heard.all == [0, 1, 2, 3])
        #expect(others.all == ["k7"])
        #expect(suite.value(forKey: "gone") == nil)
        for observation in observations { observation.invalidate() }
        withExtendedLifetime(following) {}
    }

    @Test func `a layer's values can be asked for and replaced as a whole, and changed one by one`() {
        var layer = DefaultsLayer(["a": 1], locked: ["l": 1])
        layer.set(2, forKey: "b")
        layer.set(nil, forKey: "a")
        layer.setLocked(2, forKey: "m")
        #expect(layer.values == ["b": 2])
        #expect(layer.locked == ["l": 1, "m": 2])
        layer.values["c"] = 3
        layer.locked = [:]
        #expect(layer == DefaultsLayer(["b": 2, "c": 3]))
    }

    @Test func `a value that no file could hold keeps the last layer, and is told until it is mended`() async
    {
        var layer = DefaultsLayer(["a": 1])
        let source = Reporter(DefaultsLayerUpdate(layer: layer))
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        layer.set(2, forKey: "a")
        layer.set(1, forKey: "")
        source.send(DefaultsLayerUpdate(layer: layer))
        layer.set(nil, forKey: "")
        source.send(DefaultsLayerUpdate(layer: layer))
        #expect(await heard.wait(for: 2))
        #expect(heard.all == [1, 2])
        #expect(await failures.recorder.wait(for: 2))
        #expect(
            failures.all.map(\.underlyingDescription) == [
                #""fleet": the key cannot be used: it is empty"#, Self.recovered,
            ])
        #expect(failures.codes == [.sourceFailed, .recovered])
        withExtendedLifetime(following) {}
    }

    @Test func `a locked value applies before a stored one and is refused to everybody`() async throws {
        try suite.set(9, forKey: "a")
        let layer = DefaultsLayer([:], locked: ["a": 1], location: "shelf, revision 3")
        try await suite.read(sources: Reporter(DefaultsLayerUpdate(layer: layer)))
        #expect(suite.value(forKey: "a") == 1)
        #expect(suite.domain(forKey: "a") == .managed)
        #expect(throws: DefaultsError(.locked, suite: "in memory", key: "a", path: "shelf, revision 3")) {
            try suite.set(2, forKey: "a")
        }
        #expect(throws: DefaultsError(.locked, suite: "in memory", key: "a", path: "shelf, revision 3")) {
            try suite.setTransient(2, forKey: "a")
        }
    }

    @Test func `an administrator's file applies before a source's locked value`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"a": 5}"#, to: "managed.json")
        try suite.setManagedFile(folder.path + "/managed.json")
        let layer = DefaultsLayer([:], locked: ["a": 1, "b": 1])
        try await suite.read(sources: Reporter(DefaultsLayerUpdate(layer: layer)))
        #expect(suite.dictionaryRepresentation() == ["a": 5, "b": 1])
        #expect(throws: DefaultsError(.locked, suite: "in memory", key: "b", path: "fleet")) {
            try suite.set(2, forKey: "b")
        }
    }

    @Test func `explain shows a layer's place and age, of the locked value too`() async throws {
        let layer = DefaultsLayer(
            ["a": 1], locked: ["a": 2], location: "shelf, revision 3, stale", age: .seconds(3_600))
        try await suite.read(sources: Reporter(DefaultsLayerUpdate(layer: layer)))
        // The age counts on, so that its last digits are a matter of how busy the machine is.
        let texts = suite.explain(forKey: "a").map {
            $0.description.replacing(/loaded 36\d\d s ago/, with: "loaded 36?? s ago")
        }
        #expect(
            texts == [
                "managed: 2 (source fleet at shelf, revision 3, stale, loaded 36?? s ago): applies",
                "registered: 1 (source fleet at shelf, revision 3, stale, loaded 36?? s ago): masked by source fleet",
            ])
    }

    @Test func `a lock that goes gives the stored value back`() async throws {
        try suite.set(9, forKey: "a")
        let source = Reporter(DefaultsLayerUpdate(layer: DefaultsLayer([:], locked: ["a": 1])))
        let following = suite.follow(source)
        #expect(await heard.wait(for: 2))
        source.send(DefaultsLayerUpdate(layer: DefaultsLayer([:])))
        #expect(await heard.wait(for: 3))
        #expect(heard.all == [9, 1, 9])
        try suite.set(2, forKey: "a")
        #expect(suite.value(forKey: "a") == 2)
        withExtendedLifetime(following) {}
    }

    @Test func `a failure that stays is told once, one that comes back again, and the layer stays`() async {
        let layer = DefaultsLayer(["a": 1])
        let source = Reporter(DefaultsLayerUpdate(layer: layer))
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        source.send(DefaultsLayerUpdate(failures: [failed("one")]))
        source.send(DefaultsLayerUpdate(failures: [failed("one"), failed("two")]))
        source.send(DefaultsLayerUpdate(layer: layer))
        source.send(DefaultsLayerUpdate(failures: [failed("one")]))
        source.send(DefaultsLayerUpdate(layer: DefaultsLayer(["a": 2])))
        #expect(await heard.wait(for: 2))
        #expect(await failures.recorder.wait(for: 5))
        #expect(
            failures.all.map(\.underlyingDescription) == [
                #""fleet": one"#, #""fleet": two"#, Self.recovered, #""fleet": one"#, Self.recovered,
            ])
        #expect(failures.all[0].recoverySuggestion == "Look at the source; its last good values stay.")
        #expect(heard.all == [1, 2])
        withExtendedLifetime(following) {}
    }

    @Test func `a failure that comes with the first layer promises no earlier values`() async {
        let source = Reporter(
            DefaultsLayerUpdate(layer: DefaultsLayer([:]), failures: [failed("no folder")]))
        let following = suite.follow(source)
        #expect(await failures.recorder.wait(for: 1))
        #expect(failures.all.map(\.recoverySuggestion) == [DefaultsError(.sourceFailed).recoverySuggestion])
        withExtendedLifetime(following) {}
    }

    @Test func `reading once takes the first layer and tells what is wrong beside it`() async throws {
        let source = Reporter(
            DefaultsLayerUpdate(layer: DefaultsLayer(["a": 1]), failures: [failed("b is no text")]))
        try await suite.read(sources: source)
        #expect(suite.value(forKey: "a") == 1)
        #expect(failures.all.map(\.underlyingDescription) == [#""fleet": b is no text"#])
    }

    @Test func `reading once throws the failure where there is no layer`() async {
        let error = await suite.readingError(
            Reporter(DefaultsLayerUpdate(failures: [failed("nobody answers")])))
        #expect(
            error
                == DefaultsError(
                    .sourceFailed, suite: "in memory", path: "shelf",
                    underlyingDescription: #""fleet": nobody answers"#))
    }

    @Test func `asked as any source, it answers with its first layer without the locked values`() async throws
    {
        let layer = DefaultsLayer(["a": 1], locked: ["b": 2])
        let values = try await Reporter(DefaultsLayerUpdate(layer: layer, failures: [failed("c is no text")]))
            .defaultValues()
        #expect(values == ["a": 1])
        let silent = Reporter(DefaultsLayerUpdate(failures: [failed("nobody answers"), failed("at all")]))
        let error = await #expect(throws: DefaultsError.self) { try await silent.defaultValues() }
        #expect(error == failed("nobody answers"))
    }

    @Test func `its changes are the values of its layers, each time they differ`() async throws {
        let source = Reporter(DefaultsLayerUpdate(layer: DefaultsLayer(["a": 1])))
        let changes = try #require(source.changes())
        var iterator = changes.makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first == ["a": 1])
        source.send(DefaultsLayerUpdate(layer: DefaultsLayer(["a": 1], locked: ["b": 1])))
        source.send(DefaultsLayerUpdate(failures: [failed("nobody answers")]))
        source.send(DefaultsLayerUpdate(layer: DefaultsLayer(["a": 2])))
        let second = try await iterator.next()
        #expect(second == ["a": 2])
        source.finish()
        let last = try await iterator.next()
        #expect(last == nil)
    }

    private static let recovered = #""fleet": it has answered, and nothing of it fails"#

    @Test func `a wait ends with the first layer, with a failure beside known values, or with its time`()
        async
    {
        let source = Reporter(DefaultsLayerUpdate(failures: [failed("one")]))
        let following = suite.follow(source)
        #expect(await !following.ready(within: .milliseconds(1)))
        #expect(await failures.recorder.wait(for: 1))
        #expect(failures.all[0].recoverySuggestion == "Look at the source.")
        async let isReady = following.ready(within: .seconds(120))
        source.send(DefaultsLayerUpdate(layer: DefaultsLayer(["a": 1])))
        #expect(await isReady)
        #expect(suite.value(forKey: "a") == 1)
        source.send(DefaultsLayerUpdate(failures: [failed("two")]))
        #expect(await following.ready(within: .seconds(120)))
        let waiting = Task { [suite] in
            await suite.follow(Reporter(DefaultsLayerUpdate())).ready(within: .seconds(1_000))
        }
        waiting.cancel()
        #expect(await !waiting.value)
    }

    @Test func `reports that end are reported and asked for again`() async {
        let source = Reporter(DefaultsLayerUpdate(layer: DefaultsLayer(["a": 1])))
        let following = suite.follow(source)
        #expect(await source.streams.wait(for: 1))
        source.finish()
        #expect(await source.streams.wait(for: 2))
        #expect(await failures.recorder.wait(for: 2))
        #expect(
            failures.all.map(\.underlyingDescription) == [
                #""fleet": its changes have ended"#, Self.recovered,
            ])
        following.invalidate()
        #expect(await source.ends.wait(for: 2))
    }
}
