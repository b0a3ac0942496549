/// Moving from `UserDefaults`.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsFoundation

@Suite(.ownThread, .timeLimit(.minutes(60))) struct ImportTests {
    /// A setting of two members.
    struct Window: Codable, Hashable, Sendable {
        var width = 800
        var height = 600
    }

    /// A setting that any text makes.
    struct Tag: RawRepresentable, Codable, Hashable, Sendable { var rawValue: String }

    private let suite = DefaultsSuite.inMemory()

    private func withValues(_ values: [String: Any], _ body: (UserDefaults) throws -> Void) throws {
        let old = FixedDefaults()
        old.values = values
        try body(old)
    }

    @Test func `values of every kind are taken`() throws {
        let values: [String: Any] = [
            "bool": true, "zero": 0, "one": 1, "big": UInt64.max, "real": 0.5, "text": "a", "list": [1, "b"],
            "deep": ["a": ["b": false]], "date": Date(timeIntervalSince1970: 0), "data": Data([1, 2, 3]),
        ]
        try withValues(values) { (old) throws in
            let result = try suite.importValues(from: old, keys: values.keys + ["none", "bool"])
            #expect(result.imported == values.keys.sorted())
            #expect(result.missing == ["none"])
            #expect(result.refused == [:])
            #expect(
                try suite.storedValues() == [
                    "bool": true, "zero": 0, "one": 1, "big": 18_446_744_073_709_551_615, "real": 0.5,
                    "text": "a", "list": [1, "b"], "deep": ["a": ["b": false]],
                    "date": "1970-01-01T00:00:00Z", "data": "AQID",
                ])
        }
    }

    @Test func `nothing stored is overwritten unless that is asked for`() throws {
        try suite.set("mine", forKey: "a")
        try withValues(["a": "theirs", "b": "theirs"]) { (old) throws in
            let first = try suite.importValues(from: old, keys: ["a", "b"])
            #expect(first.alreadyStored == ["a"] && first.imported == ["b"])
            #expect(try suite.storedValues() == ["a": "mine", "b": "theirs"])
            let second = try suite.importValues(from: old, keys: ["a"], overwriting: true)
            #expect(second.imported == ["a"])
            #expect(suite.value(forKey: "a") == "theirs")
        }
    }

    @Test func `a registered default is no stored value`() throws {
        suite.register(defaults: ["a": "registered"])
        try withValues(["a": "theirs"]) { (old) throws in
            #expect(try suite.importValues(from: old, keys: ["a"]).imported == ["a"])
            #expect(try suite.storedValues() == ["a": "theirs"])
        }
    }

    @Test func `a declared key takes JSON in a text as its value, and a text as a text`() throws {
        let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
        let text = Defaults.Key<String>("text", default: "", suite: suite)
        try withValues(["window": #"{"width":1,"height":2}"#, "text": #"{"width":1}"#]) { (old) throws in
            _ = try suite.importValues(from: old, keys: ["window", "text"])
            #expect(try suite.value(window) == Window(width: 1, height: 2))
            #expect(try suite.value(text) == #"{"width":1}"#)
        }
    }

    @Test func `a key that could use the quoted text too gets the text that the JSON string spells`() throws {
        let tag = Defaults.Key<Tag>("tag", default: Tag(rawValue: ""), suite: suite)
        let address = Defaults.OptionalKey<URL>("address", suite: suite)
        let text = Defaults.Key<String>("text", default: "", suite: suite)
        let word = Defaults.OptionalKey<String>("word", suite: suite)
        let values = ["tag": #""blue""#, "address": #""a%20b""#, "text": #""blue""#, "word": #""blue""#]
        try withValues(values) { (old) throws in
            #expect(try suite.importValues(from: old, keys: values.keys.sorted()).refused == [:])
            #expect(try suite.value(tag) == Tag(rawValue: "blue"))
            #expect(try suite.value(address)?.relativeString == "a%20b")
            #expect(try suite.value(text) == #""blue""#)
            #expect(try suite.value(word) == #""blue""#)
        }
    }

    @Test func `a text that only begins as a JSON string stays as it is`() throws {
        let tag = Defaults.Key<Tag>("tag", default: Tag(rawValue: ""), suite: suite)
        let number = Defaults.Key<Tag>("number", default: Tag(rawValue: ""), suite: suite)
        try withValues(["tag": #""blue" and red"#, "number": "5"]) { (old) throws in
            _ = try suite.importValues(from: old, keys: ["tag", "number"])
            #expect(try suite.value(tag) == Tag(rawValue: #""blue" and red"#))
            #expect(try suite.value(number) == Tag(rawValue: "5"))
        }
    }

    @Test func `a declared key takes JSON in data as its value, and data as data`() throws {
        let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
        let day = Defaults.OptionalKey<Date>("day", suite: suite)
        let data = Defaults.Key<Data>("data", default: Data(), suite: suite)
        let (size, moment) = (Window(width: 1, height: 2), Date(timeIntervalSince1970: 1_700_000_000.5))
        let json = try JSONEncoder().encode(size)
        let values: [String: Any] = ["window": json, "data": json, "day": try JSONEncoder().encode(moment)]
        try withValues(values) { (old) throws in
            #expect(try suite.importValues(from: old, keys: ["window", "data", "day"]).refused == [:])
            #expect(try suite.value(window) == size)
            #expect(try suite.value(data) == json)
            #expect(try suite.value(day) == moment)
        }
    }

    @Test func `a key that could use the base64 too gets what the data spells`() throws {
        let text = Defaults.Key<String>("text", default: "", suite: suite)
        let address = Defaults.OptionalKey<URL>("address", suite: suite)
        let url = try #require(URL(string: "https://a/b"))
        let values = ["text": try JSONEncoder().encode("dark"), "address": try JSONEncoder().encode(url)]
        try withValues(values) { (old) throws in
            _ = try suite.importValues(from: old, keys: ["text", "address"])
            #expect(try suite.value(text) == "dark")
            #expect(try suite.value(address) == url)
        }
    }

    @Test func `data that spells no value of the key is refused, also where its base64 would`() throws {
        _ = Defaults.Key<Int>("count", default: 0, suite: suite)
        _ = Defaults.Key<Window>("window", default: Window(), suite: suite)
        let base64 = try #require(Data(base64Encoded: "1234"))
        try withValues(["count": base64, "window": Data(#"["s3cret"]"#.utf8)]) { (old) throws in
            let result = try suite.importValues(from: old, keys: ["count", "window"])
            #expect(result.refused.keys.sorted() == ["count", "window"])
            #expect(!result.refused.values.contains { $0.contains("1234") || $0.contains("s3cret") })
            #expect(try suite.storedValues() == [:])
        }
    }

    @Test func `what a declared key cannot use is refused without its value`() throws {
        _ = Defaults.Key<Int>("count", default: 0, suite: suite, validation: .range(0...9))
        _ = Defaults.Key<Window>("window", default: Window(), suite: suite)
        try withValues(["count": 77_123, "window": "s3cret"]) { (old) throws in
            let result = try suite.importValues(from: old, keys: ["count", "window"])
            #expect(result.imported == [])
            #expect(result.refused.keys.sorted() == ["count", "window"])
            #expect(!result.refused.values.contains { $0.contains("77123") || $0.contains("s3cret") })
            #expect(try suite.storedValues() == [:])
        }
    }

    @Test func `observers hear of all values at once`() throws {
        let heard = Recorder<Int>()
        let (a, b) = (
            Defaults.Key<Int>("a", default: 0, suite: suite), Defaults.Key<Int>("b", default: 0, suite: suite)
        )
        let observation = suite.observe([a, b], options: []) { heard.append(1) }
        try withValues(["a": 1, "b": 2]) { _ = try suite.importValues(from: $0, keys: ["a", "b"]) }
        #expect(heard.all == [1])
        observation.invalidate()
    }

    @Test func `an empty name is refused and nothing is imported`() throws {
        try withValues(["": 1, "a": 1]) { (old) throws in
            #expect(throws: DefaultsError.self) { try suite.importValues(from: old, keys: ["", "a"]) }
            #expect(try suite.storedValues() == [:])
        }
    }

    @Test func `an argument of the command line is not taken for the stored value that it hides`() throws {
        let old = FixedDefaults()
        (old.values, old.arguments) = (["theme": "dark", "size": 1], ["theme": "blue", "extra": "5"])
        let result = try suite.importValues(from: old, keys: ["theme", "size", "extra"])
        #expect(result.imported == ["size"])
        #expect(result.refused.keys.sorted() == ["extra", "theme"])
        #expect(!result.refused.values.contains { $0.contains("blue") })
        #expect(try suite.storedValues() == ["size": 1])
    }

    @Test(.whole) func `a value that is too large is refused and the others are taken`() throws {
        try withValues(["a": 1, "b": Data(count: 13 << 20)]) { (old) throws in
            let result = try suite.importValues(from: old, keys: ["a", "b"])
            #expect(result.imported == ["a"])
            #expect(result.refused["b"]?.hasPrefix("the value is too large to store") == true)
            #expect(try suite.storedValues() == ["a": 1])
        }
    }
}
