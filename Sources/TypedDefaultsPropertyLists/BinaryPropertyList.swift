/// Reads a binary property list (`bplist00`): a table of objects that refer to one another by number.
///
/// Nothing in the bytes is trusted. Every offset and length is checked before it is used, and an object is
/// counted once for each reference.
struct BinaryPropertyList {
    let bytes: [UInt8]
    /// The end of the objects, and the beginning of the table of their offsets.
    let tableStart: Int
    private let offsetSize: Int
    let referenceSize: Int
    private let objectCount: Int
    private let topObject: Int
    private var depth = 0
    private var budget = Budget()

    /// The remaining unfolded size.
    struct Budget {
        var values = PropertyListValue.most
        /// Each leads to a value, but a whole array's are read at once, before the values.
        var references = PropertyListValue.most
        var bytes = 64 << 20
    }

    /// Reads the trailer, the last 32 bytes.
    init(_ bytes: [UInt8]) throws(PropertyListFault) {
        self.bytes = bytes
        guard bytes.starts(with: "bplist00".utf8) else {
            throw PropertyListFault("the version of the binary property list is not 00", atOffset: 0)
        }
        let trailer = bytes.count - 32
        guard trailer >= 8 else { throw PropertyListFault("it is cut short", atOffset: bytes.count) }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let counts = [8, 16, 24].map {
            BinaryPropertyList.unsigned(bytes[(trailer + $0)..<(trailer + $0 + 8)])
        }
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objectCount = Int(exactly: counts[0]), let topObject = Int(exactly: counts[1]),
            let tableStart = Int(exactly: counts[2]), objectCount > 0, topObject < objectCount,
            tableStart >= 9,
            tableStart <= trailer, objectCount <= (trailer - tableStart) / offsetSize
        else { throw PropertyListFault("the trailer describes no table of objects", atOffset: trailer) }
        self.objectCount = objectCount
        self.topObject = topObject
        self.tableStart = tableStart
    }

    /// The outermost value.
    mutating func root() throws(PropertyListFault) -> PropertyListValue { try object(topObject) }

    /// The object of a number, with everything it refers to.
    mutating func object(_ number: Int) throws(PropertyListFault) -> PropertyListValue {
        guard number >= 0, number < objectCount else {
            throw PropertyListFault("it refers to object \(number) of \(objectCount)", atOffset: tableStart)
        }
        let entry = tableStart + number * offsetSize
        guard let offset = Int(exactly: BinaryPropertyList.unsigned(bytes[entry..<entry + offsetSize])),
            offset >= 8, offset < tableStart
        else { throw PropertyListFault("an object's offset lies outside the objects", atOffset: entry) }
        budget.values -= 1
        guard budget.values >= 0 else { throw PropertyListFault(PropertyListFault.tooMany, atOffset: offset) }
        return try value(at: offset)
    }

    /// Counts references before memory is allocated for them.
    mutating func spend(references count: Int, at offset: Int) throws(PropertyListFault) {
        guard count <= budget.references else {
            throw PropertyListFault(PropertyListFault.tooMany, atOffset: offset)
        }
        budget.references -= count
    }

    /// Counts the bytes of a text or data.
    mutating func spend(_ count: Int, at offset: Int) throws(PropertyListFault) {
        budget.bytes -= count
        guard budget.bytes >= 0 else {
            throw PropertyListFault("it unfolds to more than 64 MiB", atOffset: offset)
        }
    }

