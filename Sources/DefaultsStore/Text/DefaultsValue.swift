/// A value as the settings file holds it.
///
/// Equality is by meaning: numbers are compared by their decimal value (`1 == 1.0`), strings by their UTF-8 bytes,
/// objects regardless of the order of their members.
public enum DefaultsValue: Hashable, Sendable {
    /// An explicit `null`, which is a stored value and not a missing one.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with every digit it was written with.
    case number(DefaultsNumber)
    /// A text.
    case string(String)
    /// An ordered list.
    case array([DefaultsValue])
    /// Named members in their order.
    case object(DefaultsObject)
    /// What none of these can hold, as its JSON text: a text with half of a surrogate pair, or what is inside more than 128
    /// arrays and objects.
    case verbatim(DefaultsVerbatim)

    /// Whether both are the same JSON value.
    public static func == (left: DefaultsValue, right: DefaultsValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasBytes(of: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.verbatim(let left), .verbatim(let right)): left == right
        default: false
        }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null:
            hasher.combine(0)
        case .bool(let bool):
            hasher.combine(1)
            hasher.combine(bool)
        case .number(let number):
            hasher.combine(2)
            hasher.combine(number)
        case .string(let string):
            hasher.combine(3)
            string.hashBytes(into: &hasher)
        case .array(let array):
            hasher.combine(4)
            hasher.combine(array)
        case .object(let object):
            hasher.combine(5)
            hasher.combine(object)
        case .verbatim(let verbatim):
            hasher.combine(6)
            hasher.combine(verbatim)
        }
    }
}

extension DefaultsValue: CustomStringConvertible {
    /// The value's JSON text on one line.
    public var description: String {
        String(decoding: JSONWriter.text(of: self), as: UTF8.self)
    }
}
