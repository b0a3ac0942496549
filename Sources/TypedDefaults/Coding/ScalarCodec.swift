import DefaultsStore

/// A type whose text is read and written without the general coder, where the text is plain.
///
/// The path is chosen once, when a codec is made. Both paths write the same text; what is not plain (an
/// escape, an exponent, white space a person left) goes the general way.
protocol ScalarCoded: Codable, Sendable {
    /// The JSON text; nil where only the general coder knows it.
    var plainText: [UInt8]? { get }
    /// The value of a plain JSON text; nil when the general coder has to look at it.
    static func plainValue(_ text: ArraySlice<UInt8>) -> Self?
}

extension ScalarCoded {
    /// A `DefaultsCodec<Self>`; `Any`, since the caller knows `Self` as another generic type.
    static var scalarCodec: Any {
        let general = DefaultsCodec<Self>.general
        return DefaultsCodec<Self>(
            encode: { value in try value.plainText ?? general.encode(value) },
            decode: { text in try plainValue(text[...]) ?? general.decode(text) }
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

    static func plainValue(_ text: ArraySlice<UInt8>) -> Wrapped?? {
        if text.elementsEqual("null".utf8) { return .some(nil) }
        return Wrapped.plainValue(text).map { .some($0) }
    }
}

extension Bool: ScalarCoded {
    var plainText: [UInt8]? { Array((self ? "true" : "false").utf8) }

    static func plainValue(_ text: ArraySlice<UInt8>) -> Bool? {
        if text.elementsEqual("true".utf8) { return true }
        return text.elementsEqual("false".utf8) ? false : nil
    }
}

extension String: ScalarCoded {
    var plainText: [UInt8]? { JSONWriter.quoted(self) }

    /// The text between the quotes, when nothing in it is escaped.
    static func plainValue(_ text: ArraySlice<UInt8>) -> String? {
        let quote = UInt8(ascii: "\"")
        guard text.count >= 2, text.first == quote, text.last == quote else { return nil }
        let inner = text.dropFirst().dropLast()
        var union: UInt8 = 0
        for byte in inner {
            if byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") { return nil }
            union |= byte
        }
        // ASCII is always valid, and this initialiser several times as fast as the validating one.
        if union < 0x80 { return String(decoding: inner, as: UTF8.self) }
        return String(validating: inner, as: UTF8.self)
    }
}
