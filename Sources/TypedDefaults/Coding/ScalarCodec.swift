import DefaultsStore

/// A type whose text is read and written without the general coder, where the text is plain.
///
/// The path is chosen once, when a codec is made. Both paths write the same text; what is not plain (an
/// escape, an exponent, white space a person left) goes the general way.
protocol ScalarCoded: Codable, Sendable {
    /// The JSON text; nil where only the general coder knows it.
    var plainText: [UInt8]? { get }
    /// The value of a plain JSON text; nil when the general coder has to look at it.
    ///
    /// A pointer, because this is most of what a first read does; nobody keeps it.
    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> Self?
}

extension ScalarCoded {
    /// A `DefaultsCodec<Self>`; `Any`, since the caller knows `Self` as another generic type.
    static var scalarCodec: Any {
        let general = DefaultsCodec<Self>.general
        return DefaultsCodec<Self>(
            encode: { value in try value.plainText ?? general.encode(value) },
            decode: { text in try text.withUnsafeBufferPointer(plainValue) ?? general.decode(text) }
        ).asScalar
    }
}

extension Optional: ScalarCoded where Wrapped: ScalarCoded {
    var plainText: [UInt8]? {
        switch self {
        case .none: Array("null".utf8)
        case .some(let value): value.plainText
        }
    }

    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> Wrapped?? {
        if text.elementsEqual("null".utf8) { return .some(nil) }
        return Wrapped.plainValue(text).map { .some($0) }
    }
}

extension Bool: ScalarCoded {
    var plainText: [UInt8]? { Array((self ? "true" : "false").utf8) }

    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard text.count == 4 || text.count == 5 else { return nil }
        let word = UInt32(littleEndian: UnsafeRawBufferPointer(text).loadUnaligned(as: UInt32.self))
        // "true" and "fals", the first byte lowest.
        if text.count == 4 { return word == 0x6575_7274 ? true : nil }
        return word == 0x736C_6166 && text[4] == UInt8(ascii: "e") ? false : nil
    }
}

extension String: ScalarCoded {
    var plainText: [UInt8]? { JSONWriter.quoted(self) }

    /// The text between the quotes, when nothing in it is escaped.
    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        guard let (inner, isASCII) = plainBytes(text) else { return nil }
        // ASCII is always valid, and this initialiser several times as fast as the validating one.
        return isASCII ? String(decoding: inner, as: UTF8.self) : String(validating: inner, as: UTF8.self)
    }

    /// The bytes between the quotes, when nothing in them is escaped, and whether all are ASCII.
    @inline(__always)
    static func plainBytes(
        _ text: UnsafeBufferPointer<UInt8>
    ) -> (inner: UnsafeBufferPointer<UInt8>, isASCII: Bool)? {
        let quote = UInt8(ascii: "\"")
        guard text.count >= 2, text[0] == quote, text[text.count - 1] == quote else { return nil }
        let inner = UnsafeBufferPointer(rebasing: text[1..<text.count - 1])
        let raw = UnsafeRawBufferPointer(inner)
        var (others, union): (UInt64, UInt64) = (0, 0)
        if raw.count < 8 {
            for byte in raw { note(UInt64(byte) | 0x4141_4141_4141_4100, &others, &union) }
        } else {
            // Eight at a time, the last of them perhaps again.
            for place in stride(from: 0, to: raw.count - 8, by: 8) {
                note(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self), &others, &union)
            }
            note(raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self), &others, &union)
        }
        return others == 0 ? (inner, union & highBits == 0) : nil
    }

    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// Notes whether any of eight bytes is a control character, a quote or a backslash, and which bits they have.
    ///
    /// A byte is less than 0x20, or is zero after those of a wanted one were turned, where taking that much away borrows
    /// from a high bit that was not set; the trick is from Anderson's "Bit Twiddling Hacks".
    @inline(__always)
    private static func note(_ bytes: UInt64, _ others: inout UInt64, _ union: inout UInt64) {
        let quotes = bytes ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = bytes ^ (ones &* UInt64(UInt8(ascii: "\\")))
        others |= (bytes &- ones &* 0x20) & ~bytes & highBits
        others |= (quotes &- ones) & ~quotes & highBits
        others |= (backslashes &- ones) & ~backslashes & highBits
        union |= bytes
    }
}
