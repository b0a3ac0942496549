/// The exact decimal value of a number's text: digits times a power of ten, in a canonical form.
///
/// Zero has a sign, as that of a `Double` has.
/// The power is kept as text, so `1e999999999999999999999` costs as much as its own length.
struct DecimalValue: Hashable {
    private let isNegative: Bool
    /// Without zeros at either end; empty for zero.
    private let digits: ArraySlice<UInt8>
    private let exponent: String

    /// The text follows the JSON grammar for numbers.
    init(_ text: String) {
        let parts = text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        let mantissa = parts[0]
        let fraction = mantissa.firstIndex(of: UInt8(ascii: ".")).map { mantissa[$0...].count - 1 } ?? 0
        let written = mantissa.filter { $0 >= UInt8(ascii: "0") }.map { $0 - UInt8(ascii: "0") }
        let significant = written.drop { $0 == 0 }
        let zeros = significant.reversed().prefix { $0 == 0 }.count
        digits = significant.dropLast(zeros)
        isNegative = mantissa.first == UInt8(ascii: "-")
        let power = parts.count > 1 ? String(Substring(parts[1])) : "0"
        exponent = digits.isEmpty ? "0" : Self.sum(power, zeros - fraction)
    }

    var isZero: Bool { digits.isEmpty }

    /// Without the fraction.
    var whole: DecimalValue {
        guard exponent.hasPrefix("-") else { return self }
        // An exponent beyond `Int` leaves nothing of any text's digits.
        return DecimalValue(self, keeping: Int(exponent).map { max(0, digits.count + $0) } ?? 0)
    }

    private init(_ number: DecimalValue, keeping count: Int) {
        let kept = number.digits.prefix(count)
        let zeros = kept.reversed().prefix { $0 == 0 }.count
        digits = kept.dropLast(zeros)
        isNegative = number.isNegative
        exponent = String(digits.isEmpty ? 0 : zeros)
    }

    /// Nil if it has a fraction or does not fit.
    func integer<Integer: FixedWidthInteger>() -> Integer? {
        // No integer of n bits has more than n decimal digits.
        guard let zeros = Int(exponent), zeros >= 0, zeros <= Integer.bitWidth else { return nil }
        guard digits.count + zeros <= Integer.bitWidth else { return nil }
        var value: Integer = 0
        for digit in digits + repeatElement(0, count: zeros) {
            let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (next, left) =
                isNegative
                ? tenfold.subtractingReportingOverflow(Integer(digit))
                : tenfold.addingReportingOverflow(Integer(digit))
            guard !overflowed, !left else { return nil }
            value = next
        }
        return value
    }

    /// Returns the decimal text of an exponent of any length plus a small number.
    private static func sum(_ exponent: String, _ change: Int) -> String {
        if let small = Int(exponent), case (let sum, false) = small.addingReportingOverflow(change) {
            return String(sum)
        }
        let isNegative = exponent.hasPrefix("-")
        // As bytes and in place, because a file may have millions of them.
        let zero = UInt8(ascii: "0")
        var digits = exponent.utf8.filter { $0 >= zero }
        // The change is at most the text's length, so it never changes the sign of an exponent beyond `Int`.
        var carry = isNegative ? -change : change
        for place in digits.indices.reversed() where carry != 0 {
            let sum = Int(digits[place] - zero) + carry
            carry = sum >= 0 ? sum / 10 : (sum - 9) / 10
            digits[place] = zero + UInt8(sum - carry * 10)
        }
        let magnitude = (carry > 0 ? String(carry) : "") + String(decoding: digits, as: UTF8.self)
        return (isNegative ? "-" : "") + magnitude.drop { $0 == "0" }
    }
}
