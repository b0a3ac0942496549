import DefaultsStore

/// A type whose plain text is read and written without the general coder.
///
/// The path is chosen once, when a codec is created. Both paths write the same text. Text that is not plain
/// (an escape, an exponent, white space from a person) takes the general path.
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

extension ScalarCoded where Self: FixedWidthInteger {
    var plainText: [UInt8]? { Array(String(self).utf8) }

    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> Self? {
        guard let number = PlainNumber(text), number.fraction == 0, number.count <= 18 else { return nil }
        let magnitude = Int64(number.digits)
        return Self(exactly: number.isNegative ? -magnitude : magnitude)
    }
}

extension Int: ScalarCoded {}
extension Int8: ScalarCoded {}
extension Int16: ScalarCoded {}
extension Int32: ScalarCoded {}
extension Int64: ScalarCoded {}
extension Int128: ScalarCoded {}
extension UInt: ScalarCoded {}
extension UInt8: ScalarCoded {}
extension UInt16: ScalarCoded {}
extension UInt32: ScalarCoded {}
extension UInt64: ScalarCoded {}
extension UInt128: ScalarCoded {}

extension Double: ScalarCoded {
    /// The text that ``DefaultsNumber`` would have.
    var plainText: [UInt8]? {
        guard isFinite else { return nil }
        var text = description
        // A pointer, because each write of a number creates such a text; it is read inside the closure only.
        return text.withUTF8 { digits in
            let end = digits.count
            let isWhole = end > 2 && digits[(end - 2)...].elementsEqual(".0".utf8)
            return Array(UnsafeBufferPointer(rebasing: digits[..<(isWhole ? end - 2 : end)]))
        }
    }

    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let number = PlainNumber(text) else { return nil }
        return number.double ?? finite(Double(String(decoding: text, as: UTF8.self)))
    }
}

extension Float: ScalarCoded {
    var plainText: [UInt8]? { DefaultsNumber(self).map { Array($0.text.utf8) } }

    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
        PlainNumber(text) == nil ? nil : finite(Float(String(decoding: text, as: UTF8.self)))
    }
}

/// An overflow is left to the general decoder, which reports it.
private func finite<Value: FloatingPoint>(_ value: Value?) -> Value? {
    value.flatMap { $0.isFinite ? $0 : nil }
}
