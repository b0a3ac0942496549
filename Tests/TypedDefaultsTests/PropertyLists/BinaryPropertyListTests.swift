/// Binary property lists, from the hands of people who mean no good.
import Foundation
import Testing
@testable import TypedDefaults
@testable import TypedDefaultsPropertyLists

struct BinaryPropertyListTests {
    private static func read(_ objects: [UInt8]...) throws -> PropertyListValue {
        try PropertyListValue.read(PropertyListSample.binary(objects))
    }

    static let integers: [([UInt8], Int128)] = [
        ([0x10, 0xFF], 255), ([0x11, 0xFF, 0xFE], 65_534), ([0x12, 0xFF, 0, 0, 0], 0xFF00_0000),
        ([0x13] + [UInt8](repeating: 0xFF, count: 8), -1),
        ([0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], Int128(Int64.min)),
        ([0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8), Int128(UInt64.max)),
        ([0x14] + [UInt8](repeating: 0xFF, count: 16), -1),
    ]

    @Test(arguments: integers)
    func `an integer of every width is exact`(bytes: [UInt8], value: Int128) throws {
        #expect(try Self.read(bytes) == .integer(value))
    }

    static let reals: [([UInt8], PropertyListValue)] = [
        ([0x22, 0x3F, 0x80, 0, 0], .real(1)),
        ([0x23, 0x3F, 0xB9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9A], .real(0.1)),
        ([0x33, 0x40, 0xF5, 0x18, 0, 0, 0, 0, 0], .date(86_400)),
    ]

    @Test(arguments: reals)
    func `reals and dates are read`(bytes: [UInt8], value: PropertyListValue) throws {
        #expect(try Self.read(bytes) == value)
    }

