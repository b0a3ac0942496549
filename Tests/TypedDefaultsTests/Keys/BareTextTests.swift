import Foundation
import TestSupport
import Testing
import TypedDefaults

/// Texts of the command line and the environment, read by the keys' types.
@Suite(.ownThread) struct BareTextTests {
    private let suite = DefaultsSuite.inMemory()
    private let failures: FailureRecorder

    init() { failures = FailureRecorder(suite) }

    /// What a key makes of a text, by either way; nil where it is refused and the default answers.
    private func read<Value: Codable & Hashable & Sendable>(_ text: String, default value: Value) -> Value? {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let argument = Defaults.Key<Value>("argument", default: value, suite: suite)
        let variable = Defaults.Key<Value>("variable", default: value, suite: suite)
        suite.addArguments(["--argument=" + text])
        suite.addEnvironment(prefix: "", in: ["VARIABLE": text])
        #expect(Defaults[argument] == Defaults[variable])
        #expect(failures.codes == [] || failures.codes == [.typeMismatch, .typeMismatch])
        return failures.codes.isEmpty ? Defaults[argument] : nil
    }

    @Test(arguments: ["word", "5", "true", "null", "\"quoted\"", "", "[1]", "a=b", "größe\n"])
    func `a String takes the text as it is`(_ text: String) { #expect(read(text, default: "none") == text) }

    @Test(arguments: ["word", "5", "null", "true"])
    func `an optional String takes the text as it is`(_ text: String) {
        #expect(read(text, default: String?.none) == .some(text))
    }

    @Test(arguments: [
        ("true", true), ("YES", true), ("1", true), ("false", false), ("no", false), ("0", false),
        ("on", true), ("Off", false), ("y", true), ("N", false), ("T", true), ("f", false), ("2", nil),
        ("0.0", nil), ("disabled", nil), ("", nil), (" ", nil), ("\"true\"", nil),
        ("true\n", true), ("yes\n", true), (" off\t", false),
    ])
    func `a Bool takes true and false, yes and no, on and off, 1 and 0, y and n, t and f`(
        _ text: String, _ value: Bool?
    ) {
        #expect(read(text, default: value == false) == value)
    }

    @Test(arguments: [
        ("5", 5), ("-5", -5), ("5.0", 5), ("5.5", nil), ("five", nil), ("", nil), ("\"5\"", nil),
    ])
    func `an Int takes a whole number`(_ text: String, _ value: Int?) {
        #expect(read(text, default: 77) == value)
    }

    @Test(arguments: [("0.5", 0.5), ("1e3", 1000), ("Infinity", .infinity), (".5", 0.5), ("half", nil)])
    func `a Double takes a number of JSON, one without a zero before the point, and infinity as a word`(
        _ text: String, _ value: Double?
    ) {
        #expect(read(text, default: 77) == value)
    }

    @Test func `arrays, structs and optionals take JSON`() {
        #expect(read("[1, 2]", default: [Int]()) == [1, 2])
        #expect(read(#"{"width": 1, "height": 2}"#, default: Window()) == Window(width: 1, height: 2))
        #expect(read("null", default: Optional(5)) == .some(nil))
    }

    @Test(arguments: [
        ("a", ["a"]), ("a,b", ["a", "b"]), (" a , b c ", ["a", "b c"]), ("", []), ("a,,b", ["a", "", "b"]),
        (#"["a,b", "c"]"#, ["a,b", "c"]), ("null", ["null"]), ("5,true", ["5", "true"]),
        ("a,\u{301}b", ["a", "\u{301}b"]), ("[a]", nil), ("[1]", nil), (#"["a""#, nil),
    ])
    func `a list of strings takes them between commas, or JSON`(_ text: String, _ value: [String]?) {
        #expect(read(text, default: ["none"]) == value)
    }

    @Test(arguments: [
        ("1", [1]), ("1,2", [1, 2]), ("+5, .5,-.5", [5, 0.5, -0.5]), ("1,Infinity", [1, .infinity]), ("", []),
        ("[1, 2]", [1, 2]), ("one", nil), ("1,,2", nil), ("1,\"2\"", nil), ("[1,2", nil),
    ])
    func `a list of numbers takes them between commas, or JSON`(_ text: String, _ value: [Double]?) {
        #expect(read(text, default: [77]) == value)
    }

    @Test(arguments: [
        ("true,false", [true, false]), ("yes, N", [true, false]), ("on", [true]), ("[true]", [true]),
        ("", []), ("true,2", nil), ("[yes]", nil),
    ])
    func `a list of Booleans takes them between commas, or JSON`(_ text: String, _ value: [Bool]?) {
        #expect(read(text, default: [true, true, true]) == value)
    }

    @Test func `a list may be a set, optional, or one of cases`() {
        #expect(read("2,1,2", default: Set<Int>()) == [1, 2])
        #expect(read("a,b", default: [String]?.none) == .some(["a", "b"]))
        #expect(read("null", default: Optional(["a"])) == .some(nil))
        #expect(read("merry,calm", default: [Mood]()) == [.merry, .calm])
        #expect(read("merry,glad", default: [Mood]()) == nil)
    }

    @Test func `other lists take JSON alone`() {
        #expect(read("[[1, 2]]", default: [[Int]]()) == [[1, 2]])
        #expect(read("1,2", default: [[Int]]()) == nil)
        #expect(read("a,b", default: "none") == "a,b")
    }

    @Test func `a list takes every flag of its name, another key the last one`() throws {
        let list = Defaults.Key<[String]>("l", default: [], suite: suite)
        let size = Defaults.Key<Int>("size", default: 0, suite: suite)
        let tags = Defaults.Key<Set<Int>>("tags", default: [1], suite: suite, merge: .union)
        let rows = Defaults.Key<[[Int]]>("rows", default: [], suite: suite)
        suite.addArguments([
            "--l", "a", "--size", "1", "--tags=2", "--l=b,c", "--size", "2", "-l", #"["d,e"]"#,
            "--tags", "3,4", "--rows", "[[1]]", "--rows", "[[2]]",
        ])
        #expect(suite[list] == ["a", "b", "c", "d,e"])
        #expect(suite.value(forKey: "l") == ["a", "b", "c", "d,e"])
        #expect(suite[size] == 2)
        #expect(suite[tags] == [1, 2, 3, 4])
        #expect(suite[rows] == [[2]])
        #expect(suite.explain(forKey: "l").first?.text == #"a,b,c,["d,e"]"#)
        #expect(suite.explain(forKey: "rows").first?.text == "[[2]]")
        suite.addArguments(["--l", "f"])
        #expect(suite[list] == ["f"], "The flags of a later command line take precedence.")
        #expect(failures.all == [])
    }

    @Test func `a list one of whose flags has no value is refused`() {
        let list = Defaults.Key<[Int]>("l", default: [], suite: suite)
        suite.addArguments(["--l", "1", "--l"])
        #expect(suite[list] == [])
        #expect(
            failures.all.map(\.underlyingDescription) == [
                "the argument --l cannot be used: it has no value"
            ])
        #expect(
            failures.all.first?.recoverySuggestion
                == "Change or leave out the argument --l; --l=1,2 would be taken.")
    }

    /// Returns the example that a key is offered for a text that it does not take; empty if none.
    private func example<Value: Codable & Hashable & Sendable>(
        _ value: Value, _ text: String = "[", validation: DefaultsValidation<Value>? = nil,
        secret: Bool = false
    ) throws -> String {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let key = Defaults.Key<Value>(
            "k", default: value, suite: suite, validation: validation, secret: secret)
        suite.addEnvironment(prefix: "", in: ["K": text])
        #expect(failures.all.count == 1)
        let words = try #require(failures.all.first?.recoverySuggestion.components(separatedBy: "; K="))
        guard words.count == 2 else { return "" }
        let example = String(words[1].dropLast(" would be taken.".count))
        let plain = example.hasPrefix("'") ? String(example.dropFirst().dropLast()) : example
        #expect(throws: Never.self) { try key.value(from: plain) }
        return example
    }

    @Test func `what is not taken is reported with an example that would be`() throws {
        try #expect(example(1) == "1")
        try #expect(example(1, validation: .range(10...20)) == "10")
        try #expect(example(Double?.none) == "0.5")
        try #expect(example(false) == "false")
        try #expect(example(Mood.calm) == "calm")
        try #expect(example("", "glad", validation: .oneOf("red", "dark blue")) == "red")
        try #expect(example([String]()) == "a,b")
        try #expect(example([1.5, 2]) == "1.5,2")
        try #expect(example(["a", "b,c"]) == #"'["a", "b,c"]'"#)
        try #expect(example([Double]()) == "1,2")
        try #expect(example(Duration.milliseconds(90_500)) == "1m30.5s")
        try #expect(example(Duration?.none) == "30s")
        try #expect(example(Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
        try #expect(example(Date?.none) == "2001-02-03T04:05:06Z")
        try #expect(example(URL?.none, "") == "https://example.org")
        try #expect(example(Window()) == #"'{"width": 800}'"#)
        try #expect(example(["high": 5, "low": 1]) == #"'{"high": 5}'"#)
        try #expect(example([Window]()) == "")
        try #expect(example([String: Int]()) == "")
    }

    @Test func `an example of a secret shows neither its default nor its validation`() throws {
        try #expect(example(271, validation: .range(270...280), secret: true) == "")
        try #expect(example(Window(width: 271, height: 828), secret: true) == "")
        try #expect(example(271, secret: true) == "5")
    }

    @Test func `enums, dates and URLs take a bare word`() throws {
        #expect(read("merry", default: Mood.calm) == .merry)
        #expect(read("1970-01-01T00:00:00Z", default: Date.distantPast) == Date(timeIntervalSince1970: 0))
        let url = try #require(URL(string: "https://example.org/a?b=c"))
        #expect(read("https://example.org/a?b=c", default: URL(filePath: "/")) == url)
    }

    @Test func `a line end behind a text is no part of a value, except of a String`() throws {
        #expect(read("calm\n", default: Mood.merry) == .calm)
        #expect(read("+5\n", default: 77) == 5)
        #expect(read("1,2\n", default: [77]) == [1, 2])
        #expect(read("30s\n", default: Duration.zero) == .seconds(30))
        let address = try #require(URL(string: "https://example.org"))
        #expect(read("https://example.org\n", default: URL(filePath: "/")) == address)
        #expect(read("calm\n", default: "none") == "calm\n")
    }

    @Test func `a text that is not allowed is refused with the validation's reason and no value`() {
        _ = Defaults.Key<Int>("argument", default: 5, suite: suite, validation: .range(0...10))
        _ = Defaults.Key<Int>("variable", default: 5, suite: suite, validation: .range(0...10))
        suite.addArguments(["--argument", "271828"])
        suite.addEnvironment(prefix: "", in: ["VARIABLE": "271828"])
        #expect(
            failures.all == [
                DefaultsError(
                    .invalidValue, suite: "in memory", key: "argument",
                    underlyingDescription: "the argument --argument cannot be used: it is outside 0...10"),
                DefaultsError(
                    .invalidValue, suite: "in memory", key: "variable",
                    underlyingDescription: "the variable VARIABLE cannot be used: it is outside 0...10"),
            ])
    }

