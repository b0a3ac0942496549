import DefaultsStore

/// A type whose text is read and written without the general coder, where the text is plain.
///
/// The path is chosen once, when a codec is made. Both paths write the same text; what is not plain (an
/// escape, an exponent, white space a person left) goes the general way.
protocol ScalarCoded: Codable, Sendable {
    /// The JSON text; nil where only the general coder knows it.
    var plainText: [UInt8]? { get }
    /// The value of a plain JSON text; nil when the general coder has to look at it.
    static func plainValue(_ text: [UInt8]) -> Self?
}

extension ScalarCoded {
    /// A `DefaultsCodec<Self>`; `Any`, since the caller knows `Self` as another generic type.
    static var scalarCodec: Any {
        let general = DefaultsCodec<Self>.general
        return DefaultsCodec<Self>(
            encode: { value in try value.plainText ?? general.encode(value) },
            decode: { text in try plainValue(text) ?? general.decode(text) })
    }
}

extension Optional: ScalarCoded where Wrapped: ScalarCoded {
    var plainText: [UInt8]? {
        switch self {
        case .none: Array("null".utf8)
        case .some(let value): value.plainText
        }
    }

    static func plainValue(_ text: [UInt8]) -> Wrapped?? {
        if text.elementsEqual("null".utf8) { return .some(nil) }
        return Wrapped.plainValue(text).map { .some($0) }
    }
}

extension Bool: ScalarCoded {
    var plainText: [UInt8]? { Array((self ? "true" : "false").utf8) }

    static func plainValue(_ text: [UInt8]) -> Bool? {
        if text.elementsEqual("true".utf8) { return true }
        return text.elementsEqual("false".utf8) ? false : nil
    }
}

extension String: ScalarCoded {
    var plainText: [UInt8]? { JSONWriter.quoted(self) }

    /// The text between the quotes, when nothing in it is escaped.
    static func plainValue(_ text: [UInt8]) -> String? {
        let quote = UInt8(ascii: "\"")
        let end = text.count - 1
        guard end >= 1, text[0] == quote, text[end] == quote else { return nil }
        var union: UInt8 = 0
        for index in 1..<end {
            let byte = text[index]
            if byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") { return nil }
            union |= byte
        }
        // ASCII is always valid, and this initialiser several times as fast as the validating one.
        if union < 0x80 { return String(decoding: text[1..<end], as: UTF8.self) }
        return String(validating: text[1..<end], as: UTF8.self)
    }
}
