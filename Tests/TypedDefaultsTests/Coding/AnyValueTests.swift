import Foundation
import TestSupport
import Testing
import TypedDefaults

/// Any JSON as a key's value, and inside one.
@Suite(.ownThread) struct AnyValueTests {
    private struct Plugin: Codable, Equatable, Sendable {
        var name = "a"
        var options: DefaultsValue = nil
        var extra: [String: DefaultsValue] = [:]
        var last: DefaultsValue?
    }

    /// A type that decodes its member by the member's own initializer.
    private struct Wrapped: Codable, Equatable, Sendable {
        var value: DefaultsValue
        init(from decoder: any Decoder) throws { value = try DefaultsValue(from: decoder) }
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private static let text = """
        {"b": [1.0, 1e400, 12345678901234567890.50, -0], "a": null, "a": {"z": true, "y": "\u{E9}"}, "e": []}
        """

    @Test func `every digit, every member and their order come back`() throws {
        let value = try DefaultsValue(json: Self.text)
        #expect(try encoded(value) == Self.text)
        #expect(try decoded(DefaultsValue.self, from: Self.text).description == Self.text)
        #expect(try encoded([value, nil]) == "[\(Self.text), null]")
        #expect(
            try decoded([DefaultsValue].self, from: "[\(Self.text), null]").map(\.isNull) == [false, true])
        #expect(try encoded(["k": value]) == #"{"k": \#(Self.text)}"#)
        let wrapped = try decoded(Wrapped.self, from: Self.text)
        #expect(wrapped.value.description == Self.text)
        #expect(try encoded(wrapped) == Self.text)
    }

    @Test func `a member may be any JSON, and null is a value where it is not optional`() throws {
        let text = #"{"name": "p", "options": 1.50, "extra": {"a": [1], "b": null}}"#
        try roundTrip(Plugin(name: "p", options: 1.5, extra: ["a": [1], "b": nil]))
        #expect(try encoded(decoded(Plugin.self, from: text)) == text)
        let empty = try decoded(
            Plugin.self, from: #"{"name": "p", "options": null, "extra": {}, "last": null}"#)
        #expect(empty == Plugin(name: "p"))
        #expect(
            refusal(of: #"{"name": "p", "extra": {}}"#, as: Plugin.self)
                == "the member \"options\" is missing")
    }

    @Test(arguments: Place.allCases)
    func `keys of it read, write, observe and are described`(_ place: Place) throws {
        try place.withSuite { suite in
            let raw = Defaults.Key<DefaultsValue>("raw", default: nil, suite: suite)
            let extra = Defaults.Key<[String: DefaultsValue]>("extra", default: [:], suite: suite)
            let last = Defaults.OptionalKey<DefaultsValue>("last", suite: suite)
            let heard = Recorder<DefaultsValue>()
            let observation = Defaults.observe(raw) { heard.append($0.newValue) }
            #expect(Defaults[raw] == .null)
            Defaults[raw] = ["a": [1, "b"]]
            Defaults[extra]["x"] = 0.5
            Defaults[last] = "text"
            #expect(heard.all == [.null, ["a": [1, "b"]]])
            #expect(Defaults[raw]["a"]?[1] == "b")
            #expect(Defaults[extra] == ["x": 0.5])
            #expect(Defaults[last] == "text")
            Defaults[raw] = nil
            Defaults[last] = nil
            let stored = try suite.storedValues()
            #expect(stored == ["raw": nil, "extra": ["x": 0.5]])
            #expect(suite.problems().isEmpty)
            observation.invalidate()
        }
    }

    @Test func `a value nested too deeply is refused as any other is`() {
        let deep = (0..<128).reduce(DefaultsValue(1)) { value, _ in .array([value]) }
        #expect(saying { _ = try encoded(deep) } == nil)
        #expect(
            saying { _ = try encoded([deep]) }
                == "[0]: DefaultsValue holds itself, or holds too many containers inside one another")
    }

    @Test(arguments: [
        "null", "true", "3", "-0.5", "18446744073709551615", "1e300", #""text""#, "[]", "{}",
        "170141183460469231731687303715884105727",
        #"{"a_b": [null, {"c": 1.5, "d": [[], {}]}, false, "x"], "e": -7}"#,
    ])
    func `Foundation's coders take it both ways`(text: String) throws {
        let value = try DefaultsValue(json: text)
        let coded = try JSONEncoder().encode(value)
        #expect(try DefaultsValue(json: String(decoding: coded, as: UTF8.self)) == value)
        #expect(try JSONDecoder().decode(DefaultsValue.self, from: Data(text.utf8)) == value)
        let plugin = Plugin(options: value, extra: ["a": value], last: value.isNull ? .none : .some(value))
        #expect(try JSONDecoder().decode(Plugin.self, from: JSONEncoder().encode(plugin)) == plugin)
    }

    @Test func `names that are data are no matter for a strategy of names, nor texts for one of numbers`()
        throws
    {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let value: DefaultsValue = ["serverName": "inf", "server_url": ["isOn": "nan"]]
        #expect(try decoder.decode(DefaultsValue.self, from: encoder.encode(value)) == value)
    }

    @Test func `what other coders cannot hold is the nearest number, the last member, or an error`() throws {
        func json(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode(DefaultsValue(json: text)), as: UTF8.self)
        }
        #expect(try json("0.12345678901234567890") == "0.12345678901234568")
        #expect(try json(#"{"a": 1, "a": 2}"#) == #"{"a":2}"#)
        #expect(saying { _ = try json("1e400") } == "a number beyond the range of a Double")
        #expect(
            saying { _ = try json(#"{"\u00E9": 1, "e\u0301": 2}"#) }
                == "two names differ only in their Unicode form")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(DefaultsValue.self, from: Data("[1, 1e400]".utf8))
        }
    }
}