    @Test func `where a text does not fit, the next domain answers`() throws {
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        suite.addArguments(["--size", "big"])
        suite.addEnvironment(prefix: "", in: ["SIZE": "2"])
        #expect(Defaults[size] == 2)
        #expect(suite.value(forKey: "size") == 2)
        #expect(try suite.value(size) == 2)
        #expect(suite.domain(forKey: "size") == .environment)
        #expect(failures.codes == [.typeMismatch])
        #expect(suite.problems().map(\.domain) == [.arguments])
        #expect(suite.problems().map(\.text) == ["big"])
    }

    @Test func `a flag without a value is true for a Bool, and leaves the next word alone`() {
        let isLoud = Defaults.Key<Bool>("isLoud", default: false, suite: suite)
        let isFast = Defaults.Key<Bool>("isFast", default: true, suite: suite)
        suite.addArguments(["--isLoud", "file.txt", "--isFast", "no"])
        #expect(Defaults[isLoud])
        #expect(!Defaults[isFast])
        #expect(failures.all == [])
    }

    @Test(arguments: ["N", "n", "f", "F", "no", "0", "0.0", "2", "disabled", "", "file.txt"])
    func `the word after a Bool's flag with one dash is its value, and reported if it is none`(_ word: String)
    {
        let isMuted = Defaults.Key<Bool>("isMuted", default: true, suite: suite)
        let isLoud = Defaults.Key<Bool>("isLoud", default: false, suite: suite)
        suite.addArguments(["-isMuted", word, "-isLoud"])
        let isFalse = ["n", "f", "no", "0"].contains(word.lowercased())
        #expect(Defaults[isMuted] != isFalse)
        #expect(Defaults[isLoud], "A flag at the end needs no value.")
        #expect(failures.codes == (isFalse ? [] : [.typeMismatch]))
        #expect(suite.problems().map(\.text) == (isFalse ? [] : [word]))
    }

