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
        ("on", true), ("Off", false), ("2", nil), ("", nil), ("\"true\"", nil),
    ])
    func `a Bool takes true and false, yes and no, on and off, 1 and 0`(_ text: String, _ value: Bool?) {
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

    @Test func `enums, dates and URLs take a bare word`() throws {
        #expect(read("merry", default: Mood.calm) == .merry)
        #expect(read("1970-01-01T00:00:00Z", default: Date.distantPast) == Date(timeIntervalSince1970: 0))
        let url = try #require(URL(string: "https://example.org/a?b=c"))
        #expect(read("https://example.org/a?b=c", default: URL(filePath: "/")) == url)
    }

    @Test func `a text that is not allowed is refused with the rule's reason and no value`() {
        _ = Defaults.Key<Int>("argument", default: 5, suite: suite, validate: .range(0...10))
        _ = Defaults.Key<Int>("variable", default: 5, suite: suite, validate: .range(0...10))
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
        #expect(suite.origin(ofKey: "size") == .environment)
        #expect(failures.codes == [.typeMismatch])
        #expect(suite.problems().map(\.domain) == ["arguments"])
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
        #expect(other.declaredKeys == [])
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

    @Test func `two variables for a key are reported with the one that counts`() {
        let size = Defaults.Key<Int>("maxSize", default: 0, suite: suite)
        suite.addEnvironment(prefix: "APP_", in: ["APP_MAXSIZE": "1", "APP_MAX_SIZE": "2"])
        #expect(Defaults[size] == 2)
        #expect(failures.codes == [.ambiguousVariable])
        #expect(
            failures.all.first?.underlyingDescription == "APP_MAX_SIZE counts, and APP_MAXSIZE does not")
    }
}
