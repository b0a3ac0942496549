import TypedDefaults

/// A setting of several members.
struct Window: Codable, Hashable, Sendable {
    var width = 800
    var height = 600
}

/// A setting of a few cases.
enum Mood: String, Codable, CaseIterable, Sendable { case calm, merry, cross }

/// A type that is not `Codable` and has no `==`.
struct Angle: Sendable {
    var degrees: Int

    /// Writes the degrees as a number.
    static let codec = DefaultsCodec<Angle>(
        encode: { Array(String($0.degrees).utf8) },
        decode: { text in
            guard let degrees = Int(String(decoding: text, as: UTF8.self)) else { throw NotAnAngle() }
            return Angle(degrees: degrees)
        })
}

/// What the angles' codec says of other texts.
struct NotAnAngle: Error, CustomStringConvertible {
    var description: String { "not a whole number of degrees" }
}

/// A value of class type.
final class Track: Codable, Sendable {
    let title: String
    init(title: String) { self.title = title }
}

/// A value that can be read and never written.
struct Unwritable: Codable, Hashable, Sendable {
    var number: Int

    init(number: Int) { self.number = number }
    init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
    func encode(to encoder: any Encoder) throws { throw Refused() }

    struct Refused: Error, CustomStringConvertible {
        var description: String { "refused by the type itself" }
    }
}

/// What a test's body throws to leave early.
struct ChangeOfMind: Error, Equatable {}
