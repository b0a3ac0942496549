import TestSupport
import Testing
import TypedDefaults

/// Values that are set by name or as a text, under the name of a declared key.
@Suite(.ownThread) struct CheckedSetTests {
    private let suite = DefaultsSuite.inMemory()
    private let volume: Defaults.Key<Double>
    private let mood: Defaults.Key<Mood>

    init() {
        volume = Defaults.Key<Double>(
            "volume", default: 0.5, suite: suite, validation: .range(0...1), description: "How loud it is.")
        mood = Defaults.Key<Mood>("mood", default: .calm, suite: suite)
    }

    @Test func `a set by name refuses what the declared key could not use`() throws {
        #expect(refusal { try suite.set("loud", forKey: "volume") }?.code == .typeMismatch)
        #expect(refusal { try suite.set(2, forKey: "volume") }?.code == .invalidValue)
        #expect(refusal { try suite.set("glad", forKey: "mood") }?.code == .typeMismatch)
        #expect(refusal { try suite.setTransient("loud", forKey: "volume") }?.code == .typeMismatch)
        try #expect(suite.storedValues() == [:])
        try suite.set(0.7, forKey: "volume")
        try suite.set("merry", forKey: "mood")
        try suite.set("anything", forKey: "undeclared")
        #expect((suite[volume], suite[mood]) == (0.7, .merry))
    }

    @Test func `what a key could not use is stored where that is asked for`() throws {
        suite.onFailure = { _ in }
        try suite.setUnchecked("loud", forKey: "volume")
        try suite.withTransaction { tx in try tx.setUnchecked("glad", forKey: "mood") }
        try #expect(suite.storedValues() == ["volume": "loud", "mood": "glad"])
        #expect((suite[volume], suite[mood]) == (0.5, .calm))
        #expect(suite.problems().map(\.key) == ["volume", "mood"])
    }

    @Test func `a transaction is checked alike, at its end or at once`() throws {
        let error = refusal { try suite.withTransaction { tx in tx[key: "volume"] = 2 } }
        #expect(error?.code == .invalidValue)
        try suite.withTransaction { tx in
            do throws(DefaultsError) { try tx.set("loud", forKey: "volume") } catch {
                #expect(error.code == .typeMismatch)
            }
            do throws(DefaultsError) { try tx.set(volume, to: 2) } catch {
                #expect(error.code == .invalidValue)
            }
            try tx.set(mood, to: .merry)
            try tx.set(1, forKey: "other")
        }
        try #expect(suite.storedValues() == ["mood": "merry", "other": 1])
        try suite.withTransaction { tx in tx.reset(mood, volume) }
        try #expect(suite.storedValues() == ["other": 1])
    }

    @Test func `a migration's step may store what a later step makes right`() throws {
        try suite.migrate([
            DefaultsMigration("first") { tx in tx[key: "volume"] = "50 %" },
            DefaultsMigration("second") { tx in tx[key: "volume"] = 0.5 },
        ])
        #expect(suite[volume] == 0.5)
    }

    @Test func `a part of a combined value is set by name, and a validation is for the whole`() throws {
        let tags = Defaults.Key<[String]>(
            "tags", default: ["core"], suite: suite, validation: .where { $0.count <= 2 }, merge: .union)
        let window = Defaults.Key<Window>("window", default: Window(), suite: suite, merge: .deepMerge)
        try suite.set(["a"], forKey: "tags")
        #expect(refusal { try suite.set(["a", "b"], forKey: "tags") }?.code == .invalidValue)
        try suite.set(["width": 5], forKey: "window")
        #expect(refusal { try suite.set(["width": "wide"], forKey: "window") }?.code == .typeMismatch)
        #expect(suite[tags] == ["core", "a"])
        #expect(suite[window] == Window(width: 5, height: 600))
    }

