/// The schema of declared keys, as text and as an independent validator understands it.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread) struct SchemaTests {
    private let suite = DefaultsSuite.inMemory()

    // One name has keys of several types here, which would be reported.
    init() { suite.onFailure = { _ in } }

    /// The schema of one key's values.
    private func property(_ key: Defaults.AnyKey) throws -> DefaultsValue? {
        try Defaults.schema(of: [key])["properties"]?[key.name]
    }

    @Test func `a schema names its draft, the keys in order, and whether others are allowed`() throws {
        let keys: [Defaults.AnyKey] = [
            Defaults.Key<Bool>("b", default: true, suite: suite),
            Defaults.Key<String>("a", default: "", suite: suite),
        ]
        let schema = try Defaults.schema(of: keys, allowsOtherKeys: false)
        #expect(
            schema == [
                "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
                "properties": [
                    "$schema": ["type": "string"],
                    "$migrations": ["type": "array", "items": ["type": "string"]],
                    "$migrationLists": [
                        "type": "object",
                        "additionalProperties": ["type": "array", "items": ["type": "string"]],
                    ],
                    "$history": [
                        "type": "object", "additionalProperties": ["type": "integer", "minimum": 1],
                    ],
                    "b": ["type": "boolean", "default": true],
                    "a": ["type": "string", "default": ""],
                ],
                "additionalProperties": false,
            ])
        #expect(
            schema["properties"]?.object?.map(\.key) == [
                "$schema", "$migrations", "$migrationLists", "$history", "b", "a",
            ])
        #expect(try Defaults.schema(of: keys)["additionalProperties"] == true)
    }

    @Test func `a name that is given twice is one member`() throws {
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        let other = Defaults.Key<String>("other", default: "", suite: suite)
        let schema = try Defaults.schema(of: [size, other, size])
        #expect(schema["properties"]?.object?.map(\.key).suffix(2) == ["size", "other"])
    }

    @Test func `types, bounds, cases, descriptions and defaults are in it`() throws {
        #expect(
            try property(Defaults.Key<UInt8>("k", default: 1, suite: suite, description: "How many."))
                == [
                    "type": "integer", "minimum": 0, "maximum": 255, "description": "How many.", "default": 1,
                ])
        #expect(
            try property(Defaults.Key<Mood>("k", default: .calm, suite: suite))
                == ["enum": ["calm", "merry", "cross"], "default": "calm"])
        #expect(
            try property(Defaults.OptionalKey<Mood>("k", suite: suite)) == [
                "enum": ["calm", "merry", "cross", nil]
            ])
        #expect(
            try property(Defaults.OptionalKey<String>("k", suite: suite)) == ["type": ["string", "null"]])
        #expect(
            try property(Defaults.Key<[String: [Bool]]>("k", default: [:], suite: suite))
                == [
                    "type": "object", "default": [:],
                    "additionalProperties": ["type": "array", "items": ["type": "boolean"]],
                ])
    }

    @Test func `a secret key's default is not in it`() throws {
        let key = Defaults.Key<String>("k", default: "s3cret", suite: suite, secret: true)
        #expect(try property(key) == ["type": "string", "writeOnly": true])
        let window = Defaults.Key<Window>("w", default: Window(width: 77), suite: suite, secret: true)
        #expect(try property(window)?.description.contains("77") == false)
    }

    @Test func `of a codec of one's own only the default is known`() throws {
        let key = Defaults.Key<Angle>("k", default: Angle(degrees: 9), suite: suite, codec: Angle.codec)
        #expect(try property(key) == ["default": 9])
    }

    @Test func `a default outside the key's own validation stands beside the validation`() throws {
        let key = Defaults.Key<Int>("k", default: 0, suite: suite, validation: .range(1...65_535))
        let schema = try property(key)
        #expect(schema?["default"]?.int == 0)
        #expect(schema?["minimum"]?.int == 1)
    }

    @Test func `a default that cannot be written is an error`() {
        let key = Defaults.Key<Unwritable>("k", default: Unwritable(number: 1), suite: suite)
        #expect(refusal { _ = try Defaults.schema(of: [key]) }?.code == .encodingFailed)
    }

    /// A key of each kind, values as the library writes them, and values that do not decode.
    private func samples() throws -> [(key: Defaults.AnyKey, good: [DefaultsValue], bad: [DefaultsValue])] {
        func written<Value: Codable & Sendable>(_ default: Value, _ values: Value...) throws -> (
            Defaults.AnyKey, [DefaultsValue]
        ) {
            let name = "\(Value.self)"
            let key = Defaults.Key<Value>(name, default: `default`, suite: suite)
            let good = try values.map { value in
                try suite.set(key, to: value)
                return try #require(try suite.storedValues()[name])
            }
            return (key, good)
        }
        let (date, dates) = try written(
            Date(timeIntervalSince1970: 0), .distantFuture, .init(timeIntervalSince1970: 0.1))
        let (double, doubles) = try written(0.5, .infinity, -.infinity, .nan, 1, -1e300)
        let (int, ints) = try written(1, .min, .max)
        let (wide, wides) = try written(UInt128(1), .max)
        let (data, bytes) = try written(Data(), Data([1, 2, 255]))
        let (url, urls) = try written(
            URL(filePath: "/"), try #require(URL(string: "https://a.example/b?c")),
            try #require(URL(string: "b", relativeTo: URL(string: "https://a.example/"))))
        let (uuid, uuids) = try written(UUID(), UUID())
        let (decimal, decimals) = try written(Decimal(1), 1.25, .nan)
        let (moods, manyMoods) = try written(Set<Mood>(), [.calm, .cross])
        let (window, windows) = try written(Window(), Window(width: 1))
        let (table, tables) = try written([1: "a"], [2: "b", -3: ""])
        let (pairs, lists) = try written([Window: Int](), [Window(): 1])
        let (maybe, perhaps) = try written([Int?](), [1, nil])
        return [
            (date, dates, [true, ["a": 1]]), (double, doubles, ["1", true, [1]]),
            (int, ints, [0.5, "1", 1e30]),
            (wide, wides, [-1]), (data, bytes, [1]), (url, urls, [1]), (uuid, uuids, [1]),
            (decimal, decimals, ["1", true]), (moods, manyMoods, [["sad"], "calm"]),
            (window, windows, [[800], 1, ["width": "wide"], ["height": nil]]),
            (table, tables, [["1": 2]]), (pairs, lists, [["a": 1]]), (maybe, perhaps, [["a"]]),
        ]
    }

    @Test(.jsonschema) func `an independent validator takes what we write and refuses what does not decode`()
        throws
    {
        let samples = try samples()
        let instances = samples.flatMap { sample in
            sample.good.map { (sample.key.name, $0, true) } + sample.bad.map { (sample.key.name, $0, false) }
        }
        let schema = try Defaults.schema(of: samples.map(\.key))
        #expect(
            try SchemaValidator.verdicts(on: instances.map { [$0.0: $0.1] }, schema.description)
                == instances.map(\.2))
    }
}
