/// The time of a version, to the microsecond, as it stands in its name: `20261129T064012.123456Z.json`.
struct VersionMoment: Hashable, Comparable {
    /// Since 1970.
    let microseconds: Int64

    init(nanoseconds: Int64) { microseconds = max(0, nanoseconds / 1_000) }

    private init(microseconds: Int64) { self.microseconds = microseconds }

    var next: VersionMoment { VersionMoment(microseconds: microseconds + 1) }
    var previous: VersionMoment { VersionMoment(microseconds: max(0, microseconds - 1)) }

    private static let daysTo2001 = 11_323
    private static let suffix = "Z.json"

    /// Nil for what is no version's name.
    init?(name: String) {
        let text = Array(name.utf8)
        guard text.count == 28, name.hasSuffix(VersionMoment.suffix), text[8] == UInt8(ascii: "T"),
            text[15] == UInt8(ascii: ".")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            text[range].reduce(0) { number, byte in
                guard let number, byte &- UInt8(ascii: "0") < 10 else { return nil }
                return number * 10 + Int(byte &- UInt8(ascii: "0"))
            }
        }
        guard let year = number(0..<4), let month = number(4..<6), let date = number(6..<8),
            let day = CalendarDay(year: year, month: month, day: date), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), let rest = number(16..<22),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = ((day.number + VersionMoment.daysTo2001) * 24 + hour) * 3_600 + minute * 60 + second
        self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(rest))
    }

    var name: String { id + ".json" }

    var id: String {
        let (seconds, rest) = Int(microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let day = CalendarDay(number: days - VersionMoment.daysTo2001)
        return VersionMoment.digits(day.year, 4) + VersionMoment.digits(day.month, 2)
            + VersionMoment.digits(day.day, 2) + "T" + VersionMoment.digits(second / 3_600, 2)
            + VersionMoment.digits(second / 60 % 60, 2) + VersionMoment.digits(second % 60, 2) + "."
            + VersionMoment.digits(rest, 6) + "Z"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    static func < (left: VersionMoment, right: VersionMoment) -> Bool {
        left.microseconds < right.microseconds
    }
}
