/// Times as the library reads them: ISO 8601 with any offset from UTC and any number of fractional digits.
enum DateText {
    /// Whether a text is such a time, on a day that there is.
    static func isDate(_ text: String) -> Bool {
        // Not \d, which takes the digits of every script.
        let form =
            /([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?([Zz]|[+-]([0-9]{2}):([0-9]{2}))/
        guard let match = text.wholeMatch(of: form),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            let hour = Int(match.4), let minute = Int(match.5), let second = Int(match.6)
        else { return false }
        let offset = (hour: match.9.flatMap { Int($0) } ?? 0, minute: match.10.flatMap { Int($0) } ?? 0)
        return year >= 1 && (1...12).contains(month) && day >= 1 && day <= days(of: month, year)
            && hour < 24 && minute < 60 && second < 60 && offset.hour < 24 && offset.minute < 60
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
