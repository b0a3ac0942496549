import TestSupport
import Testing
import TypedDefaults

/// The short way of a scalar and the general one cannot be told apart.
struct ScalarCodecTests {
    /// Compares text and value of both ways.
    private func expectSame<Value: Codable & Sendable & Equatable>(
        _ values: [Value], at location: SourceLocation = #_sourceLocation
    ) throws {
        let (short, general) = (DefaultsCodec<Value>.codable, DefaultsCodec<Value>.general)
        for value in values {
            let text = try general.encode(value)
            #expect(try short.encode(value) == text, sourceLocation: location)
            #expect(try short.decode(text) == value, sourceLocation: location)
            #expect(try general.decode(text) == value, sourceLocation: location)
        }
    }

    @Test func `both ways agree on scalars and optionals of them`() throws {
        try expectSame([true, false])
        try expectSame([0, 1, -1, 42, .min, .max, 999_999_999_999_999_999, 1_000_000_000_000_000_000])
        try expectSame([UInt64.max, 0])
        try expectSame([Int8.min, 5])
        try expectSame([UInt128.max, 1])
        try expectSame([0, -0.0, 0.1, 1e300, -2.5e-8, 12345678901234568, .infinity] as [Double])
        try expectSame([0.1, 16_777_216, 3.4e38, -.infinity] as [Float])
        try expectSame(["", "a", "é", "\"quoted\"\\", "line\nend\u{0}", "👩‍👩‍👧", "\u{7F}\u{2028}"])
        try expectSame([nil, true] as [Bool?])
        try expectSame([nil, "null"] as [String?])
        try expectSame([nil, .some(3)] as [Int??])
    }

    private typealias Value = Codable & Sendable

    private static let scalars: [any Value.Type] = [
        Bool.self, String.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self,
        Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
    ]

    private func isShort<Scalar: Value>(_ type: Scalar.Type) -> [Bool] {
        [DefaultsCodec<Scalar>.codable.isScalar, DefaultsCodec<Scalar?>.codable.isScalar]
    }

    @Test func `each scalar type and its optional have the short way`() {
        #expect(Self.scalars.filter { isShort($0) != [true, true] }.map { "\($0)" } == [])
    }

    @Test func `no other type has it`() {
        #expect(!DefaultsCodec<[Int]>.codable.isScalar)
        #expect(!DefaultsCodec<Range<Int>>.codable.isScalar)
        #expect(!DefaultsCodec<[String: Double]?>.codable.isScalar)
    }

    @Test func `both ways agree on random numbers`() throws {
        var random = SeededNumbers(seed: 1)
        try expectSame((0..<3000).map { _ in Double(bitPattern: random.next()) }.filter { !$0.isNaN })
        try expectSame((0..<3000).map { _ in Double(Int.random(in: -99999...99999, using: &random)) / 1000 })
        try expectSame((0..<1000).map { _ in Int(truncatingIfNeeded: random.next() >> (random.next() % 64)) })
    }

    @Test(arguments: [
        "", " ", "01", "-", "1.", ".5", "+1", "1 2", "-01", "--1", "1.2.3", "nul", "truE", "\"", "\"a\"b\"",
        "1e", "0x1",
        "\"\t\"", "\"\\\"", "inf", "nan",
    ]) func `what is no JSON is refused by the short way too`(text: String) {
        #expect(refusal(of: text, as: Int.self) != nil)
        #expect(refusal(of: text, as: Double.self) != nil)
        #expect(refusal(of: text, as: Float?.self) != nil)
        #expect(refusal(of: text, as: String.self) != nil)
        #expect(refusal(of: text, as: Bool?.self) != nil)
    }

    /// What a codec makes of a text, a refusal told from a value.
    private func outcome<Scalar: Value & Equatable>(
        _ codec: DefaultsCodec<Scalar>, _ text: [UInt8]
    ) -> [Scalar]? {
        do { return [try codec.decode(text)] } catch { return nil }
    }

    @Test func `both ways agree on every byte at every place of a text`() {
        let (short, general) = (DefaultsCodec<String>.codable, DefaultsCodec<String>.general)
        var differing: [[UInt8]] = []
        for length in [1, 2, 6, 7, 8, 9, 15, 16, 17, 25] {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    text[place] = byte
                    text = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
                    if outcome(short, text) != outcome(general, text) { differing.append(text) }
                }
            }
        }
        #expect(differing == [])
    }

    @Test(arguments: [
        "true", "false", "truE", "True", "fals", "falsE", "tru", "truex", "xfalse", "falsey", "null", "0",
        "1",
    ]) func `both ways agree on what a truth value is`(text: String) {
        let text = Array(text.utf8)
        #expect(outcome(DefaultsCodec<Bool>.codable, text) == outcome(DefaultsCodec<Bool>.general, text))
    }

    @Test(arguments: [
        "0", "-0", "-", "00", "0.", ".0", "0.0", "-0.5", "1.50", "1..5", "1.5.", "12345678901234.5",
        "123456789012345.5", "0.000000000000001", "0.0000000000000001", "999999999999999999",
        "1000000000000000000", "9223372036854775808", "-9223372036854775808", "1e2", "1E", "/", ":", "5:",
        "5/",
    ]) func `both ways agree on what a number is`(text: String) {
        let text = Array(text.utf8)
        #expect(outcome(DefaultsCodec<Double>.codable, text) == outcome(DefaultsCodec<Double>.general, text))
        #expect(outcome(DefaultsCodec<Int>.codable, text) == outcome(DefaultsCodec<Int>.general, text))
    }

    @Test func `invalid UTF-8 is refused and not mended`() {
        #expect(saying { _ = try DefaultsCodec<String>.codable.decode([0x22, 0xFF, 0x22]) } != nil)
    }

    @Test func `a scalar of another kind is refused`() {
        #expect(refusal(of: "null", as: Int.self) == "expected Int, found null")
        #expect(refusal(of: "1", as: Bool.self) == "expected Bool, found a number")
        #expect(refusal(of: "true", as: String?.self) == "expected String, found a boolean")
        #expect(refusal(of: "{}", as: Double.self) == "expected Double, found an object")
    }

    @Test func `spellings of a person are read`() throws {
        #expect(try decoded(String.self, from: #" "\u00e9\/" // note"#) == "é/")
        #expect(try decoded(Double?.self, from: "25e-2") == 0.25)
        #expect(try decoded(Bool.self, from: "/* on */ true") == true)
        #expect(try decoded(Int?.self, from: " null ") == nil)
    }
}
