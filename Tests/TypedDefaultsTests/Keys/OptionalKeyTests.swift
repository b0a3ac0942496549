import TestSupport
import Testing
import TypedDefaults

/// Nil, null and what is not stored.
@Suite(.ownThread) struct OptionalKeyTests {
    @Test(arguments: [nil, .some(nil), .some(5)] as [Int??], Place.allCases)
    func `each value of an optional of an optional comes back as it was`(_ value: Int??, _ place: Place)
        throws
    {
        try place.withSuite { suite in
            let number = Defaults.Key<Int??>("number", default: nil, suite: suite)
            Defaults[number] = .some(.some(1))
            Defaults[number] = value
            #expect(Defaults[number] == value)
        }
    }

    @Test func `the inner nil is stored as null and the outer one is not stored`() throws {
        let suite = DefaultsSuite.inMemory()
        let number = Defaults.OptionalKey<Int?>("number", suite: suite)
        Defaults[number] = .some(nil)
        try #expect(suite.storedValues() == ["number": .null])
        Defaults[number] = nil
        try #expect(suite.storedValues() == [:])
    }

    @Test(arguments: Place.allCases)
    func `nil on a key with a default removes, however it is set`(_ place: Place) throws {
        try place.withSuite { suite in
            let name = Defaults.OptionalKey<String>("name", default: "Ann", suite: suite)
            let ways: [() throws -> Void] = [
                { Defaults[name] = nil }, { try suite.set(name, to: nil) },
                { try suite.modify(name) { $0 = nil } },
                { try suite.withTransaction { $0[name] = nil } }, { Defaults.modify(name) { $0 = nil } },
            ]
            for set in ways {
                Defaults[name] = "Bob"
                try set()
                #expect(Defaults[name] == "Ann")
                try #expect(suite.storedValues() == [:])
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `nil is stored by a key that says so`(_ place: Place) throws {
        try place.withSuite { suite in
            let name = Defaults.OptionalKey<String>("name", default: "Ann", suite: suite, storesNil: true)
            Defaults[name] = nil
            #expect(Defaults[name] == nil)
            try #expect(suite.storedValues() == ["name": .null])
            Defaults.reset(name)
            #expect(Defaults[name] == "Ann")
        }
    }

    @Test func `a null in the file is nil, and is stored`() throws {
        try withSettingsFile(#"{"name": null}"#) { suite, failures, _ in
            let name = Defaults.OptionalKey<String>("name", suite: suite)
            #expect(Defaults[name] == nil)
            #expect(Defaults.isSet(name))
            #expect(failures.all == [])
        }
    }

    @Test func `a null in the file hides a registered value`() throws {
        try withSettingsFile(#"{"name": null}"#) { suite, _, _ in
            let name = Defaults.OptionalKey<String>("name", suite: suite)
            suite.register(defaults: ["name": "Ann"])
            #expect(Defaults[name] == nil)
        }
    }

    @Test func `setting nil shows a registered value again`() throws {
        let suite = DefaultsSuite.inMemory()
        let name = Defaults.OptionalKey<String>("name", suite: suite)
        suite.register(defaults: ["name": "Ann"])
        Defaults[name] = "Bob"
        Defaults[name] = nil
        #expect(Defaults[name] == "Ann")
    }

    @Test func `an optional key takes a codec of its own`() {
        let codec = DefaultsCodec<Angle?>(
            encode: { try $0.map(Angle.codec.encode) ?? Array("null".utf8) },
            decode: { $0 == Array("null".utf8) ? nil : try Angle.codec.decode($0) })
        let angle = Defaults.OptionalKey<Angle>("angle", suite: .inMemory(), codec: codec)
        #expect(Defaults[angle] == nil)
        Defaults[angle] = Angle(degrees: 90)
        #expect(Defaults[angle]?.degrees == 90)
    }
}
