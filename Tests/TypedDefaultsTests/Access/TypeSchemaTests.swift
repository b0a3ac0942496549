/// What a schema says of types of one's own, which is learned by decoding.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread) struct TypeSchemaTests {
    private let suite = DefaultsSuite.inMemory()

    init() { suite.onFailure = { _ in } }

    private func schema<Value: Codable & Sendable>(
        _ standard: Value, merge: DefaultsMerge = .replace, secret: Bool = false
    ) throws -> DefaultsValue? {
        let key = Defaults.Key<Value>(
            "\(Value.self)\(merge)\(secret)", default: standard, suite: suite, secret: secret, merge: merge)
        let all = try Defaults.schema(of: [key])["properties"]?[key.name]?.object ?? [:]
        return .object(DefaultsObject(all.filter { $0.key != "default" }))
    }

    /// Every `Int` has these bounds.
    private func integer(_ more: DefaultsObject = [:], orNull: Bool = false) -> DefaultsValue {
        let bounds: DefaultsObject = [
            "type": orNull ? ["integer", "null"] : "integer",
            "minimum": .number(DefaultsNumber(Int.min)), "maximum": .number(DefaultsNumber(Int.max)),
        ]
        return .object(DefaultsObject(Array(bounds) + Array(more)))
    }

    private struct Limits: Codable, Sendable { var perMinute = 60, burst: Int? }

    @Test func `members have types, and what the default has may be missing`() throws {
        let members: DefaultsValue = ["perMinute": integer(["default": 60]), "burst": integer(orNull: true)]
        #expect(try schema(Limits()) == ["type": "object", "properties": members])
    }

    @Test func `what neither the type nor the default supplies is required`() throws {
        let limits: DefaultsValue = [
            "type": "object", "properties": ["perMinute": integer(), "burst": integer(orNull: true)],
            "required": ["perMinute"],
        ]
        #expect(try schema([Limits]()) == ["type": "array", "items": limits])
        #expect(try schema(Limits?.none)?["required"] == ["perMinute"])
        #expect(try schema(Limits?.none)?["type"] == ["object", "null"])
        let table = try schema(["a": Limits()])
        #expect(table?["additionalProperties"] == limits)
        // This entry takes from the default what it lacks.
        #expect(table?["properties"]?["a"]?["required"] == nil)
        #expect(table?["properties"]?["a"]?["type"] == "object")
    }

    private enum Mode: Codable, Sendable { case off, heat(to: Double), program([Int], named: String) }

    @Test func `an enumeration with associated values is an object of one case, whichever the default has`()
        throws
    {
        let schema = try schema(Mode.off)
        #expect(
            schema?["oneOf"] == [
                ["type": "object", "required": ["off"]], ["type": "object", "required": ["heat"]],
                ["type": "object", "required": ["program"]],
            ])
        #expect(schema?["properties"]?["off"] == ["type": "object", "properties": [:]])
        #expect(schema?["properties"]?["heat"]?["properties"]?["to"]?["type"] == ["number", "string"])
        #expect(schema?["properties"]?["heat"]?["required"] == ["to"])
        #expect(schema?["properties"]?["program"]?["required"] == ["_0", "named"])
        #expect(try self.schema(Mode.heat(to: 2))?["properties"]?["heat"]?["required"] == nil)
        #expect(try self.schema(Mode?.none)?["oneOf"]?.array?.last == ["type": "null"])
    }

    private enum Level: Int, Codable, Sendable { case low = 1, high = 9 }
    private enum Only: String, Codable, Sendable { case one }

    @Test func `the raw values of an enumeration are known though it lists no cases`() throws {
        #expect(try schema(Level.low) == ["enum": [1, 9]])
        #expect(try schema(Only.one) == ["enum": ["one"]])
        let low = Defaults.Key<Level>("low", default: .low, suite: suite, validation: .oneOf(.low))
        #expect(try Defaults.schema(of: [low])["properties"]?["low"] == ["enum": [1], "default": 1])
    }

    private struct Name: Codable, Sendable {
        var text: String
        init(_ text: String) { self.text = text }
        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    @Test func `a type that is read as another one has its schema`() throws {
        #expect(try schema(Name("a")) == ["type": "string"])
    }

    /// Reads a number or a text.
    private struct Port: Codable, Sendable {
        var number = 80
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do { number = try container.decode(Int.self) } catch {
                number = Int(try container.decode(String.self)) ?? 0
            }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    /// Does not mind a member of a wrong type.
    private struct Patient: Codable, Sendable {
        var port = Port(), size = 1, name = "a"
        init() {}
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            port = try members.decode(Port.self, forKey: .port)
            do { size = try members.decode(Int.self, forKey: .size) } catch { size = 2 }
            name = try members.decode(String.self, forKey: .name)
        }
    }

    @Test func `a type that reads several forms is not said to read one`() throws {
        #expect(try schema(Port()) == [:])
        #expect(
            try schema(Patient()) == [
                "type": "object",
                "properties": [
                    "port": ["default": 80], "size": ["default": 1],
                    "name": ["type": "string", "default": "a"],
                ],
            ])
    }

    /// Reads nothing but ascending numbers, so that no example of it is known.
    private struct Span: Codable, Sendable {
        var from: Int, to: Int
        struct Descending: Error {}
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            from = try members.decode(Int.self, forKey: .from)
            to = try members.decode(Int.self, forKey: .to)
            guard from < to else { throw Descending() }
        }
    }

    @Test func `of a type of which no example is known only the kind is`() throws {
        #expect(try schema([Span]()) == ["type": "array", "items": ["type": "object"]])
    }

    private final class Node: Codable, Sendable {
        let name: String
        let next: Node?
        let others: [Node]
        init(_ name: String) { (self.name, next, others) = (name, nil, []) }
    }

    @Test func `a type within itself is described once`() throws {
        let schema = try schema(Node("a"))
        #expect(schema?["properties"]?["name"] == ["type": "string", "default": "a"])
        #expect(schema?["properties"]?["others"] == ["type": "array", "items": [:], "default": []])
        #expect(schema?["properties"]?["next"] == [:])
    }

    private class Animal: Codable {
        let legs: Int
        init(legs: Int) { self.legs = legs }
    }
    // Unchecked is sound because every stored property is a constant.
    private final class Dog: Animal, @unchecked Sendable {
        let name: String?
        init() {
            name = nil
            super.init(legs: 4)
        }
        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Keys.self).decodeIfPresent(String.self, forKey: .name)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Keys.self)
            try members.encode(name, forKey: .name)
            try super.encode(to: encoder)
        }
        private enum Keys: CodingKey { case name }
    }

    @Test func `a subclass has its superclass's members`() throws {
        #expect(
            try schema(Dog()) == [
                "type": "object",
                "properties": ["name": ["type": ["string", "null"]], "legs": integer(["default": 4])],
            ])
    }

    private struct Empty: Codable, Sendable {}

    @Test func `nothing is said of a type that reads everything`() throws {
        #expect(try schema(Empty()) == [:])
        #expect(try schema(DefaultsValue.null) == [:])
    }

    @Test func `null says in a value to be merged that there is no such member`() throws {
        let table = try schema(["a": 1], merge: .deepMerge)
        #expect(table?["additionalProperties"] == integer(orNull: true))
        let mode = try schema(Mode.off, merge: .deepMerge)
        #expect(mode?["oneOf"] == nil)
        #expect(mode?["properties"]?["off"]?["type"] == ["object", "null"])
    }

    @Test func `of a secret object nothing but its kind is said`() throws {
        #expect(try schema(["s3cret": Limits()], secret: true) == ["type": "object", "writeOnly": true])
        #expect(
            try schema(Limits?.some(Limits()), secret: true) == [
                "type": ["object", "null"], "writeOnly": true,
            ])
    }

    @Test(.jsonschema) func `an independent validator refuses the members and cases that do not decode`()
        throws
    {
        let keys: [Defaults.AnyKey] = [
            Defaults.Key<Limits>("limits", default: Limits(), suite: suite),
            Defaults.Key<[Limits]>("list", default: [], suite: suite),
            Defaults.Key<[String: Limits]>("table", default: ["a": Limits()], suite: suite),
            Defaults.Key<Mode>("mode", default: .off, suite: suite),
            Defaults.OptionalKey<Mode>("maybe", suite: suite),
            Defaults.Key<Level>("level", default: .low, suite: suite),
            Defaults.Key<Duration>("pause", default: .zero, suite: suite),
        ]
        let values: [DefaultsValue] = [
            nil, true, 1, 2, "a", "1h30m", "1h30", [], [:], [1, 2], ["perMinute": 1], ["perMinute": nil],
            ["burst": nil], ["burst": "many"], [["perMinute": 1]], [["burst": 1]], ["a": [:]], ["b": [:]],
            ["b": ["perMinute": 1]], ["off": [:]], ["off": 1], ["heat": ["to": 21.5]],
            ["heat": ["to": "hot"]],
            ["heat": [:]], ["heat": ["to": 1], "off": [:]], ["heat": ["to": 1], "other": 1],
            ["program": ["_0": [1], "named": "a"]], ["program": ["_0": ["a"], "named": "a"]],
        ]
        let instances = keys.flatMap { key in values.map { (key.name, $0) } }
        let verdicts = try SchemaValidator.verdicts(
            on: instances.map { [$0.0: $0.1] }, try Defaults.schema(of: keys).description)
        let wanted = try instances.map { name, value in
            try suite.removeAll()
            try suite.setUnchecked(value, forKey: name)
            return suite.problems().isEmpty
        }
        for (index, instance) in instances.enumerated() {
            #expect(verdicts[index] == wanted[index], "\(instance.0): \(instance.1)")
        }
        #expect(Set(wanted) == [true, false])
    }
}
