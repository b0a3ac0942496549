/// A day of the proleptic Gregorian calendar.
package struct CalendarDay {
    package let year: Int
    package let month: Int
    package let day: Int

    private static let daysTo2001 = 5 * 146_097

    /// The day that is a number of days after 2001-01-01; correct from year 1 on, before it the year is 0 or less.
    package init(number: Int) {
        var rest = number + Self.daysTo2001
        guard rest >= 0 else {
            (year, month, day) = (0, 1, 1)
            return
        }
        var years = 400 * (rest / 146_097)
        rest %= 146_097
        let centuries = min(rest / 36_524, 3)
        rest -= centuries * 36_524
        years += 100 * centuries + 4 * (rest / 1_461)
        rest %= 1_461
        let single = min(rest / 365, 3)
        rest -= single * 365
        year = years + single + 1

        var month = 1
        while rest >= Self.length(ofMonth: month, in: year) {
            rest -= Self.length(ofMonth: month, in: year)
            month += 1
        }
        self.month = month
        day = rest + 1
    }

    /// A day of the years 1 to 9999; nil if the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
        guard day >= 1, day <= Self.length(ofMonth: month, in: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The days since 2001-01-01.
    package var number: Int {
        let years = year - 1
        let days = years * 365 + years / 4 - years / 100 + years / 400
        return days + (1..<month).reduce(0) { $0 + Self.length(ofMonth: $1, in: year) } + day - 1
            - Self.daysTo2001
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
