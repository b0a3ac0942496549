import DefaultsStore
import TestSupport
import Testing

@testable import TypedDefaults

/// Dates are ISO 8601 and come back bit by bit.
struct DateTextTests {
    @Test(arguments: [
        (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
        (817_034_400.123456, "2026-11-22T10:00:00.123456Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
        (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599.5, "9999-12-31T23:59:59.5Z"),
        (-26_524_800, "2000-02-29T00:00:00Z"), (-1e-5, "2000-12-31T23:59:59.99999Z"),
        (2.5e-7, "2001-01-01T00:00:00.00000025Z"),
    ]) func `a moment has the text of its civil date`(seconds: Double, text: String) {
        #expect(DateText.text(of: seconds) == text)
        #expect(DateText.seconds(of: text) == seconds)
    }

    @Test(arguments: [252_423_993_600, -63_113_904_000.0.nextUp, 1e20, -1e300, .infinity, .nan])
    func `a year that has not four digits has no text`(seconds: Double) {
        #expect(DateText.text(of: seconds) == nil)
    }

    @Test func `moments of every magnitude come back bit by bit`() {
        var random = SeededNumbers(seed: 3)
        var wrong: [Double] = []
        for round in 0..<20_000 {
            let seconds = Self.moment(round, &random)
            if let text = DateText.text(of: seconds), DateText.seconds(of: text) != seconds {
                wrong.append(seconds)
            }
        }
        #expect(wrong == [])
    }

    private static func moment(_ round: Int, _ random: inout SeededNumbers) -> Double {
        switch round % 4 {
        case 0: Double.random(in: -6.3e10...2.5e11, using: &random)
        case 1: Double.random(in: 7e8...9e8, using: &random)
        case 2: Double.random(in: -1...1, using: &random)
        default: Double(sign: round % 8 < 4 ? .plus : .minus, exponent: -(round % 120), significand: 1.1)
        }
    }

    @Test(arguments: [
        Double.leastNonzeroMagnitude, -Double.leastNonzeroMagnitude, 1.0.nextDown, -1.0.nextUp, 1e11.nextUp,
    ])
    func `the smallest difference survives`(seconds: Double) throws {
        let text = try #require(DateText.text(of: seconds))
        #expect(DateText.seconds(of: text) == seconds)
    }

    @Test func `every 97th day from year 1 to 9999 has its number back`() {
        let numbers = Array(stride(from: -730_485, to: 2_921_574, by: 97))
        #expect(numbers.map { CalendarDay(number: $0).number } == numbers)
    }

    @Test(arguments: [
        ("2026-11-21t12:00:00.50+02:00", 816_948_000.5), ("2026-11-21T00:30:00-09:30", 816_948_000),
        ("2001-01-01T00:00:00.000z", 0), ("0001-01-01T00:00:00+23:59", -63_113_990_340),
    ]) func `offsets and lower case are read`(text: String, seconds: Double) {
        #expect(DateText.seconds(of: text) == seconds)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T10:00:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "0000-01-01T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-11-21T10:00:60Z",
        "2026-11-21T10:00:00.Z", "2026-11-21T10:00:00+0200", "2026-11-21T10:00:00Z ", "+026-11-21T10:00:00Z",
        "2026-11-21 10:00:00Z", "2026-11-00T10:00:00Z", "2026-11-21T10:00:00,5Z", "é026-11-21T10:00:00Z",
    ]) func `what is no date is refused`(text: String) {
        #expect(DateText.seconds(of: text) == nil)
    }
}
