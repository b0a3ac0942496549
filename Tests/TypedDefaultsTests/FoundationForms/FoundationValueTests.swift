import FoundationEssentials
import Testing
import TypedDefaults

/// The values of Foundation in the words of a person.
struct FoundationValueTests {
    @Test func `dates are ISO 8601 wherever they stand`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 817_034_400.5)
        try roundTrip(date, expectedText: #""2026-11-22T10:00:00.5Z""#)
        try roundTrip(
            [date: [date]], expectedText: #"["2026-11-22T10:00:00.5Z", ["2026-11-22T10:00:00.5Z"]]"#)
        try roundTrip(Date?.some(.distantFuture), expectedText: #""4001-01-01T00:00:00Z""#)
        try roundTrip([Date.distantPast, .now])
    }

    @Test func `a date that ISO 8601 cannot say is a number of seconds`() throws {
        try roundTrip(Date(timeIntervalSinceReferenceDate: 1e20), expectedText: "1e+20")
        try roundTrip(Date(timeIntervalSinceReferenceDate: -.infinity), expectedText: #""-Infinity""#)
        #expect(try decoded(Date.self, from: "-0.5") == Date(timeIntervalSinceReferenceDate: -0.5))
        #expect(
            refusal(of: #"["today"]"#, as: [Date].self)
                == "[0]: expected Date in ISO 8601, found another string")
        #expect(refusal(of: "true", as: Date.self) == "expected Date, found a boolean")
    }

    @Test func `data is base64`() throws {
        try roundTrip([Data(), Data([0, 255, 254])], expectedText: #"["", "AP/+"]"#)
        #expect(refusal(of: #""AP/""#, as: Data.self) == "expected Data in base64, found another string")
        #expect(refusal(of: "[0]", as: Data.self) == "expected Data, found an array")
    }

    @Test func `a URL is its text unless it has a base`() throws {
        try roundTrip(
            try #require(URL(string: "https://example.org/%C3%A9?q=a%20b#f")),
            expectedText: #""https://example.org/%C3%A9?q=a%20b#f""#)
        let base = try #require(URL(string: "https://example.org/a/"))
        try roundTrip(
            try #require(URL(string: "../b", relativeTo: base)),
            expectedText: #"{"relative": "../b", "base": "https://example.org/a/"}"#)
        #expect(refusal(of: #""""#, as: URL.self) == "expected URL, found another string")
    }

    @Test func `a decimal keeps all its digits`() throws {
        let many = try #require(Decimal(string: "-12345678901234567890.123456789012345678"))
        try roundTrip(
            [many, 0, Decimal(string: "0.10") ?? 1],
            expectedText: "[-12345678901234567890.123456789012345678, 0, 0.1]")
        try roundTrip([Decimal.greatestFiniteMagnitude, .leastNonzeroMagnitude])
        try roundTrip(Decimal.nan, expectedText: #""NaN""#)
        #expect(refusal(of: "1e400", as: Decimal.self) == "expected Decimal, found a number it cannot hold")
        #expect(refusal(of: #""1""#, as: Decimal.self) == "expected Decimal, found a string")
    }

    @Test func `a UUID is its text`() throws {
        let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        try roundTrip([try #require(UUID(uuidString: text))], expectedText: "[\"\(text)\"]")
    }
}