    @Test func `a text becomes a declared key's value`() throws {
        try suite.set(text: "0.25", forKey: "volume")
        try suite.set(text: "cross", forKey: "mood")
        #expect((suite[volume], suite[mood]) == (0.25, .cross))
        try #expect(volume.value(from: ".75") == 0.75)
        try #expect(mood.value(from: "merry") == .merry)
        #expect(refusal { try suite.set(text: "2", forKey: "volume") }?.code == .invalidValue)
        #expect(refusal { try suite.set(text: "loud", forKey: "volume") }?.code == .typeMismatch)
        #expect(refusal { _ = try mood.value(from: "glad") }?.code == .typeMismatch)
        #expect((suite[volume], suite[mood]) == (0.25, .cross))
    }

    @Test func `a text for a key that is not declared names the nearest`() throws {
        let error = refusal { try suite.set(text: "0.5", forKey: "volum") }
        #expect(error?.code == .unregisteredKey)
        #expect(error?.underlyingDescription == "the nearest declared key is \"volume\"")
        try #expect(suite.storedValues() == [:])
    }

    @Test func `a text is a part where the domains' values combine`() throws {
        let window = Defaults.Key<Window>("window", default: Window(), suite: suite, merge: .deepMerge)
        try suite.set(text: #"{"width": 5}"#, forKey: "window")
        try #expect(suite.storedValues() == ["window": ["width": 5]])
        try #expect(window.value(from: #"{"height": 6}"#) == Window(width: 800, height: 6))
    }

    @Test(arguments: [("on", true), ("OFF", false), ("yes", true), ("no", false), ("1", true), ("0", false)])
    func `a Bool is read of the usual words`(_ text: String, _ expected: Bool) throws {
        let flag = Defaults.Key<Bool>("flag", default: !expected, suite: suite)
        try #expect(flag.value(from: text) == expected)
        suite.addArguments(["--flag", text])
        #expect(suite[flag] == expected)
    }

    @Test(arguments: [("+5", 5), (".5", 0.5), ("-.5", -0.5), ("+.5", 0.5), ("1e2", 100), ("-3", -3)])
    func `a number is read as people write it`(_ text: String, _ expected: Double) throws {
        let number = Defaults.Key<Double>("number", default: 0, suite: suite)
        try #expect(number.value(from: text) == expected)
        suite.addEnvironment(prefix: "", in: ["NUMBER": text])
        #expect(suite[number] == expected)
    }

    @Test(arguments: ["+", ".", "-", "++5", "+-5", "-+5", "0x10"])
    func `what is no number is refused`(_ text: String) {
        let number = Defaults.Key<Double>("number", default: 0, suite: suite)
        #expect(refusal { _ = try number.value(from: text) }?.code == .typeMismatch)
    }

    @Test func `a key tells its description, whether it is secret, and the values that are allowed`() throws {
        let theme = Defaults.Key<String>(
            "theme", default: "light", suite: suite, validation: .oneOf("light", "dark"), secret: true)
        let size = Defaults.OptionalKey<Int>("size", suite: suite, validation: .oneOf(1, 2, nil))
        let optional = Defaults.OptionalKey<Mood>("maybe", suite: suite)
        let other = Defaults.Key<String>("theme", default: "light", suite: suite)
        #expect((volume.description, theme.description) == ("How loud it is.", nil))
        #expect([volume.isSecret, theme.isSecret, other.isSecret] == [false, true, true])
        #expect(theme.allowedValues == ["light", "dark"])
        #expect(size.allowedValues == ["1", "2"])
        #expect(mood.allowedValues == ["calm", "merry", "cross"])
        #expect(optional.allowedValues == ["calm", "merry", "cross"])
        #expect(volume.allowedValues == nil)
        let bounds = try #require(volume.allowedRange)
        #expect(
            try [volume.value(from: bounds.lowerBound), volume.value(from: bounds.upperBound)] == [0, 1])
        #expect(theme.allowedRange == nil && mood.allowedRange == nil)
    }
}
