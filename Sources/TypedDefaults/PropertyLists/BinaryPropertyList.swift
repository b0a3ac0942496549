/// Reads a binary property list (`bplist00`): a table of objects that refer to one another by number.
///
/// Nothing in the bytes is trusted: every offset and length is checked before it is used, and what is referred to
/// often counts as often.
struct BinaryPropertyList {
    let bytes: [UInt8]
    /// Where the objects end and the table of their offsets begins.
    let tableStart: Int
    private let offsetSize: Int
    let referenceSize: Int
    private let objectCount: Int
    private let topObject: Int
    private var depth = 0
    private var budget = Budget()

    /// What a list may still unfold to.
    struct Budget {
        var values = PropertyListValue.most
        /// Each leads to a value, but they are read before that, a whole array's at once.
        var references = PropertyListValue.most
        var bytes = 64 << 20
    }

    /// Looks at the trailer, the last 32 bytes.
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

    /// Counts references before there is room made for them.
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

    /// Reads what is inside an array or a dictionary, one level further in.
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

    /// The number that up to eight bytes make, the highest first.
    static func unsigned(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