    @Test func `a flag without a value is refused for any other type`() {
        let name = Defaults.Key<String>("name", default: "none", suite: suite)
        suite.addArguments(["--name"])
        #expect(Defaults[name] == "none")
        #expect(failures.codes == [.typeMismatch])
    }

    @Test func `a key declared after the texts came reads them by its type`() {
        suite.addArguments(["--name", "5"])
        #expect(suite.value(forKey: "name") == 5)
        let name = Defaults.Key<String>("name", default: "none", suite: suite)
        #expect(Defaults[name] == "5")
        #expect(suite.value(forKey: "name") == "5")
    }

    @Test func `a key looked up in another suite reads that suite's texts by its type`() {
        let other = DefaultsSuite.inMemory()
        other.addArguments(["--name", "5"])
        let name = Defaults.Key<String>("name", default: "none", suite: suite)
        #expect(other[name] == "5")
        #expect(Defaults[name] == "none")
        #expect(other.declaredKeys.map(\.name) == ["name"])
        other.addArguments(["--name", "6"])
        #expect(other[name] == "6")
    }

    @Test func `a key of the suite's own comes before another suite's of the same name`() {
        let other = DefaultsSuite.inMemory()
        let guest = Defaults.Key<String>("name", default: "none", suite: suite)
        #expect(other[guest] == "none")
        let own = Defaults.Key<Int>("name", default: 0, suite: other)
        other.addArguments(["--name", "5"])
        #expect(Defaults[own] == 5)
    }

    @Test func `a variable for two keys answers both and is reported once`() {
        let humps = Defaults.Key<Int>("maxSize", default: 0, suite: suite)
        let dots = Defaults.Key<Int>("max.size", default: 0, suite: suite)
        suite.addEnvironment(prefix: "APP_", in: ["APP_MAX_SIZE": "5"])
        #expect((Defaults[humps], Defaults[dots]) == (5, 5))
        #expect(failures.codes == [.ambiguousVariable])
        #expect(failures.all.first?.description.contains("\"max.size\" and \"maxSize\"") == true)
    }

    @Test func `two variables for a key are reported with the one that applies`() {
        let size = Defaults.Key<Int>("maxSize", default: 0, suite: suite)
        suite.addEnvironment(prefix: "APP_", in: ["APP_MAXSIZE": "1", "APP_MAX_SIZE": "2"])
        #expect(Defaults[size] == 2)
        #expect(failures.codes == [.ambiguousVariable])
        #expect(
            failures.all.first?.underlyingDescription == "APP_MAX_SIZE applies, and APP_MAXSIZE does not")
    }
}
