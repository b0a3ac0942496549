/// Half of a surrogate pair in a value: only who asks for that very text is told.
@testable import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread) struct HalvesOfPairsTests {
    private struct Window: Codable, Sendable, Equatable {
        var w = 800
        var title: String?
    }

    private static let text = """
        {
          "nick": "x\\ud83d",
          "window": {"w": 1, "\\udc00": 2, "note": "\\ud800"},
          "titled": {"w": 1, "title": "\\ud800"},
          "names": {"a": 1, "\\udc00": 2},
          "deep": \(String(repeating: "[", count: 200))\(String(repeating: "]", count: 200))
        }

        """

    @Test func `a key of that text is refused with its place, and read as its default`() throws {
        try withSettingsFile(HalvesOfPairsTests.text) { suite, failures, folder in
            let nick = Defaults.Key<String>("nick", default: "none", suite: suite)
            #expect(
                refusal { _ = try suite.value(nick) }
                    == DefaultsError(
                        .typeMismatch, suite: "settings", key: "nick", path: folder.settingsPath(), line: 2,
                        column: 11,
                        underlyingDescription:
                            "expected String, found a text with half of a surrogate pair, which no String can have"
                    ))
            #expect(Defaults[nick] == "none")
            #expect(suite.string(forKey: "nick") == "none")
            #expect(suite.problems().filter { $0.code == .typeMismatch }.map(\.key) == ["nick"])
            #expect(failures.codes == [.typeMismatch])
        }
    }

    @Test func `a type that does not ask for it reads its own members, one that asks is refused`() throws {
        try withSettingsFile(HalvesOfPairsTests.text) { suite, failures, _ in
            let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
            let titled = Defaults.Key<Window>("titled", default: Window(), suite: suite)
            let names = Defaults.Key<[String: Int]>("names", default: [:], suite: suite)
            try #expect(suite.value(window) == Window(w: 1))
            try #expect(suite.value(names) == ["a": 1])
            #expect(
                refusal { _ = try suite.value(titled) }?.underlyingDescription?.hasPrefix(
                    "title: expected String") == true)
            #expect(failures.all == [])
        }
    }

    @Test func `a key of any JSON reads it`() throws {
        try withSettingsFile(HalvesOfPairsTests.text) { suite, failures, _ in
            for name in ["nick", "window", "deep"] {
                let any = Defaults.Key<DefaultsValue>(name, default: .null, suite: suite)
                try #expect(suite.value(any) == suite.value(forKey: name))
            }
            #expect(failures.all == [])
        }
    }

    @Test func `what is nested too deep is refused as any type, and stays`() throws {
        try withSettingsFile(HalvesOfPairsTests.text) { suite, _, folder in
            let deep = Defaults.Key<[[Int]]>("deep", default: [], suite: suite)
            #expect(refusal { _ = try suite.value(deep) }?.code == .typeMismatch)
            try suite.set(true, forKey: "k")
            try suite.checkpoint()
            #expect(
                try folder.read("settings/settings.json")
                    == HalvesOfPairsTests.text.dropLast(3) + ",\n  \"k\": true\n}\n")
        }
    }
}
