/// Types and values that are made at random, for what holds for all of them.
import Foundation
import TypedDefaults

/// Numbers that look random, the same ones for the same seed.
struct Numbers: RandomNumberGenerator {
    private(set) var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// A type of which values can be made.
protocol Made: Codable, Sendable {
    static func made(_ random: inout Numbers) -> Self
}

extension Bool: Made {
    static func made(_ random: inout Numbers) -> Bool { .random(using: &random) }
}
extension Int: Made {
    static func made(_ random: inout Numbers) -> Int { .random(in: -9...9, using: &random) }
}
extension UInt8: Made {
    static func made(_ random: inout Numbers) -> UInt8 { .random(in: 0 ... .max, using: &random) }
}
extension Double: Made {
    static func made(_ random: inout Numbers) -> Double {
        [0.5, -3, .infinity, .nan].randomElement(using: &random) ?? 0
    }
}
extension String: Made {
    static func made(_ random: inout Numbers) -> String { Values.text(&random) }
}
extension Date: Made {
    static func made(_ random: inout Numbers) -> Date {
        Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random))
    }
}
extension URL: Made {
    static func made(_ random: inout Numbers) -> URL { URL(filePath: "/a b") }
}
extension UUID: Made {
    static func made(_ random: inout Numbers) -> UUID { UUID() }
}
extension Data: Made {
    static func made(_ random: inout Numbers) -> Data {
        Data([1, 2].prefix(Int.random(in: 0...2, using: &random)))
    }
}
extension Duration: Made {
    static func made(_ random: inout Numbers) -> Duration {
        .milliseconds(.random(in: 0...9_999, using: &random))
    }
}
extension Optional: Made where Wrapped: Made {
    static func made(_ random: inout Numbers) -> Wrapped? { Bool.made(&random) ? .made(&random) : nil }
}
extension Array: Made where Element: Made {
    static func made(_ random: inout Numbers) -> [Element] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in .made(&random) }
    }
}
extension Dictionary: Made where Key == String, Value: Made {
    static func made(_ random: inout Numbers) -> [String: Value] {
        Dictionary(
            ["a", "first", "x"].prefix(Int.random(in: 0...2, using: &random)).map { ($0, .made(&random)) }
        ) {
            $1
        }
    }
}

enum Word: String, Made, CaseIterable {
    case light, dark
    static func made(_ random: inout Numbers) -> Word { allCases.randomElement(using: &random) ?? .light }
}

/// Not `CaseIterable`.
enum Level: Int, Made {
    case low = 1, high = 9
    static func made(_ random: inout Numbers) -> Level { Bool.made(&random) ? .low : .high }
}

struct One<First: Made>: Made {
    var first: First
    static func made(_ random: inout Numbers) -> One { One(first: .made(&random)) }
}

struct Two<First: Made, Second: Made>: Made {
    var first: First
    var other: Second?
    static func made(_ random: inout Numbers) -> Two { Two(first: .made(&random), other: .made(&random)) }
}

/// Encodes itself as the value in it.
struct Wrapped<First: Made>: Made {
    var first: First
    init(first: First) { self.first = first }
    init(from decoder: any Decoder) throws { first = try decoder.singleValueContainer().decode(First.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(first)
    }
    static func made(_ random: inout Numbers) -> Wrapped { Wrapped(first: .made(&random)) }
}

/// Supplies its members itself, and opens a container in a container.
struct Lenient<First: Made>: Made {
    var first: First
    var count = 1
    init(first: First) { self.first = first }

    private enum Names: String, CodingKey { case first = "a", inner = "other" }
    private enum Inner: CodingKey { case x }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Names.self)
        first = try members.decode(First.self, forKey: .first)
        guard members.contains(.inner) else { return }
        count =
            try members.nestedContainer(keyedBy: Inner.self, forKey: .inner).decodeIfPresent(
                Int.self, forKey: .x) ?? 1
    }
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Names.self)
        try members.encode(first, forKey: .first)
        var inner = members.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        try inner.encode(count, forKey: .x)
    }
    static func made(_ random: inout Numbers) -> Lenient { Lenient(first: .made(&random)) }
}

enum Choice<First: Made, Second: Made>: Made {
    case first(First)
    case other(a: Second, x: Int)
    case a

