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

    /// The place of the byte at an index.
    package init(of index: Int, in bytes: ArraySlice<UInt8>) {
        self.init(startOf: bytes)
        advance(to: index, in: bytes)
    }

    /// Advances to a later index of the same bytes; an earlier one changes nothing.
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
