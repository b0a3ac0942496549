import TypedDefaultsPropertyLists

/// Writes a property list in its binary form (`bplist00`), each value once for each occurrence and in one
/// form.
struct BinaryPropertyListWriter {
    private static let referenceSize = 4
    private static let offsetSize = 8
    private var bytes = Array("bplist00".utf8)
    private var offsets: [Int] = []

    /// The bytes of a whole list.
    static func bytes(of list: PropertyListValue) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        let top = writer.add(list)
        return writer.finished(top)
    }

    /// Adds a value after those that it refers to.
    ///
    /// - Returns: its number.
    private mutating func add(_ value: PropertyListValue) -> Int {
        let record: [UInt8] =
            switch value {
            case .bool(let bool): [bool ? 0x09 : 0x08]
            case .integer(let number):
                Int64(exactly: number).map { [0x13] + Self.big($0, 8) } ?? [0x14] + Self.big(number, 16)
            case .real(let number): [0x23] + Self.big(number.bitPattern, 8)
            case .date(let seconds): [0x33] + Self.big(seconds.bitPattern, 8)
            case .data(let data): Self.head(0x40, data.count) + data
            case .string(let text): Self.record(of: text)
            case .reference(let number): [0x87] + Self.big(number, 8)
            case .array(let elements): Self.head(0xA0, elements.count) + references(to: elements)
            case .dictionary(let members):
                Self.head(0xD0, members.count) + references(to: members.map { .string($0.key) })
                    + references(to: members.map(\.value))
            }
        offsets.append(bytes.count)
        bytes += record
        return offsets.count - 1
    }

    private mutating func references(to values: [PropertyListValue]) -> [UInt8] {
        var references: [UInt8] = []
        for value in values { references += Self.big(add(value), Self.referenceSize) }
        return references
    }

    /// A text of ASCII byte by byte, any other in UTF-16.
    private static func record(of text: String) -> [UInt8] {
        let units = Array(text.utf16)
        guard units.contains(where: { $0 > 0x7F }) else { return head(0x50, units.count) + text.utf8 }
        return head(0x60, units.count) + units.flatMap { big($0, 2) }
    }

    private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 0x0F, 0x13] + big(count, 8)
    }

    /// The lowest bytes of a number, in big-endian order.
    private static func big(_ number: some BinaryInteger, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func finished(_ top: Int) -> [UInt8] {
        let table = offsets.flatMap { Self.big($0, Self.offsetSize) }
        let sizes: [UInt8] = [0, 0, 0, 0, 0, 0, UInt8(Self.offsetSize), UInt8(Self.referenceSize)]
        return bytes + table + sizes + Self.big(offsets.count, 8) + Self.big(top, 8)
            + Self.big(bytes.count, 8)
    }
}
