/// A number from plain text: digits, perhaps a sign and a fraction, no exponent.
@usableFromInline package struct PlainNumber {
    @usableFromInline package let isNegative: Bool
    /// All digits as one integer; correct for at most 18 of them.
    @usableFromInline package let digits: UInt64
    @usableFromInline package let count: Int
    /// How many digits follow the point.
    @usableFromInline package let fraction: Int

    @inlinable @inline(__always)
    package init?(_ text: UnsafeBufferPointer<UInt8>) {
        let isNegative = text.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        var digits: UInt64 = 0
        /// Where the digits after the point begin; 0 for no point.
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
        let fraction = behindPoint > 0 ? text.count - behindPoint : 0
        let hasLeadingZero = whole > 1 && text[start] == UInt8(ascii: "0")
        guard whole > 0, !hasLeadingZero, behindPoint == 0 || fraction > 0 else { return nil }
        (self.isNegative, self.digits, self.count, self.fraction) = (
            isNegative, digits, whole + fraction, fraction
        )
    }

    /// The nearest `Double`; nil if the number has too many digits for the short path.
    ///
    /// Up to 15 digits and a power of ten up to 10^15 are exact, so that their quotient is rounded only once.
    @inlinable @inline(__always)
    package var double: Double? {
        guard count <= 15 else { return nil }
        var power = 1.0
        for _ in 0..<fraction { power *= 10 }
        let magnitude = Double(digits) / power
        return isNegative ? -magnitude : magnitude
    }
}
