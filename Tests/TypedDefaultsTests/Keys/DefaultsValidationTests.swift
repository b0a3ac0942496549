import TestSupport
import Testing
import TypedDefaults

/// The validations of keys.
@Suite(.ownThread) struct DefaultsValidationTests {
    /// What the suite throws for a value, in the words of the validation.
    private func reason<Value>(_ key: Defaults.Key<Value>, refuses value: Value) -> String? {
        let error = refusal { try key.suite.set(key, to: value) }
        return error?.code == .invalidValue ? error?.underlyingDescription : nil
    }

    @Test(arguments: [(-1, "it is outside 0...10"), (0, nil), (10, nil), (11, "it is outside 0...10")])
    func `a range takes its bounds and what is between`(number: Int, objection: String?) {
        let key = Defaults.Key<Int>("number", default: 5, suite: .inMemory(), validation: .range(0...10))
        #expect(reason(key, refuses: number) == objection)
        #expect(Defaults[key] == (objection == nil ? number : 5))
    }

    @Test func `a range of numbers does not take a value that is none`() {
        let key = Defaults.Key<Double>("ratio", default: 0, suite: .inMemory(), validation: .range(0...1))
        #expect(reason(key, refuses: .nan) == "it is outside 0.0...1.0")
    }

    @Test(arguments: [(nil, nil), (3, nil), (11, "it is outside 0...10")] as [(Int?, String?)])
    func `a range on an optional key takes nil and checks the rest`(number: Int?, objection: String?) {
        let key = Defaults.OptionalKey<Int>("number", suite: .inMemory(), validation: .range(0...10))
        #expect(reason(key, refuses: number) == objection)
    }

    @Test func `a range may be open at either end, and its schema says so`() throws {
        func check(
            _ validation: DefaultsValidation<Int>, _ optional: DefaultsValidation<Int?>, takes good: [Int],
            not bad: [Int],
            _ words: String, _ schema: DefaultsObject
        ) throws {
            let key = Defaults.Key<Int>("number", default: 5, suite: .inMemory(), validation: validation)
            let whole = Defaults.OptionalKey<Int>("number", suite: .inMemory(), validation: optional)
            for number in good {
                #expect(reason(key, refuses: number) == nil)
                #expect(reason(whole, refuses: number) == nil)
            }
            for number in bad {
                #expect(reason(key, refuses: number) == "it is outside \(words)")
                #expect(reason(whole, refuses: number) == "it is outside \(words)")
            }
            #expect(reason(whole, refuses: nil) == nil)
            #expect(key.allowedRange == nil)
            let stated = try Defaults.schema(of: [key])["properties"]?["number"]?.object ?? [:]
            for name in ["minimum", "maximum", "exclusiveMaximum"]
            where schema[name] != nil || name.hasPrefix("ex") {
                #expect(stated[name] == schema[name], "\(name)")
            }
        }
        try check(.range(1...), .range(1...), takes: [1, .max], not: [0], "1...", ["minimum": 1])
        try check(.range(...9), .range(...9), takes: [.min, 9], not: [10], "...9", ["maximum": 9])
        try check(.range(..<9), .range(..<9), takes: [.min, 8], not: [9], "..<9", ["exclusiveMaximum": 9])
        try check(
            .range(1..<9), .range(1..<9), takes: [1, 8], not: [0, 9], "1..<9",
            ["minimum": 1, "exclusiveMaximum": 9])
        let even = Defaults.Key<Int>(
            "even", default: 0, suite: .inMemory(), validation: .where { $0 % 2 == 0 })
        #expect(reason(even, refuses: 3) == "it does not pass the key's validation")
    }

    @Test(arguments: [
        (Mood.calm, nil), (.merry, nil),
        (.cross, "it is not one of the allowed values: calm, merry"),
    ])
    func `a choice takes its values and no others, and names them`(mood: Mood, objection: String?) {
        let key = Defaults.Key<Mood>(
            "mood", default: .calm, suite: .inMemory(), validation: .oneOf(.calm, .merry))
        #expect(reason(key, refuses: mood) == objection)
    }

    @Test func `a secret's choice does not name its values`() {
        let key = Defaults.Key<String>(
            "pin", default: "", suite: .inMemory(), validation: .oneOf("271", "828"), secret: true)
        #expect(reason(key, refuses: "314") == "it is not one of the allowed values")
    }

    @Test(arguments: [("ab", nil), ("a", "it does not pass the key's validation")])
    func `a validation of one's own decides by the value`(name: String, objection: String?) {
        let key = Defaults.Key<String>(
            "name", default: "none", suite: .inMemory(), validation: .where { $0.count > 1 })
        #expect(reason(key, refuses: name) == objection)
    }

    @Test func `a key with a codec of its own has a validation too`() {
        let key = Defaults.Key<Angle>(
            "angle", default: Angle(degrees: 0), suite: .inMemory(), codec: Angle.codec,
            validation: .where { $0.degrees < 360 })
        #expect(reason(key, refuses: Angle(degrees: 360)) == "it does not pass the key's validation")
    }

    @Test func `a stored null of an optional key is asked about like any value`() throws {
        let key = Defaults.OptionalKey<String>(
            "mood", suite: .inMemory(), validation: .oneOf("calm", "merry"))
        try key.suite.setUnchecked(nil, forKey: "mood")
        #expect(refusal { _ = try key.suite.value(key) }?.code == .invalidValue)
        #expect(key.suite.problems().map(\.key) == ["mood"])
        let twice = Defaults.Key<Int??>(
            "mood", default: nil, suite: .inMemory(), validation: .where { $0 != .some(nil) })
        try twice.suite.setUnchecked(nil, forKey: "mood")
        #expect(refusal { _ = try twice.suite.value(twice) }?.code == .invalidValue)
    }

    @Test func `a codec decodes the null that it has written`() throws {
        let codec = DefaultsCodec<Mood?>(
            encode: { $0 == .calm ? Array("null".utf8) : Array("\"merry\"".utf8) },
            decode: { Array("null".utf8) == $0 ? .calm : .merry })
        let key = Defaults.Key<Mood?>("mood", default: nil, suite: .inMemory(), codec: codec)
        try key.suite.set(key, to: .calm)
        #expect(try key.suite.value(key) == .calm)
    }

    @Test func `a refused value leaves the old one`() throws {
        try Place.file.withSuite { suite in
            let key = Defaults.Key<Int>("number", default: 5, suite: suite, validation: .range(0...10))
            try suite.set(key, to: 7)
            #expect(reason(key, refuses: 11) == "it is outside 0...10")
            try #expect(suite.storedValues() == ["number": 7])
        }
    }

    @Test func `the error's text names the validation and not the value`() {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.Key<Int>("pin", default: 0, suite: suite, validation: .range(0...9_999))
        #expect(
            refusal { try suite.set(key, to: 271_828) }?.description == """
                The value is not one the key allows (key "pin", suite "in memory"): it is outside 0...9999. Use a \
                value that the key's validation accepts.
                """)
    }
}
