/// `follow(_:keepingLastKnown:)`.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread, .timeLimit(.minutes(60))) struct LastKnownLayerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A program that begins.
    private final class Start {
        let suite: DefaultsSuite
        let failures: FailureRecorder
        let heard = Recorder<DefaultsValue?>()
        private let observation: DefaultsObservation

        init(_ folder: TemporaryFolder) throws {
            suite = try folder.suite()
            failures = FailureRecorder(suite)
            observation = suite.observe(forKey: "a", options: [.new]) { [heard] in heard.append($0.newValue) }
        }

        func follow(_ source: ScriptedSource) -> DefaultValueSourceSubscription {
            suite.follow(source, keepingLastKnown: true)
        }
    }

    private var path: String {
        get throws {
            let known = folder.path + "/settings/.settings.json.known"
            let names = try FileManager.default.contentsOfDirectory(atPath: known)
            return known + "/" + (try #require(names.first { !$0.hasPrefix(".") }))
        }
    }

    /// What the file has for `a`; nil also while it cannot be used.
    private func kept(_ suite: DefaultsSuite, of source: String = "live") -> DefaultsValue? {
        do { return try suite.context.knownLayer(of: source)?.values[KeyName("a")]?.value } catch {
            return nil
        }
    }

    /// Runs a program that gets a layer with a value for `a`, and ends, with all it had in memory, when it is on disk.
    private func keep(_ source: some DefaultValueSource, _ value: DefaultsValue) throws {
        weak var context: SuiteContext?
        do {
            let start = try Start(folder)
            context = start.suite.context
            let following = start.suite.follow(source, keepingLastKnown: true)
            #expect(eventually { kept(start.suite, of: source.name) == value })
            #expect(start.failures.all == [])
            following.invalidate()
        }
        #expect(eventually { context == nil })
    }

    private func keep(_ values: [String: DefaultsValue]) throws {
        try keep(ScriptedSource("live", values), try #require(values["a"]))
    }

    /// A source that does not answer.
    private func hanging() -> ScriptedSource {
        let source = ScriptedSource("live", ["a": 2], hasChanges: true)
        source.hang()
        return source
    }

    /// Has a source that did not answer supply a layer.
    private func answer(_ source: ScriptedSource, _ values: [String: DefaultsValue]) async {
        #expect(await source.streams.wait(for: 1))
        source.send(values)
    }

    @Test func `the next start has the layer when follow returns, until the source answers, in one step`()
        async throws
    {
        try keep(["a": 1, "b": 1])
        let start = try Start(folder)
        let source = hanging()
        let following = start.follow(source)
        #expect(start.suite.dictionaryRepresentation() == ["a": 1, "b": 1])
        #expect(start.heard.all == [1])
        await answer(source, ["a": 2])
        #expect(await start.heard.wait(for: 2))
        #expect(start.heard.all == [1, 2])
        #expect(start.suite.dictionaryRepresentation() == ["a": 2])
        #expect(start.failures.all == [])
        withExtendedLifetime(following) {}
    }

    @Test func `explain says that it is the last known layer and how old it is, and no more after an answer`()
        async throws
    {
        try keep(["a": 1])
        let start = try Start(folder)
        let source = hanging()
        let following = start.follow(source)
        let line = try #require(start.suite.explain(forKey: "a").first)
        guard case .lastKnown("live", nil, let age) = line.location else { throw Other(line: "\(line)") }
        #expect(age < .seconds(600))
        #expect(line.description.hasPrefix("registered: 1 (source live, last known, "))
        #expect(line.description.hasSuffix(" old): applies"))
        await answer(source, ["a": 2])
        #expect(await start.heard.wait(for: 2))
        let next = try #require(start.suite.explain(forKey: "a").first)
        guard case .source("live", nil, _) = next.location else { throw Other(line: "\(next)") }
        withExtendedLifetime(following) {}
    }

    /// Another explanation than was to be given.
    private struct Other: Error {
        let line: String
    }

    @Test func `while the source fails the layer stays, and the failure is told once`() async throws {
        try keep(["a": 1])
        let start = try Start(folder)
        let source = ScriptedSource("live", [:])
        source.fail()
        let following = start.follow(source)
        #expect(await source.readings.wait(for: 3))
        #expect(start.suite.value(forKey: "a") == 1)
        #expect(start.failures.all.map(\.underlyingDescription) == [#""live": it is broken"#])
        withExtendedLifetime(following) {}
    }

    @Test func `a damaged file is told with its path, does no harm, and the next answer replaces it`()
        async throws
    {
        try keep(["a": 1])
        let path = try path
        try Data("TDK1 of somebody's own".utf8).write(to: URL(filePath: path))
        let start = try Start(folder)
        let source = hanging()
        let following = start.follow(source)
        #expect(start.suite.value(forKey: "a") == nil)
        #expect(await start.failures.recorder.wait(for: 1))
        let reason =
            #""live": the last known layer is not used, and the next answer replaces it: "#
            + "the file cannot be read as JSON: it is not as it was written"
        #expect(
            start.failures.all == [
                DefaultsError(
                    .sourceFailed, suite: "settings", path: path, underlyingDescription: reason)
            ])
        await answer(source, ["a": 3])
        #expect(eventually { kept(start.suite) == 3 })
        withExtendedLifetime(following) {}
    }

    @Test func `a link in the file's place is told, and replaced without being followed`() async throws {
        try keep(["a": 1])
        let path = try path
        let target = folder.path + "/target"
        try FileManager.default.moveItem(atPath: path, toPath: target)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let before = try Data(contentsOf: URL(filePath: target))
        let start = try Start(folder)
        let source = hanging()
        let following = start.follow(source)
        #expect(await start.failures.recorder.wait(for: 1))
        #expect(start.failures.codes == [.sourceFailed])
        #expect(start.suite.value(forKey: "a") == nil)
        await answer(source, ["a": 3])
        #expect(eventually { kept(start.suite) == 3 })
        #expect(try Data(contentsOf: URL(filePath: target)) == before)
        withExtendedLifetime(following) {}
    }

    @Test func `what cannot be written is told once, and values go on`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/settings", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try folder.write("in the way", to: "settings/.settings.json.known")
        let start = try Start(folder)
        let source = ScriptedSource("live", ["a": 1], hasChanges: true)
        let following = start.follow(source)
        #expect(await start.failures.recorder.wait { $0.count == 2 })
        #expect(start.failures.codes == [.sourceFailed, .sourceFailed])
        #expect(start.failures.all.last?.underlyingDescription?.contains("cannot be kept") == true)
        source.send(["a": 2])
        #expect(await start.heard.wait { $0.last == 2 })
        withExtendedLifetime(following) {}
    }

    @Test func `of many layers the last is kept, also where the following has ended meanwhile`() async throws
    {
        let start = try Start(folder)
        let source = ScriptedSource("live", ["a": 0], hasChanges: true)
        let following = start.follow(source)
        #expect(await start.heard.wait(for: 1))
        for number in 1...500 { source.send(["a": .number(DefaultsNumber(number))]) }
        #expect(await start.heard.wait { $0.last == 500 })
        following.invalidate()
        #expect(eventually { kept(start.suite) == 500 })
        #expect(start.failures.all == [])
    }

    @Test func `a source that has answered in this process is not taken back to what was kept`() async throws
    {
        try keep(["a": 1])
        let start = try Start(folder)
        try await start.suite.read(sources: ScriptedSource("live", ["a": 9]))
        let source = hanging()
        let following = start.follow(source)
        #expect(start.suite.value(forKey: "a") == 9)
        #expect(start.heard.all == [9])
        withExtendedLifetime(following) {}
    }

    @Test func `the answer keeps the place that the kept layer had among the others`() async throws {
        try keep(["a": 1, "b": 1])
        let start = try Start(folder)
        let source = hanging()
        let following = start.follow(source)
        try await start.suite.read(sources: ScriptedSource("above", ["b": 9]))
        await answer(source, ["a": 2, "b": 2])
        #expect(await start.heard.wait { $0.last == 2 })
        #expect(start.suite.value(forKey: "b") == 9)
        withExtendedLifetime(following) {}
    }

    @Test func `locked values, place and age of a report come back`() async throws {
        let layer = DefaultsLayer(["a": 1], locked: ["l": 1], location: "shelf 3", age: .seconds(7_300))
        try keep(LiveSourceTests.Reporter(DefaultsLayerUpdate(layer: layer)), 1)
        let start = try Start(folder)
        let silent = LiveSourceTests.Reporter(DefaultsLayerUpdate())
        let following = start.suite.follow(silent, keepingLastKnown: true)
        #expect(start.suite.domain(forKey: "l") == .managed)
        #expect(throws: DefaultsError.self) { try start.suite.set(2, forKey: "l") }
        #expect(
            start.suite.explain(forKey: "a").first?.description
                == "registered: 1 (source fleet at shelf 3, last known, 2 h old): applies")
        withExtendedLifetime(following) {}
    }

    @Test func `sources of other names, and those that are not to be kept, have no file`() async throws {
        try keep(["a": 1])
        let start = try Start(folder)
        let other = ScriptedSource("other", ["a": 5])
        let plain = start.suite.follow(ScriptedSource("plain", ["c": 1]))
        let following = start.suite.follow(other, keepingLastKnown: true)
        #expect(eventually { kept(start.suite, of: "other") == 5 })
        #expect(try start.suite.context.knownLayer(of: "plain") == nil)
        #expect(kept(start.suite) == 1)
        withExtendedLifetime((plain, following)) {}
    }

    @Test func `in memory nothing is kept, and all else is as without`() async throws {
        let suite = DefaultsSuite.inMemory()
        let heard = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { heard.append($0.newValue) }
        let following = suite.follow(ScriptedSource("live", ["a": 1]), keepingLastKnown: true)
        #expect(await heard.wait(for: 1))
        #expect(suite.context.pathOfKnownLayer(of: "live") == nil)
        withExtendedLifetime((observation, following)) {}
    }

    /// What any file below the suite's folder has of some texts.
    private func written(_ texts: [String]) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let files = try names.map { folder.path + "/" + $0 }
            .filter {
                try FileManager.default.attributesOfItem(atPath: $0)[.type] as? FileAttributeType
                    == .typeRegular
            }
            .map { try Data(contentsOf: URL(filePath: $0)) }
        #expect(!files.isEmpty)
        return texts.filter { text in files.contains { $0.range(of: Data(text.utf8)) != nil } }
    }

    private func secret(_ value: DefaultsValue) -> DefaultsLayerUpdate {
        var layer = DefaultsLayer(["a": value], locked: ["l": "hunter3"])
        layer.isSecret = true
        return DefaultsLayerUpdate(layer: layer)
    }

    @Test func `secrets of a source are never on disk, nor those that it locks (F23)`() throws {
        weak var context: SuiteContext?
        do {
            let start = try Start(folder)
            context = start.suite.context
            // So that there are files.
            try start.suite.set("plain", forKey: "own")
            let source = LiveSourceTests.Reporter(secret("hunter1"))
            let following = start.suite.follow(source, keepingLastKnown: true)
            #expect(start.heard.wait { $0.last == "hunter1" })
            source.send(secret("hunter2"))
            #expect(start.heard.wait { $0.last == "hunter2" })
            #expect(start.suite.value(forKey: "l") == "hunter3")
            following.invalidate()
            #expect(start.failures.all == [])
        }
        // Nothing is still to be written.
        #expect(eventually { context == nil })
        #expect(try written(["plain", "hunter1", "hunter2", "hunter3"]) == ["plain"])
    }

    @Test func `what was kept goes when the source calls its values secret, and what was still to be (F23)`()
        throws
    {
        weak var context: SuiteContext?
        do {
            let start = try Start(folder)
            context = start.suite.context
            try start.suite.set("plain", forKey: "own")
            let source = LiveSourceTests.Reporter(
                DefaultsLayerUpdate(layer: DefaultsLayer(["a": "first"])))
            let following = start.suite.follow(source, keepingLastKnown: true)
            #expect(eventually { kept(start.suite, of: "fleet") == "first" })
            for value in ["second", "third"] as [DefaultsValue] {
                source.send(DefaultsLayerUpdate(layer: DefaultsLayer(["a": value])))
            }
            source.send(secret("hunter1"))
            #expect(start.heard.wait { $0.last == "hunter1" })
            following.invalidate()
            #expect(start.failures.all == [])
        }
        #expect(eventually { context == nil })
        #expect(try written(["plain", "first", "second", "third", "hunter1"]) == ["plain"])
        let next = try Start(folder)
        let silent = LiveSourceTests.Reporter(DefaultsLayerUpdate())
        let following = next.suite.follow(silent, keepingLastKnown: true)
        #expect(next.suite.value(forKey: "a") == nil)
        withExtendedLifetime(following) {}
    }

    @Test func `a folder of secret files removes what was kept under its name (F23)`() throws {
        try keep(["a": "first"])
        let files = try TemporaryFolder()
        try files.write("hunter1", to: "a")
        weak var context: SuiteContext?
        do {
            let start = try Start(folder)
            context = start.suite.context
            let source = FilesDefaultValueSource(folder: files.path, name: "live", isSecret: true)
            let following = start.suite.follow(source, keepingLastKnown: true)
            #expect(start.heard.wait { $0.last == "hunter1" })
            try start.suite.set("plain", forKey: "own")
            following.invalidate()
            #expect(start.failures.all == [])
        }
        #expect(eventually { context == nil })
        #expect(try written(["plain", "first", "hunter1"]) == ["plain"])
    }
}
