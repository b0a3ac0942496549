/// What a schema says of the validations of keys.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread) struct SchemaValidationTests {
    private let suite = DefaultsSuite.inMemory()

    /// A key with a validation, and what its schema says.
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: @Sendable (DefaultsSuite) -> Defaults.AnyKey
        let schema: DefaultsValue

        init(
            _ name: String, _ schema: DefaultsValue,
            key: @escaping @Sendable (DefaultsSuite) -> Defaults.AnyKey
        ) {
            testDescription = name
            self.schema = schema
            self.key = key
        }
    }

    private static let samples: [Sample] = [
        Sample("whole numbers", ["type": "integer", "minimum": 1, "maximum": 64, "default": 8]) {
            Defaults.Key<Int>("k", default: 8, suite: $0, validation: .range(1...64))
        },
        Sample(
            "numbers, which are finite then",
            ["type": "number", "minimum": 0.25, "maximum": 1, "default": 0.5]
        ) {
            Defaults.Key<Double>("k", default: 0.5, suite: $0, validation: .range(0.25...1))
        },
        Sample(
            "numbers without an upper bound",
            ["type": ["number", "string"], "pattern": "^(-?Infinity|NaN)$", "minimum": 0, "default": 0.5]
        ) {
            Defaults.Key<Double>("k", default: 0.5, suite: $0, validation: .range(0 ... .infinity))
        },
        Sample("no value or a number", ["type": ["number", "null"], "minimum": 0, "maximum": 2]) {
            Defaults.OptionalKey<Float>("k", suite: $0, validation: .range(0...2))
        },
        Sample("decimals", ["type": "number", "minimum": 0, "maximum": 2, "default": 1]) {
            Defaults.Key<Decimal>("k", default: 1, suite: $0, validation: .range(0...2))
        },
        Sample("some texts", ["type": "string", "enum": ["a", "b"], "default": "a"]) {
            Defaults.Key<String>("k", default: "a", suite: $0, validation: .oneOf("a", "b"))
        },
        Sample("some cases, or none", ["enum": ["calm", nil]]) {
            Defaults.OptionalKey<Mood>("k", suite: $0, validation: .oneOf(.calm, nil))
        },
        Sample("texts in an order that JSON Schema does not have", ["type": "string", "default": "a"]) {
            Defaults.Key<String>("k", default: "a", suite: $0, validation: .range("a"..."c"))
        },
        Sample(
            "dates, which have several spellings",
            ["type": ["string", "number"], "format": "date-time", "default": "1970-01-01T00:00:00Z"]
        ) {
            let date = Date(timeIntervalSince1970: 0)
            return Defaults.Key<Date>("k", default: date, suite: $0, validation: .oneOf(date))
        },
        Sample("what a function decides", ["type": "integer", "minimum": -128, "maximum": 127, "default": 2])
        {
            Defaults.Key<Int8>("k", default: 2, suite: $0, validation: .where { $0 % 2 == 0 })
        },
    ]

    @Test(arguments: samples)
    private func `a validation is in the schema as far as the standard has words for it`(_ sample: Sample)
        throws
    {
        #expect(try Defaults.schema(of: [sample.key(suite)])["properties"]?["k"] == sample.schema)
    }

    @Test func `a codec of one's own may write the values of a validation as it likes`() throws {
        let codec = DefaultsCodec<Int>(
            encode: { Array("\"\($0)\"".utf8) },
            decode: { Int(String(decoding: $0.dropFirst().dropLast(), as: UTF8.self)) ?? 0 })
        let key = Defaults.Key<Int>("k", default: 1, suite: suite, codec: codec, validation: .range(1...2))
        #expect(try Defaults.schema(of: [key])["properties"]?["k"] == ["default": "1"])
    }

    @Test(.jsonschema) func `an independent validator refuses what the validations refuse, and nothing else`()
        throws
    {
        let keys: [Defaults.AnyKey] = [
            Defaults.Key<Double>("double", default: 0.5, suite: suite, validation: .range(0...1)),
            Defaults.OptionalKey<Int>("maybe", suite: suite, validation: .range(1...3)),
            Defaults.Key<String>("text", default: "a", suite: suite, validation: .oneOf("a", "b")),
        ]
        let values: [DefaultsValue] = [0, 1, 0.5, 3, 1.5, -1, "a", "b", "c", "NaN", "Infinity", nil, true]
        let instances = ["double", "maybe", "text"].flatMap { name in values.map { (name, $0) } }
        let verdicts = try SchemaValidator.verdicts(
            on: instances.map { [$0.0: $0.1] }, try Defaults.schema(of: keys).description)
        // The validations' own verdict: what a suite makes of each value when it is in its file.
        let wanted = try instances.map { name, value in
            try suite.removeAll()
            try suite.setUnchecked(value, forKey: name)
            return suite.problems().isEmpty
        }
        #expect(verdicts == wanted)
        #expect(Set(wanted) == [true, false])
    }
}
