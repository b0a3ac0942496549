import DefaultsStore

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
