import Testing
import TypedDefaults

/// Numbers keep their every bit, and what a type cannot hold is refused.
struct NumberCodingTests {
    @Test func `the limits of every integer type come back`() throws {
        try roundTrip([Int8.min, .max], expectedText: "[-128, 127]")
        try roundTrip([Int16.min, .max], expectedText: "[-32768, 32767]")
        try roundTrip([Int32.min, .max], expectedText: "[-2147483648, 2147483647]")
        try roundTrip([Int64.min, .max], expectedText: "[-9223372036854775808, 9223372036854775807]")
        try roundTrip([Int.min, .max], expectedText: "[-9223372036854775808, 9223372036854775807]")
        try roundTrip([UInt8.max], expectedText: "[255]")
        try roundTrip([UInt16.max], expectedText: "[65535]")
        try roundTrip([UInt32.max], expectedText: "[4294967295]")
        try roundTrip([UInt64.max], expectedText: "[18446744073709551615]")
        try roundTrip([UInt.max], expectedText: "[18446744073709551615]")
        try roundTrip([Int128.min], expectedText: "[-170141183460469231731687303715884105728]")
        try roundTrip([UInt128.max], expectedText: "[340282366920938463463374607431768211455]")
    }

    @Test(arguments: [
        ("3.0", 3), ("3e2", 300), ("-1.50e1", -15), ("1000e-3", 1), ("0e999999999999", 0), ("-0.0", 0),
        ("0.1e1", 1),
    ]) func `a whole number is an integer however it is written`(text: String, integer: Int) throws {
        #expect(try decoded(Int.self, from: text) == integer)
        #expect(try decoded([Int].self, from: "[\(text)]") == [integer])
    }

    @Test(arguments: [
        "128", "-129", "1.5", "1e3", "1e99999999999999999999", "1e-1", "123456789012345678901234567890",
    ])
    func `a number that an integer type cannot hold is refused`(text: String) {
        #expect(refusal(of: text, as: Int8.self) == "expected Int8, found a number it cannot hold")
        #expect(
            refusal(of: "[\(text)]", as: [Int8].self) == "[0]: expected Int8, found a number it cannot hold")
    }

    @Test(arguments: [
        0.1, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, 1e16, 123456789.125, .infinity,
        -.infinity,
    ]) func `a floating number keeps every bit`(number: Double) throws {
        #expect(try decoded([Double].self, from: try encoded([number]))[0].bitPattern == number.bitPattern)
        #expect(try decoded(Double.self, from: try encoded(number)).bitPattern == number.bitPattern)
        let narrow = Float(number)
        #expect(try decoded([Float].self, from: try encoded([narrow]))[0].bitPattern == narrow.bitPattern)
        #expect(try decoded(Float.self, from: try encoded(narrow)).bitPattern == narrow.bitPattern)
    }

    @Test func `numbers that are not finite are words`() throws {
        #expect(
            try encoded([.nan, .infinity, -.infinity] as [Double]) == #"["NaN", "Infinity", "-Infinity"]"#)
        #expect(try decoded(Double.self, from: #""NaN""#).isNaN)
        #expect(try decoded([Float].self, from: #"["NaN"]"#)[0].isNaN)
        #expect(try decoded(String.self, from: #""NaN""#) == "NaN")
        #expect(refusal(of: #""inf""#, as: Double.self) == "expected Double, found a string")
        #expect(refusal(of: #""NaN""#, as: Int.self) == "expected Int, found a string")
    }

    @Test func `a number beyond a floating type's range is refused and not infinite`() {
        #expect(refusal(of: "1e400", as: Double.self) == "expected Double, found a number it cannot hold")
        #expect(
            refusal(of: "[1e39]", as: [Float].self) == "[0]: expected Float, found a number it cannot hold")
        #expect(refusal(of: String(repeating: "9", count: 400), as: Double.self) != nil)
    }

    @Test func `a Float is rounded once`() throws {
        // Just above the middle of two neighbours: as a Double it is the middle, which would round down.
        let text = "1.00000005960464477540"
        #expect(try decoded(Float.self, from: text) == Float(1).nextUp)
        #expect(try decoded([Float].self, from: "[\(text)]") == [Float(1).nextUp])
    }

    @Test func `a Float16 comes back and its errors hold no value`() throws {
        try roundTrip(
            [Float16(1.5), .greatestFiniteMagnitude, -.infinity], expectedText: #"[1.5, 65504, "-Infinity"]"#)
        #expect(refusal(of: "[70000]", as: [Float16].self)?.contains("70000") == false)
    }
}
