import TestSupport
import Testing
import TypedDefaults

/// Back to the defaults.
@Suite(.ownThread) struct ResetTests {
    /// A few keys of one suite, all set.
    private struct Keys {
        let size, width: Defaults.Key<Int>
        let name: Defaults.OptionalKey<String>

        init(_ suite: DefaultsSuite) {
            size = Defaults.Key("size", default: 1, suite: suite)
            width = Defaults.Key("width", default: 2, suite: suite)
            name = Defaults.OptionalKey("name", suite: suite)
            Defaults[size] = 10
            Defaults[width] = 20
            Defaults[name] = "Ann"
        }
    }

    @Test(arguments: Place.allCases)
    func `a key that is reset serves its default again`(_ place: Place) throws {
        try place.withSuite { suite in
            let keys = Keys(suite)
            Defaults.reset(keys.size)
            #expect([Defaults[keys.size], Defaults[keys.width]] == [1, 20])
            try #expect(suite.storedValues() == ["width": 20, "name": "Ann"])
        }
    }

    @Test(arguments: Place.allCases)
    func `keys of different types are reset in a row`(_ place: Place) throws {
        try place.withSuite { suite in
            let keys = Keys(suite)
            Defaults.reset(keys.size, keys.name)
            #expect(Defaults[keys.name] == nil)
            try #expect(suite.storedValues() == ["width": 20])
        }
    }

    @Test(arguments: Place.allCases)
    func `keys of different types are reset as a list`(_ place: Place) throws {
        try place.withSuite { suite in
            let keys = Keys(suite)
            Defaults.reset([keys.size, keys.width, keys.name])
            try #expect(suite.storedValues() == [:])
        }
    }

    @Test(arguments: Place.allCases)
    func `the suite resets keys of different types`(_ place: Place) throws {
        try place.withSuite { suite in
            let keys = Keys(suite)
            try suite.reset(keys.size, keys.name)
            try #expect(suite.storedValues() == ["width": 20])
        }
    }

    @Test func `keys are reset in the named suite instead of their own`() throws {
        let other = DefaultsSuite.inMemory()
        try Place.memory.withSuite { suite in
            let keys = Keys(suite)
            try other.set(keys.size, to: 5)
            Defaults.reset(keys.size, suite: other)
            #expect([suite[keys.size], other[keys.size]] == [10, 1])
        }
    }

    @Test func `keys of two suites are reset in both`() throws {
        let (left, right) = (Keys(.inMemory()), Keys(.inMemory()))
        Defaults.reset(left.size, right.width)
        #expect(
            [left.size, left.width, right.size, right.width].map { Defaults[$0] } == [1, 20, 10, 2])
    }

    @Test(arguments: Place.allCases)
    func `keys of one suite are reset in one transaction`(_ place: Place) throws {
        try place.withSuite { suite in
            let keys = Keys(suite)
            let events = Recorder<[Int]>()
            let observation = Defaults.observe(keys.size, keys.width, options: []) {
                events.append([Defaults[keys.size], Defaults[keys.width]])
            }
            Defaults.reset(keys.size, keys.width)
            #expect(events.all == [[1, 2]])
            observation.invalidate()
        }
    }

    @Test(arguments: Place.allCases)
    func `removeAll leaves no stored value, those of undeclared keys included`(_ place: Place) throws {
        try place.withSuite { suite in
            let keys = Keys(suite)
            try suite.set(true, forKey: "nobody's")
            Defaults.removeAll(suite: suite)
            try #expect(suite.storedValues() == [:])
            #expect(Defaults[keys.size] == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `a key is set while a value is stored, whatever it is`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            #expect(!Defaults.isSet(size))
            try suite.setUnchecked("not a number", forKey: "size")
            #expect(Defaults.isSet(size))
            try suite.removeValue(forKey: "size")
            #expect(!suite.isSet(size))
        }
    }

    @Test(arguments: Place.allCases)
    func `a value equal to the default counts as the default, stored or not`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            #expect(Defaults.isDefaultValue(size))
            Defaults[size] = 2
            #expect(!Defaults.isDefaultValue(size))
            Defaults[size] = 1
            #expect(Defaults.isDefaultValue(size))
            #expect(suite.isDefaultValue(size))
        }
    }

    @Test func `a value without an equality operator is compared with its default by its text`() {
        let suite = DefaultsSuite.inMemory()
        let angle = Defaults.Key<Angle>("angle", default: Angle(degrees: 0), suite: suite, codec: Angle.codec)
        Defaults[angle] = Angle(degrees: 90)
        #expect(!Defaults.isDefaultValue(angle))
        Defaults[angle] = Angle(degrees: 0)
        #expect(Defaults.isDefaultValue(angle))
    }

    @Test func `a stored value is compared with the registered one, which applies when nothing is stored`()
        throws
    {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        suite.register(defaults: ["size": 5])
        try suite.set(size, to: 1)
        #expect(!Defaults.isDefaultValue(size))
        try suite.set(size, to: 5)
        #expect(Defaults.isDefaultValue(size))
    }

    @Test func `a default that is another one at each use still counts as the default`() throws {
        let suite = DefaultsSuite.inMemory()
        let id = Defaults.Key<UInt64>("id", default: .random(in: 1 ... .max), suite: suite)
        #expect(Defaults.isDefaultValue(id))
        Defaults[id] = 0
        #expect(!Defaults.isDefaultValue(id))
        Defaults.reset(id)
        #expect(Defaults.isDefaultValue(id))
        try suite.setUnchecked("no number", forKey: "id")
        let failures = FailureRecorder(suite)
        #expect(Defaults.isDefaultValue(id), "The default is served for it.")
        #expect(failures.codes == [.typeMismatch])
    }

    @Test func `a default outside the key's own validation counts as the default`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let angle = Defaults.Key<Angle>(
            "angle", default: Angle(degrees: -1), suite: suite, codec: Angle.codec,
            validation: .where { $0.degrees >= 0 })
        #expect(Defaults.isDefaultValue(angle))
        Defaults[angle] = Angle(degrees: 90)
        #expect(!Defaults.isDefaultValue(angle))
        #expect(failures.all == [])
    }

    @Test func `a default that is not a number still counts as the default`() {
        let suite = DefaultsSuite.inMemory()
        #expect(Defaults.isDefaultValue(Defaults.Key<Double>("ratio", default: .nan, suite: suite)))
    }
}
