import DefaultsStore
import Testing

/// Values as a user of the library meets them.
struct DefaultsValueTests {
    @Test func `literals of every kind make a value`() {
        let value: DefaultsValue = [
            "a": nil, "b": true, "c": 3, "d": 0.5, "e": "text", "f": [1, [:]], "g": [],
        ]
        #expect(
            value.description
                == #"{"a": null, "b": true, "c": 3, "d": 0.5, "e": "text", "f": [1, {}], "g": []}"#)
    }

    @Test func `an integer literal wider than Int is exact`() {
        let value: DefaultsValue = 18_446_744_073_709_551_615
        #expect(value.description == "18446744073709551615")
    }

    @Test func `what is no literal makes the value that its literal makes`() {
        let (count, byte, share, flag, name) = (3, UInt8(255), 0.5, true, "text")
        let (wide, small) = (UInt128.max, Float(0.1))
        let value: DefaultsValue = [
            "count": DefaultsValue(count), "byte": .init(byte), "share": DefaultsValue(share),
            "flag": DefaultsValue(flag), "name": DefaultsValue(name), "line": "\(name) \(count)",
            "wide": DefaultsValue(wide), "small": DefaultsValue(small),
            "list": .array([name, "b"].map { DefaultsValue($0) }),
        ]
        #expect(
            value == [
                "count": 3, "byte": 255, "share": 0.5, "flag": true, "name": "text", "line": "text 3",
                "wide": .number(DefaultsNumber(UInt128.max)), "small": 0.1, "list": ["text", "b"],
            ])
        #expect(value["small"]?.description == "0.1")
    }

    @Test func `literals mean the same in parentheses and after init`() {
        let values: [DefaultsValue] = [
            DefaultsValue(3), .init(3), DefaultsValue(3.5), .init(3.5), DefaultsValue("a"), .init("a"),
            DefaultsValue(true), .init(true), DefaultsValue("\(1)"), .init("\(1)"),
            DefaultsValue(170_141_183_460_469_231_731_687_303_715_884_105_727),
        ]
        #expect(
            values.map(\.description) == [
                "3", "3", "3.5", "3.5", "\"a\"", "\"a\"", "true", "true", "\"1\"", "\"1\"",
                "170141183460469231731687303715884105727",
            ])
    }

    @Test(arguments: [(1 / 0, "Infinity"), (-1 / 0, "-Infinity"), (.nan, "NaN")] as [(Double, String)])
    func `a number that JSON does not have is its name, and read as it was`(number: Double, name: String)
        throws
    {
        #expect(DefaultsValue(number) == .string(name))
        #expect(DefaultsValue(Float(number)) == .string(name))
        let suite = DefaultsSuite.inMemory()
        try suite.set(DefaultsValue(number), forKey: "a")
        #expect(suite.double(forKey: "a") == number || number.isNaN && suite.double(forKey: "a").isNaN)
    }

    @Test func `call sites with variables and interpolations take no cast`() throws {
        let suite = DefaultsSuite.inMemory()
        let number = 7
        try suite.set("user \(number)", forKey: "name")
        try suite.set(.init(number), forKey: "number")
        suite.register(defaults: ["title": "no. \(number)"])
        try suite.withTransaction { $0[key: "other"] = "user \(number + 1)" }
        #expect(suite.string(forKey: "name") == "user 7")
        #expect(suite.integer(forKey: "number") == 7)
        #expect(suite.string(forKey: "title") == "no. 7")
        #expect(suite.string(forKey: "other") == "user 8")
    }

    @Test func `each property reads its own kind only`() {
        let values: [DefaultsValue] = [nil, true, 3, "text", [1], ["a": 1]]
        #expect(values.map(\.isNull) == [true, false, false, false, false, false])
        #expect(values.map(\.bool) == [nil, true, nil, nil, nil, nil])
        #expect(values.map(\.int) == [nil, nil, 3, nil, nil, nil])
        #expect(values.map(\.double) == [nil, nil, 3, nil, nil, nil])
        #expect(values.map(\.string) == [nil, nil, nil, "text", nil, nil])
        #expect(values.map(\.array) == [nil, nil, nil, nil, [1], nil])
        #expect(values.map(\.object) == [nil, nil, nil, nil, nil, ["a": 1]])
    }

    @Test func `an index outside the array gives nothing`() {
        let value: DefaultsValue = [10, 20]
        #expect([-1, 0, 1, 2].map { value[$0] } == [nil, 10, 20, nil])
    }

    @Test func `a key reads a member, and nothing of another kind`() {
        let value: DefaultsValue = ["a": ["b": 1]]
        #expect(value["a"]?["b"] == 1)
        #expect(value["b"] == Optional<DefaultsValue>.none)
        #expect(value["a"]?["b"]?["c"] == Optional<DefaultsValue>.none)
    }

    @Test func `texts that differ only in Unicode form are two values`() {
        #expect(Set<DefaultsValue>(["\u{E9}", "e\u{301}"]).count == 2)
    }

    @Test func `numbers of one value are one value inside arrays and objects`() throws {
        let spelled = try StoredValue(validating: Array(#"{"a": [10e-1]}"#.utf8)).value
        #expect(Set<DefaultsValue>([spelled, ["a": [1.0]]]).count == 1)
    }

    @Test func `values of different kinds differ`() {
        #expect(Set<DefaultsValue>([nil, false, 0, "", [], [:]]).count == 6)
    }

    @Test func `the depth counts arrays and objects inside one another`() {
        let values: [DefaultsValue] = [1, [], [[], 2], ["a": [["b": [:]]]]]
        let depths = values.map { value in (0...9).first { !value.isDeeper(than: $0) } }
        #expect(depths == [0, 1, 2, 4])
    }

    @Test func `a value that is deeper than a stack is refused like any that is too deep`() throws {
        var value: DefaultsValue = []
        for level in 1...100_000 { value = level.isMultiple(of: 2) ? [value] : ["a": value] }
        // Swift's own release of it needs as deep a stack; so one level after the other is released.
        defer {
            while let inner = value[0] ?? value["a"] { value = inner }
        }
        let suite = DefaultsSuite.inMemory()
        #expect(refusal { try suite.set(value, forKey: "deep") }?.code == .valueTooLarge)
        #expect(suite.value(forKey: "deep") == nil)
    }
}

/// Objects as ordered members.
struct DefaultsObjectTests {
    /// Enough members that lookup goes through the index.
    private static let many = DefaultsObject(
        (0..<100).map { (key: "k\($0)", value: DefaultsValue.number(DefaultsNumber($0))) })

    @Test func `members keep their order`() {
        #expect(Self.many.map(\.key) == (0..<100).map { "k\($0)" })
    }

    @Test(arguments: ["k0", "k57", "k99"])
    func `a member of a large object is found by its name`(key: String) {
        #expect(Self.many[key]?.int == Int(key.dropFirst()))
    }

    @Test(arguments: [0, 20])
    func `the last of two members of one name applies`(others: Int) {
        let rest = (0..<others).map { (key: "k\($0)", value: DefaultsValue.null) }
        let object = DefaultsObject([(key: "a", value: 1)] + rest + [(key: "a", value: 2)])
        #expect(object["a"] == 2)
        #expect(object.count == others + 2)
    }

    @Test(arguments: [0, 20])
    func `names that differ only in Unicode form are two members`(others: Int) {
        let rest = (0..<others).map { (key: "k\($0)", value: DefaultsValue.null) }
        let object = DefaultsObject([(key: "\u{E9}", value: 1), (key: "e\u{301}", value: 2)] + rest)
        #expect([object["\u{E9}"], object["e\u{301}"]] == [1, 2])
    }

    @Test func `objects are equal whatever the order of their members`() {
        #expect(DefaultsObject(Self.many.reversed()) == Self.many)
        #expect(DefaultsObject(Self.many.reversed()).hashValue == Self.many.hashValue)
    }

    @Test func `a member that does not count makes no difference`() {
        let object: DefaultsObject = ["a": 1, "a": 2]
        #expect(Set<DefaultsObject>([object, ["a": 2]]).count == 1)
    }

    @Test(
        arguments: [["a": 1], ["a": 1, "b": 3], ["a": 1, "c": 2], ["a": 1, "b": 2, "c": 3]]
            as [DefaultsObject])
    func `objects with other members differ`(other: DefaultsObject) {
        #expect(other != ["a": 1, "b": 2])
    }
}