    static func made(_ random: inout Numbers) -> Choice {
        switch Int.random(in: 0...2, using: &random) {
        case 0: .first(.made(&random))
        case 1: .other(a: .made(&random), x: 1)
        default: .a
        }
    }
}

/// A generated type.
struct AnyType {
    let type: any Made.Type

    static func random(depth: Int, _ random: inout Numbers) -> AnyType {
        let simple: [any Made.Type] = [
            Bool.self, Int.self, UInt8.self, Double.self, String.self, Date.self, URL.self, UUID.self,
            Data.self,
            Duration.self, Word.self, Level.self,
        ]
        guard depth > 0, Int.random(in: 0..<5, using: &random) > 0 else {
            return AnyType(type: simple.randomElement(using: &random) ?? Bool.self)
        }
        let first = AnyType.random(depth: depth - 1, &random).type
        let second = AnyType.random(depth: depth - 1, &random).type
        return AnyType(type: composed(first, second, Int.random(in: 0..<9, using: &random)))
    }

    private static func composed<First: Made, Second: Made>(
        _ first: First.Type, _ second: Second.Type, _ way: Int
    ) -> any Made.Type {
        switch way {
        case 0: First?.self
        case 1: [First].self
        case 2: [String: First].self
        case 3: One<First>.self
        case 4, 5: Two<First, Second>.self
        case 6: Wrapped<First>.self
        case 7: Lenient<First>.self
        default: Choice<First, Second>.self
        }
    }
}

extension Made {
    /// A key of the type, with a default.
    static func key(_ name: String, in suite: DefaultsSuite, _ random: inout Numbers) -> AnyMadeKey {
        let standard = made(&random)
        return AnyMadeKey(
            key: Defaults.Key<Self>(name, default: standard, suite: suite),
            type: "\(self), default \(standard)"
        ) { numbers in
            let other = DefaultsSuite.inMemory()
            do {
                try other.set(Defaults.Key<Self>(name, default: standard, suite: other), to: made(&numbers))
                return try other.storedValues()[name] ?? .null
            } catch {
                return .null
            }
        }
    }
}

struct AnyMadeKey {
    let key: Defaults.AnyKey
    let type: String
    let made: (inout Numbers) -> DefaultsValue

    /// A value that the program has written, mostly changed by a person.
    func value(_ random: inout Numbers) -> DefaultsValue {
        var value = made(&random)
        for _ in 0..<Int.random(in: 0...2, using: &random) { value = Values.changed(value, &random) }
        return value
    }
}

/// Values as people may write them.
enum Values {
    static func text(_ random: inout Numbers) -> String {
        let all = [
            "", "a", "1", "true", "light", "2026-11-21T18:25:48Z", "2026-02-30T00:00:00Z", "Infinity", "NaN",
            "https://example.com/a b", "http://exa mple", "1:2", "AQ==", "AQ=", "1h30m", "1h30", "-.5s",
            "5.s", "1d",
            "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "é", "µ",
        ]
        return all.randomElement(using: &random) ?? ""
    }

    private static func any(_ random: inout Numbers) -> DefaultsValue {
        let all: [DefaultsValue] = [
            nil, true, 0, 1, 9, -3, 0.5, 255, 256, 1e30, [], [:], [1], ["a": 1], ["first": "a"], ["a": [:]],
            .string(text(&random)), .string(text(&random)),
        ]
        return all.randomElement(using: &random) ?? .null
    }

    static func changed(_ value: DefaultsValue, _ random: inout Numbers) -> DefaultsValue {
        guard Int.random(in: 0..<4, using: &random) > 0 else { return any(&random) }
        switch value {
        case .array(var elements) where !elements.isEmpty:
            let place = Int.random(in: elements.indices, using: &random)
            elements[place] = changed(elements[place], &random)
            return .array(elements)
        case .object(let object) where !object.isEmpty:
            var members = Array(object)
            let place = Int.random(in: members.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: members.remove(at: place)
            case 1:
                members.append(
                    (["a", "x", "other", "first"].randomElement(using: &random) ?? "a", any(&random)))
            default: members[place].value = changed(members[place].value, &random)
            }
            return .object(DefaultsObject(members))
        default: return any(&random)
        }
    }
}
