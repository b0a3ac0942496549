import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

/// A program's first reads of a large file by typed keys: looked up by the file's index, and nothing loaded.
@Suite(.ownThread) struct LookedUpKeyTests {
    private let folder: TemporaryFolder

    private struct Window: Codable, Hashable, Sendable {
        var width = 800
        var title = "untitled"
    }

    init() throws {
        folder = try TemporaryFolder()
        let many = (0..<4_000).map { "  \"another-key-\($0)\": \($0)" }.joined(separator: ",\n")
        let text = """
            {
              "number": 0.25, "count": 7, "on": true,
              "name": "a \\"name\\" é",
              "window": {"width": 1024, "title": "editor"},
              "plugins": ["mine"],
              "wrong": "text",
            \(many)
            }

            """
        try folder.write(text, to: "settings/settings.json")
        #expect(try folder.awaitIndex(reading: "number"))
    }

    private func isLoaded(_ suite: DefaultsSuite) throws -> Bool {
        try !suite.context.store().latest.isUnread
    }

    @Test func `values of each kind are what they are beside a loaded file`() throws {
        let suite = try folder.suite()
        #expect(Defaults[Defaults.Key<Double>("number", default: 1, suite: suite)] == 0.25)
        #expect(Defaults[Defaults.Key<Int>("count", default: 1, suite: suite)] == 7)
        #expect(Defaults[Defaults.Key<Bool>("on", default: false, suite: suite)])
        #expect(Defaults[Defaults.Key<String>("name", default: "", suite: suite)] == "a \"name\" é")
        let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
        #expect(Defaults[window] == Window(width: 1024, title: "editor"))
        #expect(Defaults[Defaults.OptionalKey<Int>("absent", suite: suite)] == nil)
        #expect(Defaults[Defaults.Key<Int>("missing", default: 3, suite: suite)] == 3)
        #expect(try !isLoaded(suite))
    }

    @Test func `domains and a key's own default combine with what was looked up`() throws {
        let suite = try folder.suite()
        let plugins = Defaults.Key<[String]>("plugins", default: ["core"], suite: suite, merge: .append)
        suite.register(defaults: ["plugins": ["registered"], "missing": 5])
        #expect(Defaults[plugins] == ["core", "registered", "mine"])
        #expect(Defaults[Defaults.Key<Int>("missing", default: 3, suite: suite)] == 5)
        #expect(try !isLoaded(suite))
        try suite.setTransient(plugins, to: ["transient"])
        #expect(Defaults[plugins] == ["core", "registered", "mine", "transient"])
    }

    @Test func `a value of another type is reported with its place, and the default served`() throws {
        let suite = try folder.suite()
        let failures = FailureRecorder(suite)
        #expect(Defaults[Defaults.Key<Int>("wrong", default: 3, suite: suite)] == 3)
        #expect(failures.codes == [.typeMismatch])
        #expect(failures.all.first?.line == 6)
        #expect(failures.all.first?.path == folder.settingsPath())
    }

    @Test func `a write behind a look-up, and another process's, are read`() throws {
        let suite = try folder.suite()
        let count = Defaults.Key<Int>("count", default: 1, suite: suite)
        #expect(Defaults[count] == 7)
        #expect(try !isLoaded(suite))
        let peer = try Peer.opening(in: folder)
        try peer.expectOK("set count 8")
        #expect(Defaults[count] == 8)
        Defaults[count] += 1
        #expect(Defaults[count] == 9)
        #expect(try peer.ask("get count") == "9")
    }

    @Test func `an observer that is added behind a look-up hears the value of before`() throws {
        let suite = try folder.suite()
        let count = Defaults.Key<Int>("count", default: 1, suite: suite)
        #expect(Defaults[count] == 7)
        let heard = Recorder<[Int]>()
        let observation = suite.observe(count, options: []) { heard.append([$0.oldValue, $0.newValue]) }
        let peer = try Peer.opening(in: folder)
        try peer.expectOK("set count 8")
        #expect(heard.wait(for: 1))
        #expect(heard.all == [[7, 8]])
        withExtendedLifetime(observation) {}
    }
}
