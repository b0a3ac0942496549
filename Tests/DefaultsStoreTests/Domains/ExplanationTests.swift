/// Where a value comes from, domain by domain.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct ExplanationTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    @Test func `every domain is named in order with its text, its place and what became of it`() throws {
        for domain in Domain.allCases.reversed() { try domain.set(1, in: suite, folder) }
        suite.context.setLayer("other", values: ["a": 7], location: "https://example.org/defaults.json")
        try suite.checkpoint()
        let all = suite.explain(forKey: "a")
        #expect(
            all.map(\.domain) == [
                .managed, .arguments, .environment, .transient, .stored, .registered, .registered,
                .registered,
            ])
        #expect(all.map(\.text) == ["1", "1", "1", "1", "1", "7", "1", "1"])
        let masked = DefaultsExplanation.Outcome.masked(by: .managed)
        #expect(all.map(\.outcome) == [.applies] + Array(repeating: masked, count: 7))
        #expect(
            all.map(\.location).map(ageless) == [
                .file(path: folder.path + "/managed/managed.json", line: 1, column: 7),
                .argument(index: 0, flag: "--a"), .variable("APP_A"), .memory,
                .file(path: folder.settingsPath(), line: 2, column: 8),
                .source("other", "https://example.org/defaults.json", age: .zero),
                .source("source", nil, age: .zero), .registration,
            ])
    }

    /// The place of a source without its age, which nobody can foretell.
    private func ageless(_ place: DefaultsExplanation.Location) -> DefaultsExplanation.Location {
        guard case .source(let name, let path, let age) = place else { return place }
        #expect(age >= .zero && age < .seconds(600))
        return .source(name, path, age: .zero)
    }

    @Test func `a layer below another is masked by that source, and by its name in words`() {
        suite.register(defaults: ["a": 1])
        suite.context.setLayer("low", values: ["a": 2], location: nil)
        suite.context.setLayer("high", values: ["a": 3], location: nil)
        let outcomes = suite.explain(forKey: "a").map(\.outcome)
        let masked = DefaultsExplanation.Outcome.masked(by: .registered, source: "high")
        #expect(outcomes == [.applies, masked, masked])
        #expect(masked.description == "masked by source high")
    }

    @Test(arguments: [
        (0, "0 s"), (119, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h"), (11_000, "3 h"),
        (172_799, "47 h"), (172_800, "2 d"),
    ])
    func `a last known layer is told with its age in the unit a person would use`(age: Int, words: String) {
        suite.context.setLayer(
            "high", values: ["a": 3], location: "https://example.org", age: .seconds(age), asked: 0,
            isLastKnown: true)
        suite.context.setLayer("low", values: ["a": 2], location: nil)
        suite.context.setLayer("low", values: [:], location: nil)
        suite.register(defaults: ["a": 1])
        #expect(
            suite.explain(forKey: "a").map(\.description) == [
                "registered: 3 (source high at https://example.org, last known, \(words) old): applies",
                "registered: 1 (register(defaults:)): masked by source high",
            ])
    }

    @Test func `a key without a value has no explanation`() {
        #expect(suite.explain(forKey: "a") == [])
    }

    @Test func `each is one readable line`() throws {
        suite.addArguments(["program", "--a=text", "--flag"])
        try suite.set([1], forKey: "a")
        #expect(
            suite.explain(forKey: "a").last?.description
                == "stored: [1] (soon in \(folder.settingsPath())): masked by arguments")
        try suite.checkpoint()
        #expect(
            (suite.explain(forKey: "a") + suite.explain(forKey: "flag")).map(\.description) == [
                "arguments: text (argument 1, --a): applies",
                "stored: [1] (\(folder.settingsPath()):2:8): masked by arguments",
                "arguments: true (argument 2, --flag): applies",
            ])
    }

    @Test func `what a transaction has staged is explained inside it`() throws {
        try suite.set(4, forKey: "a")
        try suite.withTransaction { tx in
            tx[key: "a"] = 5
            #expect(suite.explain(forKey: "a").map(\.description) == ["stored: 5 (in memory): applies"])
        }
    }

    @Test func `each description is one line, whatever the value is written like`() throws {
        try folder.write("{\n\"a\": {\n  \"x\": 1, // one\n  \"y\": 2 }}", to: "settings/settings.json")
        suite.addArguments(["--b", "one\ntwo"])
        #expect(
            suite.explain(forKey: "a").map(\.description).first?.hasPrefix(#"stored: {"x": 1, "y": 2} ("#)
                == true)
        #expect(suite.explain(forKey: "b").map(\.description).first?.contains(#""one\ntwo""#) == true)
        for key in ["a", "b"] {
            #expect(suite.explain(forKey: key).allSatisfy { !$0.description.contains("\n") })
        }
    }
}
