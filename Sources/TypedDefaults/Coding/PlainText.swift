/// The bytes between the quotes of a JSON string without escapes; the pointer is never kept.
struct PlainText {
    let bytes: UnsafeBufferPointer<UInt8>
    private let isASCII: Bool

    /// Nil for a text that is not a string, or contains something that only the general decoder reads.
    @inline(__always)
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        let quote = UInt8(ascii: "\"")
        guard text.count >= 2, text[0] == quote, text[text.count - 1] == quote else { return nil }
        bytes = UnsafeBufferPointer(rebasing: text[1..<text.count - 1])
        let raw = UnsafeRawBufferPointer(bytes)
        var (others, union): (UInt64, UInt64) = (0, 0)
        if raw.count < 8 {
            for byte in raw { PlainText.record(UInt64(byte) | 0x4141_4141_4141_4100, &others, &union) }
        } else {
            // Eight at a time; the last eight may overlap the ones before.
            for place in stride(from: 0, to: raw.count - 8, by: 8) {
                PlainText.record(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self), &others, &union)
            }
            PlainText.record(
                raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self), &others, &union)
        }
        guard others == 0 else { return nil }
        isASCII = union & PlainText.highBits == 0
    }

    /// The text; nil if the bytes are not UTF-8.
    @inline(__always)
    var string: String? {
        // ASCII is always valid, and this initialiser is several times as fast as the validating one.
        isASCII ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }

    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// Records whether any of eight bytes is a control character, a quote or a backslash, and which bits they have.
    ///
    /// Subtracting 0x20 from a smaller byte borrows, and so sets a high bit that was not set. An exclusive or
    /// makes a wanted byte zero; subtracting 1 from it then does the same. The method is from Anderson's "Bit
    /// Twiddling Hacks".
    @inline(__always)
    private static func record(_ bytes: UInt64, _ others: inout UInt64, _ union: inout UInt64) {
        let quotes = bytes ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = bytes ^ (ones &* UInt64(UInt8(ascii: "\\")))
        others |= (bytes &- ones &* 0x20) & ~bytes & highBits
        others |= (quotes &- ones) & ~quotes & highBits
        others |= (backslashes &- ones) & ~backslashes & highBits
        union |= bytes
    }
}
