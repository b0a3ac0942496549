/// What must hold of any JSON text that is decoded as one of several types; run by tests and by `.ci/fuzz`.
import DefaultsStore
import TypedDefaults

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

enum CodecFuzzCheck {
    /// What does not hold, nil when everything does.
    static func objection(to input: [UInt8]) -> String? {
        let text: [UInt8]
        do {
            text = Array(try StoredValue(validating: input).bytes)
        } catch {
            return nil
        }
        return types.lazy.compactMap { objection(to: text, as: $0) }.first
    }

    /// The scalars among them have a short way, which must agree with the general one.
    private static let types: [any (Codable & Hashable & Sendable).Type] = [
        Everything.self, [Everything].self, Tree.self, [String: [Int?]].self, [Date: [String]].self,
        Set<Double?>.self, [Int: Data].self, Date.self, Decimal.self, ClosedRange<Int8>.self,
        Bool?.self, Int.self, UInt8??.self, UInt64.self, Int128.self, Double.self, Float?.self, String.self,
    ]

    private static func objection<Value: Codable & Hashable & Sendable>(
        to text: [UInt8], as type: Value.Type
    ) -> String? {
        let codec = DefaultsCodec<Value>.codable
        guard let value = reading(text, by: codec) else {
            return reading(text, by: DefaultsCodec<Value>.general) == nil
                ? nil : "\(type): only the general way reads it"
        }
        do {
            let written = try codec.encode(value)
            let again = try codec.decode(written)
            guard try codec.encode(again) == written else { return "\(type): the text is not settled" }
            // A NaN is equal to nothing; its text was compared.
            guard again == value || written.contains("NaN".utf8) else { return "\(type): another value" }
            guard try DefaultsCodec<Value>.general.encode(value) == written,
                try DefaultsCodec<Value>.general.encode(DefaultsCodec<Value>.general.decode(text)) == written
            else { return "\(type): the general way reads or writes otherwise" }
            return nil
        } catch {
            return "\(type): decoded, and then \(describe(error))"
        }
    }

    /// The value, nil when the text is refused; a refusal must say something.
    private static func reading<Value>(_ text: [UInt8], by codec: DefaultsCodec<Value>) -> Value? {
        do {
            return try codec.decode(text)
        } catch {
            precondition(!describe(error).isEmpty)
            return nil
        }
    }
}

/// Every kind of member at once.
private struct Everything: Codable, Hashable, Sendable {
    struct Point: Codable, Hashable, Sendable { var x: Int16?, y: Float }
    enum Choice: String, Codable { case red, green }

    var name: String?
    var count: Int?
    var big: UInt128?
    var ratio: Double?
    var when: Date?
    var data: Data?
    var link: URL?
    var price: Decimal?
    var choice: Choice?
    var point: Point?
    var tags: Set<String>?
    var days: Set<Date>?
    var points: Set<Point>?
    var byNumber: [Int8: String?]?
    var byDate: [Date: Bool]?
    var byPoint: [Point: [Choice]]?
    var inside: [Everything]?
}

/// A value inside itself by every way there is.
private indirect enum Tree: Codable, Hashable, Sendable {
    case leaf(Int?), text(String)
    case list([Tree?]), set(Set<Tree>)
    case keyed([Tree: Tree])
}
