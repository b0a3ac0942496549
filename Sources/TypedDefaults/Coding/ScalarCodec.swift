import DefaultsStore

/// A type whose text is read and written without the general coder, if the text is plain.
///
/// The path is chosen once, when a codec is made. Both paths write the same text; whatever is not plain (an escape,
/// an exponent, white space that a person left) takes the general path.
protocol ScalarCoded: Codable, Sendable {
    /// The JSON text; nil if only the general encoder can write it.
    var plainText: [UInt8]? { get }
    /// The value of a plain JSON text; nil if the general decoder has to read it.
    ///
    /// A pointer, because this is most of the work of a first read; it is never kept.
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

    /// The text between the quotes, if nothing in it is escaped.
    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> String? { PlainText(text)?.string }
}
