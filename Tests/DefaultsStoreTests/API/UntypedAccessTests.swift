/// Access by name, as `UserDefaults` has it.
import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct UntypedAccessTests {
    /// One value and what each question about it answers.
    struct Conversion: Sendable, CustomTestStringConvertible {
        let value: DefaultsValue?
        let bool: Bool
        let integer: Int
        let double: Double
        let string: String?

        init(_ value: DefaultsValue?, _ bool: Bool, _ integer: Int, _ double: Double, _ string: String?) {
            (self.value, self.bool, self.integer, self.double, self.string) = (
                value, bool, integer, double, string
            )
        }

        var testDescription: String { value.map { "\($0)" } ?? "nothing" }
    }

    private static let conversions = [
        Conversion(true, true, 1, 1, "true"), Conversion(false, false, 0, 0, "false"),
        Conversion(0, false, 0, 0, "0"), Conversion(42, true, 42, 42, "42"),
        Conversion(3.75, true, 3, 3.75, "3.75"), Conversion(-1.5, true, -1, -1.5, "-1.5"),
        Conversion(9_223_372_036_854_775_808, true, 0, 9_223_372_036_854_775_808, "9223372036854775808"),
        Conversion("42", false, 42, 42, "42"), Conversion("0.5", false, 0, 0.5, "0.5"),
        Conversion("1", true, 1, 1, "1"), Conversion("YES", true, 0, 0, "YES"),
        Conversion("y", true, 0, 0, "y"), Conversion("N", false, 0, 0, "N"),
        Conversion("true", true, 0, 0, "true"),
        Conversion("-2.5e1", false, -25, -25, "-2.5e1"), Conversion("nan", false, 0, 0, "nan"),
        Conversion("inf", false, 0, 0, "inf"), Conversion("-Infinity", false, 0, -.infinity, "-Infinity"),
        Conversion("0x10", false, 0, 0, "0x10"),
        Conversion("1e999", false, 0, 0, "1e999"),
        Conversion("12abc", false, 0, 0, "12abc"), Conversion("", false, 0, 0, ""),
        Conversion(.some(.null), false, 0, 0, nil),
        Conversion([1], false, 0, 0, nil), Conversion(["a": 1], false, 0, 0, nil),
        Conversion(nil, false, 0, 0, nil),
    ]

    private let suite = DefaultsSuite.inMemory()

    @Test(arguments: conversions)
    func `a value answers as UserDefaults would`(_ row: Conversion) throws {
        if let value = row.value { try suite.set(value, forKey: "a") }
        #expect(suite.value(forKey: "a") == row.value)
        #expect(suite.bool(forKey: "a") == row.bool)
        #expect(suite.integer(forKey: "a") == row.integer)
        #expect(suite.double(forKey: "a") == row.double)
        #expect(suite.string(forKey: "a") == row.string)
    }

    @Test func `a variable of a plain type is stored as it is`() throws {
        let (flag, whole, real, text) = (true, -5, 0.5, "a")
        try suite.set(flag, forKey: "flag")
        try suite.set(whole + 1, forKey: "whole")
        try suite.set(real, forKey: "real")
        try suite.set(text, forKey: "text")
        try suite.set("\(text) \(whole)", forKey: "both")
        try suite.set(text.prefix(1), forKey: "part")
        try suite.set(UInt64.max, forKey: "most")
        try suite.set(Float(0.1), forKey: "single")
        #expect(
            try suite.storedValues() == [
                "flag": true, "whole": -4, "real": 0.5, "text": "a", "both": "a -5", "part": "a",
                "most": 18_446_744_073_709_551_615, "single": 0.1,
            ])
    }

    @Test func `a literal is a value of its own kind, and what begins with a dot one of ours`() throws {
        try suite.set(170_141_183_460_469_231_731_687_303_715_884_105_727, forKey: "wide")
        try suite.set(.string("a"), forKey: "text")
        try suite.set(.init(integerLiteral: 5), forKey: "five")
        try suite.set(nil, forKey: "none")
        try suite.set([1, "a"], forKey: "list")
        #expect(
            try suite.storedValues() == [
                "wide": 170_141_183_460_469_231_731_687_303_715_884_105_727, "text": "a", "five": 5,
                "none": .null, "list": [1, "a"],
            ])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that JSON does not have is stored by its name, and read as it was`(_ number: Double) throws
    {
        for isShort in [false, true] {
            isShort ? try suite.set(Float(number), forKey: "a") : try suite.set(number, forKey: "a")
            let read = suite.double(forKey: "a")
            #expect(read == number || read.isNaN && number.isNaN)
        }
    }

    @Test func `an explicit null is a stored value and not a missing one`() throws {
        suite.register(defaults: ["a": 1])
        try suite.set(.null, forKey: "a")
        #expect(suite.value(forKey: "a") == .some(.null))
        #expect(try suite.storedValues() == ["a": .null])
        #expect(suite.domain(forKey: "a") == .stored)
    }

    @Test func `removing a value lets the registered one show again`() throws {
        suite.register(defaults: ["a": 1])
        try suite.set(2, forKey: "a")
        #expect(suite.value(forKey: "a") == 2)
        try suite.removeValue(forKey: "a")
        #expect(suite.value(forKey: "a") == 1)
    }

    @Test func `removing what is not stored is no failure and no event`() throws {
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "a", options: []) { events.append($0) }
        try suite.removeValue(forKey: "a")
        try suite.set(1, forKey: "a")
        #expect(events.all.count == 1)
        observation.invalidate()
    }

    @Test func `removeAll takes everything stored and leaves what is registered`() throws {
        suite.register(defaults: ["a": 1])
        for key in ["a", "b", "c"] { try suite.set(2, forKey: key) }
        try suite.removeAll()
        #expect(try suite.storedValues() == [:])
        #expect(suite.dictionaryRepresentation() == ["a": 1])
    }

    @Test func `the dictionary holds stored values above registered ones and storedValues the file alone`()
        throws
    {
        suite.register(defaults: ["a": 1, "b": 1])
        try suite.set(2, forKey: "b")
        try suite.set(2, forKey: "c")
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2, "c": 2])
        #expect(try suite.storedValues() == ["b": 2, "c": 2])
    }

    @Test func `the later registration of a name applies and each suite has its own`() {
        let other = DefaultsSuite.inMemory()
        suite.register(defaults: ["a": 1])
        suite.register(defaults: ["a": 2])
        other.register(defaults: ["a": 3])
        #expect(suite.value(forKey: "a") == 2)
        #expect(other.value(forKey: "a") == 3)
    }

    @Test func `a registered value that no file could hold is reported and left out, the others count`() {
        let failures = FailureRecorder(suite)
        suite.register(defaults: ["a": 1, "": 2])
        #expect(suite.dictionaryRepresentation() == ["a": 1])
        #expect(failures.codes == [.invalidKey])
    }

    @Test func `the domain of a key is the one that answers`() throws {
        suite.register(defaults: ["a": 1, "b": 1])
        try suite.set(2, forKey: "b")
        #expect(["a", "b", "c"].map { suite.domain(forKey: $0) } == [.registered, .stored, nil])
    }

    @Test func `an observer hears a registration that changes the effective value`() {
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "a", options: [.old, .new]) { events.append($0) }
        suite.register(defaults: ["a": 1])
        #expect(events.all.map(\.newValue) == [1])
        #expect(events.all.map(\.cause) == [.defaultsChanged("register(defaults:)")])
        observation.invalidate()
    }

    /// A number's text, and what it is as an integer and as a Boolean.
    @Test(arguments: [
        ("9007199254740993.5", 9_007_199_254_740_993, true), ("9223372036854775807.9", .max, true),
        ("-9223372036854775808.25", .min, true), ("9223372036854775808.0", 0, true),
        ("0.99999999999999999999", 0, true), ("-0.5", 0, true), ("12e-1", 1, true), ("12e-5", 0, true),
        ("1e-400", 0, true), ("1e-99999999999999999999", 0, true), ("0e5", 0, false), ("-0.0", 0, false),
        ("1200e-2", 12, true), ("100.5e1", 1_005, true), ("1e400", 0, true),
    ])
    func `a number is cut at its point by its digits, and true if it has any`(
        text: String, integer: Int, bool: Bool
    ) throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"a\": \(text)}", to: "settings/settings.json")
        let suite = try folder.suite()
        #expect(suite.integer(forKey: "a") == integer)
        #expect(suite.bool(forKey: "a") == bool)
    }
}
