import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

extension Defaults.Keys {
    static let subscriptSuite = DefaultsSuite.inMemory()
    static let brightness = Key<Double>("brightness", default: 0.8, suite: subscriptSuite)
    static let nickname = OptionalKey<String>("nickname", suite: subscriptSuite)
}

/// `Defaults[key]`: get and set.
@Suite(.ownThread) struct SubscriptTests {
    @Test func `a key declared in an extension of Keys is read, set and added to by its name`() {
        Defaults[.brightness] = 0.5
        Defaults[.brightness] += 0.25
        #expect(Defaults[.brightness] == 0.75)
    }

    @Test func `an optional key declared in an extension of Keys is nil until it is set`() {
        #expect(Defaults[.nickname] == nil)
        Defaults[.nickname] = "Jö"
        #expect(Defaults[.nickname] == "Jö")
    }

    @Test(arguments: Place.allCases)
    func `a key outside the extension serves its default until it is set`(_ place: Place) throws {
        try place.withSuite { suite in
            let isUnicorn = Defaults.Key<Bool>("isUnicorn", default: true, suite: suite)
            #expect(Defaults[isUnicorn])
            Defaults[isUnicorn] = false
            #expect(!Defaults[isUnicorn])
        }
    }

    @Test(arguments: Place.allCases)
    func `an enum is stored by its raw value`(_ place: Place) throws {
        try place.withSuite { suite in
            let mood = Defaults.Key<Mood>("mood", default: .calm, suite: suite)
            Defaults[mood] = .merry
            #expect(Defaults[mood] == .merry)
            #expect(suite.value(forKey: "mood") == "merry")
        }
    }

    @Test(arguments: Place.allCases)
    func `a struct is stored as an object`(_ place: Place) throws {
        try place.withSuite { suite in
            let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
            Defaults[window].width = 1_024
            #expect(Defaults[window] == Window(width: 1_024, height: 600))
            #expect(suite.value(forKey: "window") == ["width": 1_024, "height": 600])
        }
    }

    @Test(arguments: Place.allCases)
    func `a type that is not Codable goes through its codec`(_ place: Place) throws {
        try place.withSuite { suite in
            let angle = Defaults.Key<Angle>(
                "angle", default: Angle(degrees: 0), suite: suite, codec: Angle.codec)
            Defaults[angle].degrees = 90
            #expect(Defaults[angle].degrees == 90)
            #expect(suite.value(forKey: "angle") == 90)
        }
    }

    @Test(arguments: Place.allCases)
    func `an explicit assignment of the default is stored`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 12, suite: suite)
            Defaults[size] = 12
            try #expect(suite.storedValues() == ["size": 12])
        }
    }

    @Test(arguments: Place.allCases)
    func `setting an optional key to nil removes the stored value`(_ place: Place) throws {
        try place.withSuite { suite in
            let name = Defaults.OptionalKey<String>("name", suite: suite)
            Defaults[name] = "Ann"
            Defaults[name] = nil
            try #expect(suite.storedValues() == [:])
        }
    }

    @Test func `a value set on one suite's key is seen through another handle of the suite`() throws {
        let folder = try TemporaryFolder()
        let mine = Defaults.Key<Int>("size", default: 1, suite: try folder.suite())
        let theirs = Defaults.Key<Int>("size", default: 1, suite: try folder.suite())
        #expect(Defaults[theirs] == 1)
        Defaults[mine] = 2
        #expect(Defaults[theirs] == 2)
    }

    @Test(arguments: Place.allCases)
    func `a key is looked up in another suite by that suite's subscript`(_ place: Place) throws {
        try place.withSuite { suite in
            let other = DefaultsSuite.inMemory()
            let size = Defaults.Key<Int>("size", default: 1, suite: other)
            suite[size] = 2
            suite[size] += 5
            #expect([suite[size], other[size]] == [7, 1])
        }
    }

    @Test func `suites of one name in two folders keep apart`() throws {
        let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
        let size = Defaults.Key<Int>("size", default: 1, suite: try here.suite())
        let namesake = Defaults.Key<Int>("size", default: 1, suite: try there.suite())
        Defaults[size] = 2
        #expect([Defaults[size], Defaults[namesake]] == [2, 1])
    }

    @Test func `a value of Defaults stands for the suite it was made with`() {
        let suite = DefaultsSuite.inMemory()
        #expect(Defaults(suite: suite).suite == suite)
    }

    @Test func `a name no suite can have is refused`() {
        let error = refusal { _ = try Defaults(suiteName: "") }
        #expect(
            error?.description == """
                The suite's name cannot be used (suite ""): it is empty. Use a name that is not empty, holds no NUL \
                and is at most 200 bytes long when encoded.
                """)
    }
}
