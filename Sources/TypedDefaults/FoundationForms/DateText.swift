import DefaultsStore

/// A moment as ISO 8601 in UTC, exact to the last bit.
///
/// A moment is a `Double` of seconds since 2001. The text is the shortest decimal that is read back as the same
/// `Double`, with as many fractional digits as it needs; reading reconstructs the decimal and parses it.
package enum DateText {
    /// The text; nil for a year that does not have four digits, and for a number that is not finite.
    package static func text(of seconds: Double) -> String? {
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

/// Parsing of dates as people write them: with any offset from UTC, and in lower case too.
extension DateText {
    /// The seconds since 2001 of `2026-11-21T10:00:00.5+02:00`; nil if the text is not such a date.
    package static func seconds(of text: String) -> Double? {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let day = reader.day(), reader.take("T", "t"), let time = reader.time(),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty
        else { return nil }
        return Moment(seconds: day.number * 86_400 + time - offset, fraction: fraction).double
    }
}

/// Takes the parts of a date from the front of a text.
private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func day() -> CalendarDay? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2) else {
            return nil
        }
        return CalendarDay(year: year, month: month, day: day)
    }

    /// The seconds since midnight.
    mutating func time() -> Int? {
        guard let minutes = minutes(), take(":"), let seconds = number(2), seconds < 60 else { return nil }
        return minutes * 60 + seconds
    }

    /// The digits after the decimal point; empty if there is no point.
    mutating func fraction() -> [UInt8]? {
        guard take(".") else { return [] }
        let digits = rest.prefix { isDigit($0) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : Array(digits)
    }

    /// The seconds by which the text is ahead of UTC.
    mutating func offset() -> Int? {
        if take("Z", "z") { return 0 }
        let isBehind = take("-")
        guard isBehind || take("+"), let minutes = minutes() else { return nil }
        return isBehind ? -minutes * 60 : minutes * 60
    }

    /// Takes the next byte if it is one of these, and returns whether it was.
    mutating func take(_ bytes: Unicode.Scalar...) -> Bool {
        guard let first = rest.first, bytes.contains(Unicode.Scalar(first)) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func minutes() -> Int? {
        guard let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60 else {
            return nil
        }
        return hours * 60 + minutes
    }

    private mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
