/// Parsing of dates as people write them: with any offset from UTC, and in lower case too.
extension DateText {
    /// The seconds since 2001 of `2026-11-21T10:00:00.5+02:00`; nil if the text is not such a date.
    static func seconds(of text: String) -> Double? {
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
