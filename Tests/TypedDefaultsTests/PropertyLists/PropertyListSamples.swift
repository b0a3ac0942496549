import Foundation
import TypedDefaults
import TypedDefaultsPropertyLists

/// Property lists for the readers' tests, written by Foundation or byte by byte.
enum PropertyListSample {
    /// A list as Foundation writes it.
    static func bytes(_ list: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
        Array(try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
    }

    /// An XML list around a value's text, which begins on line 3.
    static func xml(_ value: String) -> [UInt8] {
        Array(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n\(value)\n</plist>\n".utf8)
    }

    /// A binary list of objects given as bytes, the first one outermost; references take one byte.
    static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += big(offset, 4) }
        return bytes + [0, 0, 0, 0, 0, 0, 4, 1] + big(objects.count, 8) + big(0, 8) + big(table, 8)
    }

    /// The bytes of a number, the highest first.
    static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
