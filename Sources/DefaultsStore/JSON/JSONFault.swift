/// Where a text stops being JSON, and why.
///
/// The line and the column are computed on request: a reader that goes on after a fault, and finds thousands, would
/// read the text from its start for each.
package struct JSONFault: Error, Sendable, CustomStringConvertible {
    /// The number of bytes before the place.
    package let offset: Int
    /// A sentence fragment that never contains a stored value: `"expected a comma or }"`.
    package let reason: String
    private let text: ArraySlice<UInt8>

    init(_ reason: String, at index: Int, in bytes: ArraySlice<UInt8>) {
        offset = index - bytes.startIndex
        self.reason = reason
        text = bytes
    }

    private var place: TextPlace { TextPlace(of: text.startIndex + offset, in: text) }

    /// Counted from 1; found by reading up to it.
    package var line: Int { place.line }
    /// Counted from 1, in Unicode scalars; found by reading up to it.
    package var column: Int { place.column }

    /// Whether the text is JSON but nested more deeply than allowed.
    package var isTooDeep: Bool { reason == Self.tooDeep }

    static let tooDeep = "arrays and objects are nested more than \(JSONScanner.deepest) levels deep"

    package var description: String {
        let place = place
        return "\(place.line):\(place.column): \(reason)"
    }
}

/// Equality of what is reported about a text, which may be another one.
extension JSONFault: Hashable {
    package static func == (left: JSONFault, right: JSONFault) -> Bool {
        guard left.offset == right.offset, left.reason == right.reason else { return false }
        let (one, other) = (left.place, right.place)
        return (one.line, one.column) == (other.line, other.column)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(offset)
        hasher.combine(reason)
    }
}

/// Dumped without the text, whose values may be secret.
extension JSONFault: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: ["offset": offset, "reason": reason]) }
}

/// A line and a column of a text, found by reading up to it.
///
/// Both count from 1. CR LF is one line end; columns are Unicode scalars; a leading byte-order mark has none.
package struct TextPlace: Sendable {
    package private(set) var line = 1
    package private(set) var column = 1
    private var isAfterReturn = false
    private var offset: Int

    /// The place of the first character.
    package init(startOf bytes: ArraySlice<UInt8>) {
        offset = bytes.startIndex + (JSONScanner.hasByteOrderMark(bytes) ? 3 : 0)
    }

    package init(of index: Int, in bytes: ArraySlice<UInt8>) {
        self.init(startOf: bytes)
        advance(to: index, in: bytes)
    }

    /// An earlier index changes nothing.
    package mutating func advance(to index: Int, in bytes: ArraySlice<UInt8>) {
        while offset < index {
            pass(bytes[offset])
            offset += 1
        }
    }

    private mutating func pass(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n") where isAfterReturn:
            break
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            line += 1
            column = 1
        case 0x80...0xBF:
            break
        default:
            column += 1
        }
        isAfterReturn = byte == UInt8(ascii: "\r")
    }
}
