/// A moment as ISO 8601 in UTC, exact to the last bit.
///
/// A moment is a `Double` of seconds since 2001. The text is the shortest decimal that is read back as the same
/// `Double`, with as many fractional digits as it needs; reading reconstructs the decimal and parses it.
enum DateText {
    /// The text; nil for a year that does not have four digits, and for a number that is not finite.
    static func text(of seconds: Double) -> String? {
        guard abs(seconds) < 1e12 else { return nil }
        let moment = Moment(seconds)
        let day = CalendarDay(number: moment.seconds.quotient(86_400))
        guard (1...9999).contains(day.year) else { return nil }
        let second = moment.seconds.remainder(86_400)
        let date = "\(digits(day.year, 4))-\(digits(day.month))-\(digits(day.day))"
        let time = "\(digits(second / 3600)):\(digits(second / 60 % 60)):\(digits(second % 60))"
        let fraction = moment.fraction.isEmpty ? "" : ".\(String(decoding: moment.fraction, as: UTF8.self))"
        return "\(date)T\(time)\(fraction)Z"
    }

    private static func digits(_ number: Int, _ count: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: count - digits.count) + digits
    }
}

/// A decimal number of seconds, split at the second below it.
struct Moment {
    /// Whole seconds since 2001, rounded down.
    let seconds: Int
    /// The digits of the fraction to be added, without zeros at the end.
    let fraction: [UInt8]

    init(seconds: Int, fraction: [UInt8]) {
        self.seconds = seconds
        self.fraction = Array(fraction[..<((fraction.lastIndex { $0 != zero } ?? -1) + 1)])
    }

    /// Splits the shortest decimal of a `Double` whose magnitude is below 2^53.
    init(_ double: Double) {
        let (whole, fraction) = Self.decimal(double.magnitude)
        let above = Moment(seconds: whole, fraction: fraction)
        self = double < 0 ? above.negated : above
    }

    /// The nearest `Double`.
    var double: Double? {
        let isNegative = seconds < 0
        let magnitude = isNegative ? negated : self
        let text = "\(magnitude.seconds).\(String(decoding: magnitude.fraction + [zero], as: UTF8.self))"
        return Double(isNegative ? "-" + text : text)
    }

    /// The moment equally far on the other side of 2001: the fraction becomes its complement to a whole second.
    private var negated: Moment {
        guard let last = fraction.indices.last else { return Moment(seconds: -seconds, fraction: []) }
        var rest = fraction.map { zero + nine - $0 }
        rest[last] += 1
        return Moment(seconds: -seconds - 1, fraction: rest)
    }

    /// The whole part and the fractional digits of a number, without an exponent.
    private static func decimal(_ magnitude: Double) -> (whole: Int, fraction: [UInt8]) {
        let parts = magnitude.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count == 2 ? Array(mantissa[1].utf8) : []
        guard parts.count == 2, let exponent = Int(parts[1]) else { return (Int(mantissa[0]) ?? 0, fraction) }
        return (0, Array(repeating: zero, count: -exponent - 1) + mantissa[0].utf8 + fraction)
    }
}

private let zero = UInt8(ascii: "0")
private let nine = UInt8(ascii: "9")

extension Int {
    /// The quotient rounded down, whose remainder is never negative.
    fileprivate func quotient(_ divisor: Int) -> Int { (self - remainder(divisor)) / divisor }
    fileprivate func remainder(_ divisor: Int) -> Int { (self % divisor + divisor) % divisor }
}
