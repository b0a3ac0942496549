/// A schema that a program writes: `check` refuses the values that the program does not read, and no others.
import Foundation
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60))) struct SchemaAgreementTests {
    private let place: Workplace
    private let suite: DefaultsSuite

    init() throws {
        place = try Workplace()
        suite = try DefaultsSuite("player", in: place.path + "/config")
        suite.onFailure = { _ in }
    }

    private struct Limits: Codable, Sendable { var perMinute = 60, burst = 10 }
    private enum Mode: Codable, Sendable { case off, heat(to: Double) }

    /// The keys of which `check` says something that is worse than a note, and what it says.
    private func refused() throws -> [String: String] {
        let run = try place.run("check", "-s", "player", "--json")
        let findings = try #require(try run.object()["findings"] as? [[String: Any]])
        let wrong = findings.filter { $0["severity"] as? String != "note" }
        // Else it has not looked at the values.
        try #require(wrong.allSatisfy { $0["key"] != nil }, "\(run.output)")
        return Dictionary(
            wrong.map { ($0["key"] as? String ?? "", $0["reason"] as? String ?? "") }
        ) { first, _ in first }
    }

    @Test func `members, cases, dates and addresses that the program cannot use are refused`() throws {
        let keys: [Defaults.AnyKey] = [
            Defaults.Key<Limits>("limits", default: Limits(), suite: suite),
            Defaults.Key<Mode>("mode", default: .off, suite: suite),
            Defaults.OptionalKey<Date>("since", suite: suite),
            Defaults.OptionalKey<URL>("upstream", suite: suite),
            Defaults.OptionalKey<Limits>("more", suite: suite),
        ]
        try suite.writeSchema(of: keys, allowsOtherKeys: false, addsReference: true)
        let wrong: [String: DefaultsValue] = [
            "limits": ["burst": "many"], "mode": ["heat": ["to": "hot"]], "since": "yesterday",
            "upstream": "http://exa mple", "more": ["burst": 1],
        ]
        for (key, value) in wrong { try suite.setUnchecked(value, forKey: key) }
        try suite.checkpoint()
        let said = try refused()
        #expect(
            said == [
                "limits": "at limits.burst: it has to be of type integer",
                "mode": "at mode.heat.to: it has to be a number, or to match ^(-?Infinity|NaN)$",
                "since": "it has to be a time, such as 2026-11-21T18:25:48Z",
                "upstream": "it has to be an address, such as https://example.com",
                "more": "it has no member perMinute",
            ])
        let right: [String: DefaultsValue] = [
            "limits": ["burst": 3], "mode": ["heat": ["to": 21.5]], "since": "2026-11-21T18:25:48Z",
            "upstream": "https://example.com/a b", "more": ["burst": 1, "perMinute": 2],
        ]
        for (key, value) in right { try suite.setUnchecked(value, forKey: key) }
        try suite.checkpoint()
        #expect(try refused() == [:])
        withExtendedLifetime(keys) {}
    }

    /// One setting as a person may have written it.
    private struct Written {
        let key: Defaults.AnyKey
        let type: String
        let value: DefaultsValue
    }

    /// The settings on which `check` and the program disagree, with what each of the two says.
    ///
    /// The schema of the keys has been written.
    private func disagreements(_ settings: [Written]) throws -> [String] {
        let members =
            [(key: "$schema", value: "./settings.schema.json")] + settings.map { ($0.key.name, $0.value) }
        try place.save(DefaultsValue.object(DefaultsObject(members)).description)
        try place.shell("chmod 600 \(place.file())")
        let refused = try refused()
        let wrong = Set(suite.problems().compactMap(\.key))
        return try settings.compactMap { setting in
            let name = setting.key.name
            guard wrong.contains(name) != (refused[name] != nil) else { return nil }
            return """
                \(setting.type), \(setting.value): \(wrong.contains(name) ? "not read" : "read"), \
                \(refused[name] ?? "not refused"), by \(try Defaults.schema(of: [setting.key])["properties"]?[name] ?? [:])
                """
        }
    }

    /// How often 1 200 values and 250 texts are tried; four times as often in `.ci/run`, a hundred times by `.ci/soak 25`.
    private let batches = max(
        1, 4 * (ProcessInfo.processInfo.environment["TYPEDDEFAULTS_SOAK"].flatMap(Int.init) ?? 0))

    @Test func `check refuses a value exactly if the program does not read it`() throws {
        var random = Numbers(seed: UInt64.random(in: 0 ... .max))
        let seed = random.state
        for batch in 0..<batches {
            let keys = (0..<400).map {
                AnyType.random(depth: 3, &random).type.key("k\($0)", in: suite, &random)
            }
            try suite.writeSchema(of: keys.map(\.key), addsReference: true)
            for round in 0..<3 {
                let found = try disagreements(
                    keys.map { Written(key: $0.key, type: $0.type, value: $0.value(&random)) })
                try #require(
                    found.isEmpty, "\(found.prefix(5)), seed \(seed), batch \(batch), round \(round)")
            }
        }
    }

    /// What the texts of a type are made of.
    ///
    /// Of a host beyond ASCII only Foundation knows which letters it may have.
    private static let pieces: [[String]] = [
        [
            "http", "a", "1", ":", "/", "//", "@", "[", "]", "%41", "%", " ", "é", ".", "-", "+", "?", "#",
            "\\", "|",
            "<", "::1", "\n", "_", "{", "^", "\"", "\u{7F}",
        ],
        [
            "2026-11-21", "T", "t", "18:25:48", "Z", "z", ".5", "+02:00", "-23:59", "2026-02-29", "24:00:00",
            " ",
        ],
        ["1", ".", "5", "h", "m", "s", "ms", "us", "µs", "μs", "ns", "d", "w", "y", "-", "+", "x", " "],
        ["A", "Q", "==", "=", "/", "+", "-", "AQID", " "],
        ["E621E1F8", "e621e1f8", "-C36C", "-495A", "-93FC", "-0C247A3E6E5F", "-", "g"],
    ]

    @Test func `check refuses a text exactly if it is no address, date, duration, data or identifier`() throws
    {
        var random = Numbers(seed: UInt64.random(in: 0 ... .max))
        let seed = random.state
        let keys: [Defaults.AnyKey] = (0..<250).map { number in
            switch number % 5 {
            case 0: Defaults.OptionalKey<URL>("k\(number)", suite: suite)
            case 1: Defaults.OptionalKey<Date>("k\(number)", suite: suite)
            case 2: Defaults.OptionalKey<Duration>("k\(number)", suite: suite)
            case 3: Defaults.OptionalKey<Data>("k\(number)", suite: suite)
            default: Defaults.OptionalKey<UUID>("k\(number)", suite: suite)
            }
        }
        try suite.writeSchema(of: keys, addsReference: true)
        for batch in 0..<batches {
            let texts = keys.enumerated().map { number, key in
                let pieces = Self.pieces[number % 5]
                let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }
                return Written(key: key, type: "text", value: .string(text.joined()))
            }
            let found = try disagreements(texts)
            try #require(found.isEmpty, "\(found.prefix(5)), seed \(seed), batch \(batch)")
        }
    }
}