    @Test func `texts of all three encodings are read`() throws {
        #expect(try Self.read([0x52, 0x61, 0x62]) == .string("ab"))
        #expect(try Self.read([0x62, 0, 0xE9, 0x20, 0xAC]) == .string("é€"))
        #expect(try Self.read([0x72, 0xC3, 0xA9]) == .string("é"))
        #expect(
            try Self.read([0x5F, 0x10, 0x0F] + [UInt8](repeating: 0x61, count: 15))
                == .string("aaaaaaaaaaaaaaa"))
    }

    @Test func `more references than a list may have values are refused before there is room made for them`()
    {
        // Each array holds the next one, and the innermost something that would be found out last.
        let arrays = (0..<61).map { number in
            [0xAF, 0x12] + PropertyListSample.big(20_000, 4)
                + [UInt8](repeating: UInt8(number + 1), count: 20_000)
        }
        #expect(throws: PropertyListFault.self) {
            try PropertyListValue.read(PropertyListSample.binary(arrays + [[0xF0]]))
        }
        do { _ = try PropertyListValue.read(PropertyListSample.binary(arrays + [[0xF0]])) } catch {
            #expect(error.reason.contains(PropertyListFault.tooMany))
        }
    }

    static let faulty: [(String, [[UInt8]])] = [
        ("an object of no known kind", [[0xF0]]), ("a set", [[0xC1, 1], [0x09]]), ("a null", [[0x00]]),
        ("an integer of 32 bytes", [[0x15] + [UInt8](repeating: 0, count: 32)]),
        ("a number of two bytes", [[0x21, 0, 0]]), ("a number of 2^15 bytes", [[0x2F, 0, 0]]),
        ("a date of four bytes", [[0x32, 0, 0, 0, 0]]),
        ("a date that is not finite", [[0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]]),
        ("a text beyond the objects", [[0x5E, 0x61]]),
        ("data beyond the objects", [[0x4F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]]),
        ("a negative length", [[0x4F, 0x13] + [UInt8](repeating: 0xFF, count: 8)]),
        ("a length of 2^63-1", [[0x6F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)]),
        ("a length of 2^127-1", [[0xAF, 0x14, 0x7F] + [UInt8](repeating: 0xFF, count: 15)]),
        ("a length that is a text", [[0x5F, 0x51, 0x61]]), ("a length that is missing", [[0x5F]]),
        ("a text that is not UTF-8", [[0x71, 0xFF]]), ("half of a surrogate pair", [[0x61, 0xD8, 0x00]]),
        ("a reference to no object", [[0xA1, 9]]), ("an array of itself", [[0xA1, 0]]),
        ("a dictionary of itself", [[0xD1, 1, 0], [0x51, 0x61]]),
        ("a dictionary's key that is a number", [[0xD1, 1, 1], [0x10, 1]]),
        ("an array of more references than bytes", [[0xAF, 0x11, 0xFF, 0xFF, 1], [0x09]]),
    ]

    @Test(arguments: faulty)
    func `what is no value is refused with its offset`(name: String, objects: [[UInt8]]) {
        let fault = #expect(throws: PropertyListFault.self) {
            try PropertyListValue.read(PropertyListSample.binary(objects))
        }
        #expect(fault?.reason.contains("at byte") == true)
    }

    /// Where in the trailer, what stands there, in how many bytes.
    static let trailers: [(Int, [UInt8])] = [
        (6, [0]), (6, [9]), (7, [0]), (7, [255]), (8, [UInt8](repeating: 0, count: 8)),
        (8, [UInt8](repeating: 0xFF, count: 8)), (8, PropertyListSample.big(3, 8)),
        (16, PropertyListSample.big(1, 8)), (16, [0x80, 0, 0, 0, 0, 0, 0, 0]),
        (24, PropertyListSample.big(8, 8)),
        (24, PropertyListSample.big(0, 8)), (24, [UInt8](repeating: 0xFF, count: 8)),
        (24, PropertyListSample.big(1_000, 8)),
    ]

    @Test(arguments: trailers)
    func `a trailer that describes no table is refused`(place: Int, bytes: [UInt8]) {
        var list = PropertyListSample.binary([[0x09]])
        let start = list.count - 32 + place
        list.replaceSubrange(start..<start + bytes.count, with: bytes)
        #expect(throws: PropertyListFault.self) { try PropertyListValue.read(list) }
    }

    @Test(arguments: [0, 7, 13, 1 << 24, 1 << 31])
    func `an offset outside the objects is refused`(offset: Int) {
        var list = PropertyListSample.binary([[0x10, 1], [0x10, 2], [0x0F]].map { $0 })
        let table = list.count - 32 - 12
        list.replaceSubrange(table..<table + 4, with: PropertyListSample.big(offset, 4))
        #expect(throws: PropertyListFault.self) { try PropertyListValue.read(list) }
    }

    @Test(arguments: [(127, true), (128, true), (129, false)])
    func `arrays nest 128 levels deep and no deeper`(levels: Int, isRead: Bool) {
        let objects = (0..<levels).map { $0 == levels - 1 ? [0xA0] : [0xA1, UInt8($0 + 1)] as [UInt8] }
        let list = PropertyListSample.binary(objects)
        let expected: PropertyListFault? =
            isRead ? nil : PropertyListFault(PropertyListFault.tooDeep, atOffset: 8 + 2 * (levels - 1))
        #expect(fault { try PropertyListValue.read(list) } == expected)
    }

    @Test func `a few bytes that unfold to billions of values are refused`() {
        // Each of the first hundred arrays holds the next one ten times.
        let arrays = (0..<100).map { [0xAA] + [UInt8](repeating: UInt8($0 + 1), count: 10) }
        let fault = #expect(throws: PropertyListFault.self) {
            try PropertyListValue.read(PropertyListSample.binary(arrays + [[0x09]]))
        }
        #expect(fault?.reason.hasPrefix(PropertyListFault.tooMany) == true)
    }

    @Test(arguments: [(999_999, true), (1_000_000, false)])
    func `a million values are read and no more`(count: Int, isRead: Bool) {
        let array = [0xAF, 0x12] + PropertyListSample.big(count, 4) + [UInt8](repeating: 1, count: count)
        let expected: PropertyListFault? =
            isRead ? nil : PropertyListFault(PropertyListFault.tooMany, atOffset: 8 + array.count)
        #expect(fault { try PropertyListValue.read(PropertyListSample.binary([array, [0x09]])) } == expected)
    }

    @Test func `one text that is referred to often may unfold to 64 MiB and no more`() {
        let text =
            [0x5F, 0x12] + PropertyListSample.big(1 << 20, 4) + [UInt8](repeating: 0x61, count: 1 << 20)
        func list(of count: Int) -> [UInt8] {
            PropertyListSample.binary([
                [0xAF, 0x10, UInt8(count)] + [UInt8](repeating: 1, count: count), text,
            ])
        }
        #expect(throws: Never.self) { try PropertyListValue.read(list(of: 64)) }
        #expect(throws: PropertyListFault.self) { try PropertyListValue.read(list(of: 65)) }
    }

    @Test func `another version is refused`() {
        #expect(throws: PropertyListFault.self) {
            try PropertyListValue.read(Array("bplist15".utf8) + [UInt8](repeating: 0, count: 64))
        }
    }
}

/// The fault a body throws, whole; nil when it throws none.
func fault(_ body: () throws -> some Any) -> PropertyListFault? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? PropertyListFault
    }
}
