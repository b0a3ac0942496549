/// Times as the library stores them: ISO 8601 in UTC with any number of fractional digits.
enum DateText {
    /// Whether a text is such a time, on a day that there is.
    static func isDate(_ text: String) -> Bool {
        guard
            let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z/),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            let hour = Int(match.4),
            let minute = Int(match.5), let second = Int(match.6)
        else { return false }
        return (1...12).contains(month) && day >= 1 && day <= days(of: month, year) && hour < 24
            && minute < 60
            && second < 60
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