    /// Reads the content of an array or a dictionary, one level deeper.
    mutating func nested(
        at offset: Int, _ body: (inout BinaryPropertyList) throws(PropertyListFault) -> PropertyListValue
    ) throws(PropertyListFault) -> PropertyListValue {
        guard depth < PropertyListValue.deepest else {
            throw PropertyListFault(PropertyListFault.tooDeep, atOffset: offset)
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    /// A big-endian number of up to eight bytes.
    static func unsigned(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// The objects of a binary property list: a byte for kind and length, then the content.
extension BinaryPropertyList {
    mutating func value(at offset: Int) throws(PropertyListFault) -> PropertyListValue {
        let low = Int(bytes[offset] & 0x0F)
        switch bytes[offset] >> 4 {
        case 0x0: return try constant(at: offset)
        case 0x1: return .integer(try integer(at: offset, log: low))
        case 0x2: return .real(try real(at: offset, log: low))
        case 0x3: return .date(try date(at: offset))
        case 0x4: return .data(Array(try content(at: offset, unit: 1)))
        case 0x5, 0x7: return .string(try text(at: offset))
        case 0x6: return .string(try wideText(at: offset))
        case 0x8: return .reference(BinaryPropertyList.unsigned(try slice(offset + 1, low + 1)))
        case 0xA: return try array(at: offset)
        case 0xD: return try dictionary(at: offset)
        default: throw PropertyListFault("an object is of a kind that no setting has", atOffset: offset)
        }
    }

    private func constant(at offset: Int) throws(PropertyListFault) -> PropertyListValue {
        switch bytes[offset] {
        case 0x08: return .bool(false)
        case 0x09: return .bool(true)
        default: throw PropertyListFault("an object is of a kind that no setting has", atOffset: offset)
        }
    }

    /// A slice of the objects' bytes.
    private func slice(_ start: Int, _ count: Int) throws(PropertyListFault) -> ArraySlice<UInt8> {
        guard count >= 0, start <= tableStart, count <= tableStart - start else {
            throw PropertyListFault("an object reaches beyond the objects", atOffset: min(start, tableStart))
        }
        return bytes[start..<start + count]
    }

    /// Numbers of one, two and four bytes are unsigned, those of eight and sixteen signed.
    private func integer(at offset: Int, log: Int) throws(PropertyListFault) -> Int128 {
        guard log <= 4 else { throw PropertyListFault("an integer is wider than 16 bytes", atOffset: offset) }
        let digits = try slice(offset + 1, 1 << log)
        let value = digits.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        if log == 3 { return Int128(Int64(truncatingIfNeeded: value)) }
        return Int128(truncatingIfNeeded: value)
    }

    private func real(at offset: Int, log: Int) throws(PropertyListFault) -> Double {
        let bits = BinaryPropertyList.unsigned(try slice(offset + 1, log <= 3 ? 1 << log : 0))
        switch log {
        case 2: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 3: return Double(bitPattern: bits)
        default: throw PropertyListFault("a number has neither 4 nor 8 bytes", atOffset: offset)
        }
    }

    private func date(at offset: Int) throws(PropertyListFault) -> Double {
        guard bytes[offset] == 0x33 else {
            throw PropertyListFault("a date has not 8 bytes", atOffset: offset)
        }
        let seconds = try real(at: offset, log: 3)
        guard seconds.isFinite else { throw PropertyListFault("a date is not finite", atOffset: offset) }
        return seconds
    }

    /// The start and the number of an object's elements; a number of 15 and more is in an integer after it.
    private func length(at offset: Int) throws(PropertyListFault) -> (start: Int, count: Int) {
        let low = Int(bytes[offset] & 0x0F)
        guard low == 0x0F else { return (offset + 1, low) }
        let head = try slice(offset + 1, 1)
        guard let marker = head.first, marker >> 4 == 0x1,
            let count = Int(exactly: try integer(at: offset + 1, log: Int(marker & 0x0F))), count >= 0
        else { throw PropertyListFault("a length is no number of elements", atOffset: offset) }
        return (offset + 2 + (1 << Int(marker & 0x0F)), count)
    }

    private mutating func content(at offset: Int, unit: Int) throws(PropertyListFault) -> ArraySlice<UInt8> {
        let (start, count) = try length(at: offset)
        guard count <= bytes.count else {
            throw PropertyListFault("a length is larger than the file", atOffset: offset)
        }
        try spend(count * unit, at: offset)
        return try slice(start, count * unit)
    }

    private mutating func text(at offset: Int) throws(PropertyListFault) -> String {
        guard let text = String(validating: try content(at: offset, unit: 1), as: UTF8.self) else {
            throw PropertyListFault("a text is not UTF-8", atOffset: offset)
        }
        return text
    }

    private mutating func wideText(at offset: Int) throws(PropertyListFault) -> String {
        let content = try content(at: offset, unit: 2)
        let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
            UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw PropertyListFault("a text has half of a surrogate pair", atOffset: offset)
        }
        return text
    }

    private mutating func references(_ start: Int, _ count: Int) throws(PropertyListFault) -> [Int] {
        guard count <= bytes.count else {
            throw PropertyListFault("a length is larger than the file", atOffset: start)
        }
        try spend(references: count, at: start)
        let slice = try slice(start, count * referenceSize)
        // A number that does not fit an Int refers to no object, which is reported at the lookup.
        return (0..<count).map { place in
            let entry = slice.startIndex + place * referenceSize
            return Int(clamping: BinaryPropertyList.unsigned(slice[entry..<entry + referenceSize]))
        }
    }

    private mutating func array(at offset: Int) throws(PropertyListFault) -> PropertyListValue {
        let (start, count) = try length(at: offset)
        let numbers = try references(start, count)
        return try nested(at: offset) { (list) throws(PropertyListFault) in
            var elements: [PropertyListValue] = []
            for number in numbers { elements.append(try list.object(number)) }
            return .array(elements)
        }
    }

    private mutating func dictionary(at offset: Int) throws(PropertyListFault) -> PropertyListValue {
        let (start, count) = try length(at: offset)
        let keys = try references(start, count)
        let values = try references(start + count * referenceSize, count)
        return try nested(at: offset) { (list) throws(PropertyListFault) in
            var members: [PropertyListValue.Member] = []
            for (key, value) in zip(keys, values) {
                guard case .string(let name) = try list.object(key) else {
                    throw PropertyListFault("a dictionary's key is no text", atOffset: offset)
                }
                members.append(PropertyListValue.Member(key: name, value: try list.object(value)))
            }
            return .dictionary(members)
        }
    }
}
