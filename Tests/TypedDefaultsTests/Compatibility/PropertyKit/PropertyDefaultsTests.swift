import DefaultsStore
import Observation
import TestSupport
import Testing
@testable import TypedDefaults
@testable import TypedDefaultsCompatibility

private protocol LookOfThisFile: PropertyDefaults {
    var look: String? { get nonmutating set }
    var span: Int { get nonmutating set }
}

extension Defaults: LookOfThisFile {
    fileprivate var look: String? {
        get { get() }
        nonmutating set { set(newValue) }
    }
    fileprivate var span: Int {
        get { get(or: 12) }
        nonmutating set { set(newValue) }
    }
    fileprivate var frame: Window {
        get { get(or: Window()) }
        nonmutating set { set(newValue) }
    }
    fileprivate var plain: String? {
        get { get() }
        set { set(newValue) }
    }
    fileprivate var fallback: String? {
        get { get() }
        nonmutating set { set(newValue, or: "none") }
    }
    fileprivate var lives: Int? {
        get { get(or: 7) }
        nonmutating set { set(newValue) }
    }
    fileprivate var spanAsText: String? { get { get(key: "span") } }
}

/// Keys from property names.
@Suite(.ownThread) struct PropertyDefaultsTests {
    @Test(arguments: Place.allCases)
    private func `a property is stored under its name`(_ place: Place) throws {
        try place.withSuite { suite in
            let defaults = Defaults(suite: suite)
            defaults.look = "dark"
            defaults.span += 1
            let stored = try suite.storedValues()
            #expect(stored == ["look": "dark", "span": 13])
            #expect((defaults.look, defaults.span) == ("dark", 13))
        }
    }

    @Test func `reading a default stores nothing`() throws {
        let suite = DefaultsSuite.inMemory()
        #expect(Defaults(suite: suite).span == 12)
        #expect(Defaults(suite: suite).frame == Window())
        #expect(Defaults(suite: suite).look == nil)
        #expect(try suite.storedValues() == [:])
    }

    @Test func `setting nil removes the value, and the default given with it takes its place`() throws {
        let suite = DefaultsSuite.inMemory()
        let defaults = Defaults(suite: suite)
        defaults.look = "dark"
        defaults.look = nil
        defaults.fallback = nil
        #expect(try suite.storedValues() == ["fallback": "none"])
    }

    @Test func `a Codable value is stored as JSON`() throws {
        let suite = DefaultsSuite.inMemory()
        Defaults(suite: suite).frame.width = 5
        #expect(try suite.storedValues() == ["frame": ["width": 5, "height": 600]])
    }

    @Test func `a plain setter works on a variable`() throws {
        let suite = DefaultsSuite.inMemory()
        var defaults = Defaults(suite: suite)
        defaults.plain = "yes"
        #expect(Defaults(suite: suite).plain == "yes")
    }

    @Test func `two suites have each their own value`() throws {
        let (first, second) = (Defaults(suite: .inMemory()), Defaults(suite: .inMemory()))
        first.look = "dark"
        #expect((first.look, second.look) == ("dark", nil))
    }

    @Test func `a function has a value of its own under its name`() {
        let defaults = Defaults(suite: .inMemory())
        func first() -> Int {
            defaults.set(2)
            return defaults.get(or: 0)
        }
        func second() -> Int { defaults.get(or: 0) }
        #expect((first(), second()) == (2, 0))
    }

    @Test(arguments: Place.allCases)
    private func `a suite goes with its last handle, whatever properties were used`(_ place: Place) throws {
        weak var context: SuiteContext?
        weak var key: Defaults.AnyKey?
        try place.withSuite { suite in
            let defaults = Defaults(suite: suite)
            defaults.look = "dark"
            defaults.span += 1
            withObservationTracking {
                _ = defaults.look
            } onChange: {
            }
            defaults.look = "light"
            context = suite.context
            key = PropertyKeys.key("look", of: String.self, in: suite)
            #expect(context != nil && key != nil)
        }
        // Background threads may still be looking at the suite.
        #expect(eventually { context == nil && key == nil })
    }

    @Test func `a property keeps its key while there is a handle, also one of another name`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let path = try #require(suite.path)
        weak var key: Defaults.AnyKey?
        for _ in 0..<2 {
            let other = try DefaultsSuite(file: path)
            Defaults(suite: other).look = "dark"
            let present = PropertyKeys.key("look", of: String.self, in: other)
            if let key { #expect(present === key) }
            key = present
        }
        #expect(key != nil)
    }

    @Test func `two properties of one name and different types are reported`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let defaults = Defaults(suite: suite)
        defaults.span = 5
        #expect(defaults.spanAsText == nil)
        #expect(failures.all.map(\.code) == [.conflictingKeys, .typeMismatch])
    }

    @Test func `an optional property with a default in its getter is no conflict with itself`() throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let defaults = Defaults(suite: suite)
        #expect(defaults.lives == 7)
        defaults.lives = 8
        #expect(defaults.lives == 8)
        defaults.lives = nil
        #expect(defaults.lives == 7)
        #expect(failures.all == [])
    }

    @Test(arguments: [false, true])
    func `what the suite knows of a key stays when a property of its name is used`(_ isFirst: Bool) throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let defaults = Defaults(suite: suite)
        if isFirst { #expect(defaults.look == nil) }
        let look = Defaults.Key<String>("look", default: "light", suite: suite)
        #expect(defaults.look == nil)
        #expect(suite.string(forKey: "look") == "light")
        #expect(suite.domain(forKey: "look") == .registered)
        #expect(suite.declaredKeys.map(\.typeName) == ["String"])
        defaults.look = "dark"
        #expect(Defaults[look] == "dark")
        #expect(failures.all == [])
    }

    @Test func `a key goes on combining its values when a property of its name is read`() throws {
        let suite = DefaultsSuite.inMemory()
        let tags = Defaults.Key<[String]>("tags", default: ["core"], suite: suite, merge: .union)
        suite.register(defaults: ["tags": ["registered"]])
        Defaults[tags] = ["stored"]
        let part: [String]? = Defaults(suite: suite).get(key: "tags")
        #expect(part == ["registered", "stored"])
        #expect(Defaults[tags] == ["core", "registered", "stored"])
        #expect(suite.value(forKey: "tags") == ["core", "registered", "stored"])
    }

    @Test func `a property of another type than its key is reported, and the key's declaration stays`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        _ = Defaults.Key<String>("span", default: "wide", suite: suite)
        #expect(Defaults(suite: suite).span == 12)
        #expect(failures.all.map(\.code) == [.conflictingKeys])
        #expect(suite.declaredKeys.map(\.typeName) == ["String"])
    }

    @Test func `a value that does not decode is reported, and stays`() throws {
        let suite = DefaultsSuite.inMemory()
        try suite.set("wide", forKey: "span")
        let failures = FailureRecorder(suite)
        #expect(Defaults(suite: suite).span == 12)
        #expect(failures.all.map(\.code) == [.typeMismatch])
        #expect(try suite.storedValues() == ["span": "wide"])
    }
}
