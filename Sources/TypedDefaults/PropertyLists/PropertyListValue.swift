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
    /// In the order of the file; of a name that stands twice the last one counts.
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
    /// How many arrays and dictionaries may stand inside one another.
    package static let deepest = 128
    /// How many values one file may have, each counted as often as it is referred to.
    package static let most = 1_000_000

    /// Reads a property list of either form.
    ///
    /// It is safe on any bytes: what is cut short, refers to itself or past the end, nests deeper than 128 levels or
    /// unfolds to over a million values or 64 MiB is a fault.
    package static func read(_ bytes: [UInt8]) throws(PropertyListFault) -> PropertyListValue {
        if bytes.starts(with: "bplist".utf8) {
            var reader = try BinaryPropertyList(bytes)
            return try reader.root()
        }
        var reader = XMLPropertyList(bytes)
        return try reader.root()
    }
}
