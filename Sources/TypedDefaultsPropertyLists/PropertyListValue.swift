package import DefaultsStore
import TypedDefaults

/// A value of a property list, XML or binary, before it becomes JSON.
package enum PropertyListValue: Hashable, Sendable {
    case bool(Bool)
    case integer(Int128)
    case real(Double)
    case string(String)
    /// Seconds since 2001-01-01 in UTC.
    case date(Double)
    case data([UInt8])
    case array([PropertyListValue])
    /// In the order of the file; of two members with one name the last is used.
    case dictionary([Member])
    /// A reference to another object, which only keyed archives have.
    case reference(UInt64)

    /// One name with its value.
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: PropertyListValue

        package init(key: String, value: PropertyListValue) { (self.key, self.value) = (key, value) }
    }

    /// The value of a dictionary's last member with that name.
    package subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The text.
    package var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The elements.
    package var array: [PropertyListValue]? {
        if case .array(let array) = self { array } else { nil }
    }

    /// The number of the object that is referred to.
    package var reference: UInt64? {
        if case .reference(let number) = self { number } else { nil }
    }
}

extension PropertyListValue {
    /// The most levels of arrays and dictionaries.
    package static let deepest = 128
    /// The most values of one file, each counted once for each reference.
    package static let most = 1_000_000

    /// Reads a property list of either form.
    ///
    /// It is safe on any bytes. A list is a fault if it is truncated, or refers to itself or past the end. So
    /// is one with more than 128 levels, or that unfolds to over a million values or 64 MiB.
    package static func read(_ bytes: [UInt8]) throws(PropertyListFault) -> PropertyListValue {
        if bytes.starts(with: "bplist".utf8) {
            var reader = try BinaryPropertyList(bytes)
            return try reader.root()
        }
        var reader = XMLPropertyList(bytes)
        return try reader.root()
    }
}

/// Conversion to JSON, in the forms that the codec of `Date`, `Data` and `Double` writes.
extension PropertyListValue {
    /// The value as JSON.
    ///
    /// Dates become ISO 8601 in UTC, data base64, and non-finite numbers their names. Inside an array or a
    /// dictionary the text `$null`, which `PropertyListEncoder` writes for nil, becomes `null`.
    ///
    /// - Throws: an error for references, which are no values.
    package func defaultsValue() throws(PropertyListFault) -> DefaultsValue {
        switch self {
        case .bool(let bool): return .bool(bool)
        case .integer(let integer): return .number(DefaultsNumber(integer))
        case .real(let real): return PropertyListValue.number(real)
        case .string(let string): return .string(string)
        case .date(let seconds):
            return DateText.text(of: seconds).map { .string($0) } ?? PropertyListValue.number(seconds)
        case .data(let bytes): return .string(Base64.text(of: bytes))
        case .reference:
            throw PropertyListFault("it holds a reference of a keyed archive, which is no setting")
        case .array(let elements):
            var values: [DefaultsValue] = []
            for element in elements { values.append(try element.inside()) }
            return .array(values)
        case .dictionary(let members):
            var values: [DefaultsObject.Element] = []
            for member in members { values.append((member.key, try member.value.inside())) }
            return .object(DefaultsObject(values))
        }
    }

    /// The members of the outermost dictionary.
    ///
    /// - Throws: an error if the list is another kind of value.
    package func layer() throws(PropertyListFault) -> [String: DefaultsValue] {
        guard case .dictionary(let members) = self else {
            throw PropertyListFault("the outermost value is no dictionary")
        }
        var layer: [String: DefaultsValue] = [:]
        for member in members { layer[member.key] = try member.value.inside() }
        return layer
    }

    /// The value as JSON inside an array or a dictionary, where nil is a text.
    private func inside() throws(PropertyListFault) -> DefaultsValue {
        self == .string("$null") ? .null : try defaultsValue()
    }

    private static func number(_ real: Double) -> DefaultsValue {
        if let number = DefaultsNumber(real) { return .number(number) }
        return .string(real.isNaN ? "NaN" : real < 0 ? "-Infinity" : "Infinity")
    }
}
