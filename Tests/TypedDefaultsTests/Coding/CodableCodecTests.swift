import Testing
import TypedDefaults

/// Every shape a `Codable` type can have comes back as it was.
struct CodableCodecTests {
    struct Window: Codable, Equatable {
        var title = "a"
        var sizes = [Size(), Size(width: 2)]
        var note: String?
    }
    struct Size: Codable, Equatable { var width = 1.5 }

    @Test func `members stand in the order of the type and a nil member is left out`() throws {
        try roundTrip(Window(), expectedText: #"{"title": "a", "sizes": [{"width": 1.5}, {"width": 2}]}"#)
    }

    enum Shape: Codable, Equatable {
        case empty, circle(radius: Double), pair(Int, String?)
        indirect case inside([Shape])
    }

    @Test(arguments: [
        (Shape.empty, #"{"empty": {}}"#), (.circle(radius: -0.0), #"{"circle": {"radius": -0}}"#),
        (.pair(1, nil), #"{"pair": {"_0": 1}}"#), (.pair(1, ""), #"{"pair": {"_0": 1, "_1": ""}}"#),
        (.inside([.empty, .inside([])]), #"{"inside": {"_0": [{"empty": {}}, {"inside": {"_0": []}}]}}"#),
    ]) func `an enum with associated values comes back`(shape: Shape, text: String) throws {
        try roundTrip(shape, expectedText: text)
    }

    struct Level: RawRepresentable, Codable, Equatable { var rawValue: Int16 }
    enum Quality: String, Codable { case low, high }

    @Test func `raw values stand for their types`() throws {
        try roundTrip([Level(rawValue: 3), Level(rawValue: -3)], expectedText: "[3, -3]")
        try roundTrip([Quality.high, nil], expectedText: #"["high", null]"#)
    }

    final class Node: Codable, Equatable, Sendable {
        let name: String
        let next: Node?
        init(_ name: String, _ next: Node?) { (self.name, self.next) = (name, next) }
        static func == (left: Node, right: Node) -> Bool {
            left.name == right.name && left.next == right.next
        }
    }

    @Test func `a recursive class comes back`() throws {
        try roundTrip(Node("a", Node("b", nil)), expectedText: #"{"name": "a", "next": {"name": "b"}}"#)
    }

    @Test func `optionals come back in every position`() throws {
        try roundTrip([1, nil, 3], expectedText: "[1, null, 3]")
        try roundTrip(["a": nil, "b": true], expectedText: #"{"a": null, "b": true}"#)
        try roundTrip([[nil], nil] as [[Bool?]?], expectedText: "[[null], null]")
        try roundTrip(Size?.none, expectedText: "null")
        try roundTrip(Size?.some(Size()), expectedText: #"{"width": 1.5}"#)
    }

    @Test func `nested nils collapse into the outermost one`() throws {
        #expect(try encoded(Int??.some(.none)) == "null")
        #expect(try decoded(Int??.self, from: "null") == .none)
        #expect(try decoded([String??].self, from: "[null]") == [.none])
    }

    struct Nothing: Codable, Equatable {}
    struct Silent: Codable, Equatable {
        init() {}
        init(from decoder: any Decoder) {}
        func encode(to encoder: any Encoder) {}
    }

    @Test func `a type without members is an empty object`() throws {
        try roundTrip(Nothing(), expectedText: "{}")
        try roundTrip([Silent()], expectedText: "[{}]")
    }

    @propertyWrapper struct Wrapped<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
        var wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }
        func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
    }
    struct Wraps: Codable, Equatable {
        @Wrapped var count = 3
        @Wrapped var names = ["b": 1, "a": 2, "c": 3]
        @Wrapped var flag: Bool? = nil
    }

    @Test func `a property wrapper stands for what it wraps`() throws {
        try roundTrip(
            Wraps(), expectedText: #"{"count": 3, "names": {"a": 2, "b": 1, "c": 3}, "flag": null}"#)
    }

    struct Initial: Codable, Equatable {
        var character: Character
        init(_ character: Character) { self.character = character }
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard text.count == 1, let first = text.first else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "one character"))
            }
            character = first
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(String(character))
        }
    }

    @Test func `a type of one value gives its own reason with the place`() throws {
        try roundTrip([Initial("é"), Initial("👩‍👩‍👧")], expectedText: #"["é", "👩‍👩‍👧"]"#)
        #expect(refusal(of: #"["a", "ab"]"#, as: [Initial].self) == "[1]: one character")
    }

    @Test func `text without a value's end is refused with its reason`() {
        #expect(refusal(of: "[1, 2", as: [Int].self)?.hasPrefix("not JSON: ") == true)
    }

    @Test func `white space and comments around a value are read over`() throws {
        #expect(try decoded([Int].self, from: " [1, // one\n 2,] ") == [1, 2])
        #expect(try decoded(Int.self, from: " 7\n") == 7)
    }
}
