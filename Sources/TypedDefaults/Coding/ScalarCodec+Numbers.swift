import DefaultsStore

/// Numbers from plain text: digits, perhaps a sign and a fraction, no exponent.
private struct PlainNumber {
    private(set) var isNegative = false
    /// All digits as one integer; right for at most 18 of them.
    private(set) var digits: UInt64 = 0
    private(set) var count = 0
    /// How many digits stand behind the point.
    private(set) var fraction = 0

    @inline(__always)
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        isNegative = text.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        /// Where the digits behind the point begin; 0 for no point.
        var behindPoint = 0
        var index = start
        while index < text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            index += 1
            if digit < 10 {
                digits = digits &* 10 &+ UInt64(digit)
            } else if text[index - 1] == UInt8(ascii: "."), behindPoint == 0 {
                behindPoint = index
            } else {
                return nil
            }
        }
        let whole = (behindPoint > 0 ? behindPoint - 1 : text.count) - start
        fraction = behindPoint > 0 ? text.count - behindPoint : 0
        count = whole + fraction
        let hasLeadingZero = whole > 1 && text[start] == UInt8(ascii: "0")
        guard whole > 0, !hasLeadingZero, behindPoint == 0 || fraction > 0 else { return nil }
    }
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
    /// The text that ``DefaultsNumber`` gives it.
    var plainText: [UInt8]? {
        guard isFinite else { return nil }
        var text = Array(description.utf8)
        let end = text.count
        if end > 2, text[end - 1] == UInt8(ascii: "0"), text[end - 2] == UInt8(ascii: ".") {
            text.removeLast(2)
        }
        return text
    }

    /// Up to 15 digits and a power of ten up to 10^15 are exact, so that their quotient is rounded just once.
    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let number = PlainNumber(text) else { return nil }
        guard number.count <= 15 else { return finite(Double(String(decoding: text, as: UTF8.self))) }
        let magnitude = Double(number.digits) / powersOfTen[number.fraction]
        return number.isNegative ? -magnitude : magnitude
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}

extension Float: ScalarCoded {
    var plainText: [UInt8]? { DefaultsNumber(self).map { Array($0.text.utf8) } }

    static func plainValue(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
        PlainNumber(text) == nil ? nil : finite(Float(String(decoding: text, as: UTF8.self)))
    }
}

/// What overflows is left to the general coder, which says so.
private func finite<Value: FloatingPoint>(_ value: Value?) -> Value? {
    value.flatMap { $0.isFinite ? $0 : nil }
}
