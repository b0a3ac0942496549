import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

/// Typed keys whose stored values are withheld after starts that failed.
@Suite(.ownThread) struct StartKeyTests {
    private struct Window: Codable, Hashable, Sendable { var width = 800, height = 600, depth = 1 }

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    /// Has values that worked withheld in favour of those that a change replaces.
    private func withhold(after good: () throws -> Void, _ change: () throws -> Void) throws {
        suite.onFailure = { _ in }
        try good()
        try suite.beginStart(safeAfter: 1).markHealthy()
        try change()
        try #expect(!suite.beginStart(safeAfter: 1).isSafe)
        try #expect(suite.beginStart(safeAfter: 1).isSafe)
    }

    @Test
    func
        `a key that was read before is served from the last healthy start, and a change in place begins there`()
        throws
    {
        let count = Defaults.Key<Int>("count", default: 0, suite: suite)
        let theme = Defaults.Key<String>("theme", default: "light", suite: suite)
        try withhold {
            try suite.set(count, to: 10)
        } _: {
            try suite.set(count, to: 99)
            try suite.set(theme, to: "dark")
            #expect(Defaults[count] == 99 && Defaults[theme] == "dark")
        }
        #expect(Defaults[count] == 10 && Defaults[theme] == "light")
        try #expect(suite.value(count) == 10)
        try suite.modify(count) { $0 += 1 }
        #expect(Defaults[count] == 11)
        Defaults[theme] += "er"
        #expect(Defaults[theme] == "lighter")
        try #expect(suite.storedValues() == ["count": 11, "theme": "lighter"])
    }

    @Test func `a member of a struct that is changed in place leaves the other members as they were served`()
        throws
    {
        let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
        let other = Defaults.Key<Window>("other", default: Window(), suite: suite)
        let third = Defaults.Key<Window>("third", default: Window(), suite: suite)
        let good = Window(width: 1, height: 1, depth: 1)
        try withhold {
            for key in [window, other, third] { try suite.set(key, to: good) }
        } _: {
            for key in [window, other, third] { Defaults[key].width = 9_999 }
            for key in [window, other, third] { Defaults[key].height = 9_999 }
        }
        #expect(Defaults[window] == good)
        Defaults[window].depth = 5
        try suite.modify(other) { $0.depth = 5 }
        var value = Defaults[third]
        value.depth = 5
        Defaults[third] = value
        let expected = Window(width: 1, height: 1, depth: 5)
        #expect([window, other, third].map { Defaults[$0] } == [expected, expected, expected])
        try #expect(suite.storedValues()["window"] == ["width": 1, "height": 1, "depth": 5])
    }

    @Test func `a combined value that is changed in place leaves its other parts as they were served`() throws
    {
        let tags = Defaults.Key<[String: Int]>("tags", default: ["own": 1], suite: suite, merge: .deepMerge)
        try withhold {
            try suite.set(tags, to: ["own": 1, "good": 1])
        } _: {
            try suite.set(["bad": 1], forKey: "tags")
            #expect(Defaults[tags] == ["own": 1, "bad": 1])
        }
        #expect(Defaults[tags] == ["own": 1, "good": 1])
        Defaults[tags]["new"] = 1
        #expect(Defaults[tags] == ["own": 1, "good": 1, "new": 1])
        try #expect(suite.storedValues() == ["tags": ["good": 1, "new": 1]])
    }

    @Test func `a draft reads what is served, tells changes of what is stored, and stores what it sets`()
        throws
    {
        let count = Defaults.Key<Int>("count", default: 0, suite: suite)
        try withhold {
            try suite.set(count, to: 10)
        } _: {
            try suite.set(count, to: 99)
        }
        var draft = suite.draft()
        #expect(draft[count] == 10)
        draft[count] += 1
        #expect(draft.changes.map(\.description) == ["count: 99 -> 11"])
        try draft.apply()
        #expect(Defaults[count] == 11)
    }

    @Test func `a value that its key cannot use is withheld too`() throws {
        try withhold {
            try suite.set(10, forKey: "count")
        } _: {
            try suite.set("many", forKey: "count")
        }
        let count = Defaults.Key<Int>("count", default: 0, suite: suite)
        try #expect(suite.value(count) == 10)
        #expect(suite.problems() == [])
        Defaults[count] = 12
        try #expect(suite.value(count) == 12)
    }

    @Test func `a key of a secret says only that it is withheld`() throws {
        let token = Defaults.Key<String>("token", default: "", suite: suite, secret: true)
        try withhold {
            try suite.set(token, to: "s3cret")
        } _: {
            try suite.set(token, to: "0ther")
        }
        let start = try suite.beginStart(safeAfter: 1)
        #expect(start.withheld.map(\.description) == ["token: secret"])
        #expect(Defaults[token] == "s3cret")
        let lines = suite.explain(forKey: "token").map(\.description).joined()
        #expect(lines.contains("withheld") && !lines.contains("s3cret") && !lines.contains("0ther"))
    }
}
