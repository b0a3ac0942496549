import DefaultsStore
import Testing

/// Numbers as text with a decimal value.
struct DefaultsNumberTests {
    @Test(arguments: [
        "0", "-0", "7", "0.000", "123456789012345678901234567890.5", "1e400", "1E+5", "-2.5e-3",
    ])
    func `a JSON number keeps its text`(text: String) {
        #expect(DefaultsNumber(text)?.text == text)
    }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "NaN", "Infinity", "0x1", " 1", "1 ", "1,",
    ])
    func `a text that is no JSON number makes none`(text: String) {
        #expect(DefaultsNumber(text) == nil)
    }

    @Test(arguments: [
        ["1", "1.0", "10e-1", "0.1e1", "1000000e-6", "1e0", "1E-0", "1e+00"],
        ["0.5", "0.50", "5e-1", "50e-2"],
        ["0", "0.0", "0e99999999999999999999"], ["-0", "-0.0", "-0e-5"],
        ["-12e3", "-12000", "-1.2e4"],
        ["1e999999999", "10e999999998", "0.1e1000000000"],
        ["1e9223372036854775808", "10e9223372036854775807", "100e9223372036854775806"],
        ["1e-9223372036854775809", "0.1e-9223372036854775808", "1e-09223372036854775809"],
        ["10e99999999999999999999", "1e100000000000000000000"],
        ["1e99999999999999999999", "10e99999999999999999998", "0.01e100000000000000000001"],
        ["1e-99999999999999999999", "0.1e-99999999999999999998", "10e-100000000000000000000"],
    ])
    func `numbers of one decimal value are one number`(spellings: [String]) {
        #expect(Set(spellings.compactMap { DefaultsNumber($0) }).count == 1)
    }

    @Test func `a number is the nearest Double, bit for bit, whichever way it is read`() {
        var texts = ["0", "-0", "-0.0", "0.000000000000001", "9007199254740993", "0.1e0", "1E2", "-1e-400"]
        for round in 0..<20_000 {
            let digits = (0...round % 18).map {
                $0 == 0 ? "\(Int.random(in: 1...9))" : "\(Int.random(in: 0...9))"
            }
            let point = Int.random(in: 1...digits.count)
            let whole = digits[..<point].joined()
            let fraction = digits[point...].joined()
            texts.append(
                (round.isMultiple(of: 2) ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction))
            texts.append("0." + digits.joined())
        }
        for text in texts {
            #expect(DefaultsNumber(text)?.double?.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
        #expect(DefaultsNumber("1e400")?.double == nil)
    }

    @Test func `numbers of different decimal values are different, however close`() {
        let texts = [
            "1", "-1", "10", "0.1", "1e999999999", "1e-999999999", "1e999999998", "1e99999999999999999999",
            "1e-99999999999999999999", "0", "100000000000000000000000000001",
            "100000000000000000000000000002",
            "0.1000000000000000055511151231257827",
        ]
        #expect(Set(texts.compactMap { DefaultsNumber($0) }).count == texts.count)
    }

    @Test(
        arguments: [
            ("3.0", 3), ("3.5", nil), ("1e2", 100), ("120e-1", 12), ("-0", 0), ("-0.0", 0), ("1e400", nil),
            ("1e99999999999999999999", nil), ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("-9223372036854775808", .min), ("-9223372036854775809", nil), ("9.223372036854775807e18", .max),
            ("-922337203685477580.8e1", .min), ("0e999", 0), ("1e-1", nil),
        ] as [(String, Int?)])
    func `a number is an Int exactly or not at all`(text: String, expected: Int?) throws {
        #expect(try #require(DefaultsNumber(text)).exactly(Int.self) == expected)
    }

    @Test(
        arguments: [
            ("255", 255), ("255.0", 255), ("256", nil), ("-1", nil), ("-1.0", nil), ("-0.0", 0),
            ("2.55e2", 255),
        ]
            as [(String, UInt8?)])
    func `a number is a UInt8 exactly or not at all`(text: String, expected: UInt8?) throws {
        #expect(try #require(DefaultsNumber(text)).exactly(UInt8.self) == expected)
    }

    @Test(
        arguments: [
            ("0.1", 0.1), ("1e308", 1e308), ("1e400", nil), ("-1e400", nil), ("1e-400", 0),
            ("5e-324", .leastNonzeroMagnitude),
            ("0.1000000000000000055511151231257827", 0.1), ("9007199254740993", 9_007_199_254_740_992),
            ("1E2", 100),
            ("1e99999999999999999999", nil), ("1e-99999999999999999999", 0),
            ("179769313486231580000e289", nil),
        ] as [(String, Double?)])
    func `a number is the nearest Double, nil beyond its range`(text: String, expected: Double?) throws {
        #expect(try #require(DefaultsNumber(text)).double == expected)
    }

    @Test(
        arguments: [
            (30, "30"), (-0.0, "-0"), (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"), (1e16, "1e+16"),
            (.leastNonzeroMagnitude, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ] as [(Double, String)])
    func `a Double has its shortest text, without an empty fraction`(value: Double, text: String) {
        #expect(DefaultsNumber(value)?.text == text)
    }

    @Test(arguments: [(0.1, "0.1"), (3, "3"), (16_777_216, "16777216")] as [(Float, String)])
    func `a Float has its own shortest text`(value: Float, text: String) {
        #expect(DefaultsNumber(value)?.text == text)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite makes none`(value: Double) {
        #expect(DefaultsNumber(value) == nil)
    }

    @Test func `a Float that is not finite makes none`() {
        #expect(DefaultsNumber(Float.nan) == nil)
    }

    @Test func `an integer of 128 bits keeps every digit`() {
        #expect(DefaultsNumber(Int128.min).text == "-170141183460469231731687303715884105728")
        #expect(DefaultsNumber(UInt128.max).exactly(UInt128.self) == .max)
    }
}
