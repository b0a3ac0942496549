import FoundationEssentials
import TestSupport
import Testing
import TypedDefaults

/// The library knows Foundation's types by name, and reads them as Foundation does, without loading it.
struct FoundationFormTests {
    @Test func `decimals are read as Foundation reads them`() throws {
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<5_000 {
            let text = number(by: &numbers)
            guard let expected = Decimal(string: text) else { continue }
            #expect(try decoded(Decimal.self, from: text) == expected, "\(text)")
        }
    }

    @Test(arguments: [
        ("1e128", "1" + zeros(128)), ("100e126", "1" + zeros(128)), ("1e165", "1" + zeros(165)),
        ("10e-129", "0." + zeros(127) + "1"), ("12.50E+1", "125"), ("-0.1e-0", "-0.1"),
    ])
    func `a decimal takes whatever its exponent can be made to fit`(_ text: String, _ digits: String) throws {
        let value = try decoded(Decimal.self, from: text)
        #expect(value.description == digits)
        try roundTrip(value)
    }

    @Test(arguments: [
        "1e166", "1e-129", "12e-129", "1e99999999999999999999", "1e-9999999999", "4e165",
        "2e-9223372036854775808", "2e9223372036854775807",
        "0.2e-9223372036854775808", "20e9223372036854775807",
    ])
    func `a decimal that 128 bits and an exponent of one byte cannot hold is refused`(_ text: String) {
        #expect(refusal(of: text, as: Decimal.self) == "expected Decimal, found a number it cannot hold")
    }

    /// What changes the object as which 1.5 encodes itself.
    @Test(arguments: [
        #""exponent":200"#, #""exponent":-1.5"#, #""length":9"#, #""length":-1"#, #""isNegative":1"#,
        #""isCompact":null"#, #""mantissa":[15]"#, #""mantissa":[65536,0,0,0,0,0,0,0]"#,
    ])
    func `an object that is no whole decimal is refused`(_ change: String) throws {
        func object(_ members: String) -> String {
            #"{"exponent":-1,"length":1,"isNegative":false,"isCompact":true,"mantissa":[15,0,0,0,0,0,0,0]"#
                + members + "}"
        }
        #expect(try decoded(Decimal.self, from: object("")) == Decimal(string: "1.5"))
        let refused = "expected Decimal, found an object that is none"
        #expect(refusal(of: object("," + change), as: Decimal.self) == refused)
        #expect(refusal(of: "{}", as: Decimal.self) == refused)
    }

    @Test func `zero is zero with any exponent`() throws {
        for text in ["0", "-0", "0.000", "0e400", "-0e-400", "0E+99999999999999999999"] {
            #expect(try decoded(Decimal.self, from: text) == 0, "\(text)")
        }
    }

    /// Foundation takes more: letters behind a padding, and one padding too many.
    @Test func `base64 is read as Foundation reads it, and refused where the padding is wrong`() throws {
        var numbers = SeededNumbers(seed: 2)
        var readings = 0
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...9, using: &numbers)).map { _ in
                    "AZaz09+/AZaz09+/==\n -_".randomElement(using: &numbers) ?? "="
                })
            let quoted = "\"" + text.replacing("\n", with: "\\n") + "\""
            let padding = text.drop { $0 != "=" }
            let isPadded =
                text.count.isMultiple(of: 4) && padding.count < 3 && padding.allSatisfy { $0 == "=" }
            guard isPadded, let expected = Data(base64Encoded: text) else {
                let reason = refusal(of: quoted, as: Data.self)
                #expect(reason == "expected Data in base64, found another string", "\(quoted)")
                continue
            }
            readings += 1
            #expect(try decoded(Data.self, from: quoted) == expected, "\(quoted)")
        }
        #expect(readings > 500)
    }

    @Test func `data of any size and any slice of it comes back`() throws {
        var numbers = SeededNumbers(seed: 3)
        for count in [0, 1, 2, 3, 14, 15, 1_000, 200_001] {
            let bytes = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) })
            #expect(try encoded(bytes) == "\"\(bytes.base64EncodedString())\"")
            try roundTrip(bytes)
            try roundTrip(bytes.dropFirst(count / 3))
        }
    }

    @Test(arguments: [
        "a", "", " ", "a b", "http://[", "//", "?", "#", "%", "%41", "http://é.org/ü?ö#ä", "mailto:a@b",
        "file:///a b",
        "http://a:b@c:99999/", "http://a:x/", "1:2", ":", "\\u0000", "x\\u0001y", "..", "http://例え.jp/引き",
    ])
    func `a URL is read where Foundation reads it`(_ text: String) throws {
        let plain = text.replacing("\\u0000", with: "\0").replacing("\\u0001", with: "\u{1}")
        guard let expected = URL(string: plain) else {
            #expect(refusal(of: "\"\(text)\"", as: URL.self) == "expected URL, found another string")
            return
        }
        #expect(try decoded(URL.self, from: "\"\(text)\"") == expected)
        #expect(try encoded(expected) == encoded(expected.absoluteString))
    }

    @Test func `Foundation's values that are no containers stand where no container may be opened`() throws {
        try expectDeepest(Date(timeIntervalSinceReferenceDate: 0), is: #""2001-01-01T00:00:00Z""#)
        try expectDeepest(Data([0]), is: #""AA==""#)
        try expectDeepest(Decimal(1), is: "1")
        try expectDeepest(try #require(URL(string: "a")), is: #""a""#)
        let based = try #require(URL(string: "b", relativeTo: URL(string: "http://a/")))
        #expect(saying { _ = try encoded(Deep(levels: 128, value: based)) } != nil)
    }

    @Test func `a type of the same name from elsewhere is written as it writes itself`() throws {
        try roundTrip(Named.Date(day: 1), expectedText: #"{"day": 1}"#)
        try roundTrip([Named.Data(day: 2)], expectedText: #"[{"day": 2}]"#)
    }
}

/// Types whose names are also those of Foundation's.
private enum Named {
    struct Date: Codable, Hashable { var day: Int }
    struct Data: Codable, Hashable { var day: Int }
}

private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

/// A number as JSON writes them, with few or many digits.
private func number(by numbers: inout SeededNumbers) -> String {
    func digits(_ counts: ClosedRange<Int>) -> String {
        String(
            (0..<Int.random(in: counts, using: &numbers)).map { _ in
                "0123456789".randomElement(using: &numbers) ?? "0"
            })
    }
    let whole = "\(Int.random(in: 1...9, using: &numbers))" + digits(0...45)
    let fraction = Bool.random(using: &numbers) ? "." + digits(1...45) : ""
    let exponent = Bool.random(using: &numbers) ? "e\(Int.random(in: -140...140, using: &numbers))" : ""
    return (Bool.random(using: &numbers) ? "-" : "") + (Bool.random(using: &numbers) ? whole : "0") + fraction
        + exponent
}

/// A value inside as many arrays as may stand inside one another has its text.
private func expectDeepest(_ value: some Codable & Sendable, is text: String) throws {
    let brackets = (String(repeating: "[", count: 128), String(repeating: "]", count: 128))
    #expect(try encoded(Deep(levels: 128, value: value)) == brackets.0 + text + brackets.1)
}

/// A value inside arrays; read at their end only, since nothing here reads it.
private struct Deep<Value: Codable & Sendable>: Codable {
    var levels: Int
    var value: Value

    func encode(to encoder: any Encoder) throws {
        if levels == 0 { return try value.encode(to: encoder) }
        var container = encoder.unkeyedContainer()
        if levels > 1 {
            try container.encode(Deep(levels: levels - 1, value: value))
        } else {
            try container.encode(value)
        }
    }
}
