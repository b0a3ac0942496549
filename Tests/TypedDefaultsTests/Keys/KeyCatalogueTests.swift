@testable import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

extension Defaults.Keys {
    static let lazySuite = DefaultsSuite.inMemory()
    static let lazyFirst = Key<Int>("first", default: 1, suite: lazySuite)
    static let lazySecond = OptionalKey<String>("second", suite: lazySuite)
}

/// What a suite knows of its keys.
@Suite(.ownThread) struct KeyCatalogueTests {
    @Test func `declared keys are listed by name with type, default and description`() {
        let suite = DefaultsSuite.inMemory()
        _ = Defaults.Key<[Int]>("list", default: [1], suite: suite, description: "numbers to draw")
        _ = Defaults.OptionalKey<String>("alias", suite: suite)
        #expect(
            suite.declaredKeys == [
                DefaultsKeyDescription(
                    name: "alias", typeName: "Optional<String>", defaultValue: nil, description: nil,
                    isSecret: false),
                DefaultsKeyDescription(
                    name: "list", typeName: "Array<Int>", defaultValue: [1], description: "numbers to draw",
                    isSecret: false),
            ])
    }

    @Test func `a secret key is listed without its default`() {
        let suite = DefaultsSuite.inMemory()
        _ = Defaults.Key<String>("token", default: "hunter2", suite: suite, secret: true)
        #expect(
            suite.declaredKeys == [
                DefaultsKeyDescription(
                    name: "token", typeName: "String", defaultValue: nil, description: nil, isSecret: true)
            ])
    }

    @Test func `a declared key is listed with what its validation allows, unless it is secret`() {
        let suite = DefaultsSuite.inMemory()
        _ = Defaults.Key<Double>("a", default: 0, suite: suite, validation: .range(0...1))
        _ = Defaults.Key<Int>("b", default: 0, suite: suite, validation: .range(1..<9))
        let half = Defaults.OptionalKey<Int>("c", suite: suite, validation: .range(1...))
        #expect(half.allowedRange == nil)
        _ = Defaults.Key<String>("d", default: "calm", suite: suite, validation: .oneOf("calm", "merry"))
        _ = Defaults.Key<Int>("e", default: 0, suite: suite, validation: .range(1...9), secret: true)
        #expect(
            suite.declaredKeys.map(\.allowedRange) == ["0 to 1", "1 to below 9", "1 or more", nil, nil])
        #expect(suite.declaredKeys.map(\.allowedValues) == [nil, nil, nil, ["calm", "merry"], nil])
    }

    @Test
    func `whether a key is secret can be asked by its name, also of one that is looked up from elsewhere`() {
        let (suite, other) = (DefaultsSuite.inMemory(), DefaultsSuite.inMemory())
        #expect(!suite.isSecret(forKey: "token"))
        let token = Defaults.Key<String>("token", default: "hunter2", suite: suite, secret: true)
        _ = Defaults.Key<String>("token", default: "", suite: suite)
        _ = Defaults.Key<String>("name", default: "", suite: suite)
        #expect(["token", "name", "none"].map(suite.isSecret) == [true, false, false])
        #expect(!other.isSecret(forKey: "token"))
        _ = other[token]
        #expect(other.isSecret(forKey: "token"))
    }

    @Test func `a default outside the key's own validation is given without types too, and is no failure`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let port = Defaults.Key<Int>("port", default: 0, suite: suite, validation: .range(1...65_535))
        #expect(suite.value(forKey: "port") == 0)
        #expect(suite.declaredKeys.map(\.defaultValue) == [0])
        #expect(
            suite.explain(forKey: port.name).map(\.description) == [
                "registered: 0 (the key's own default): applies"
            ])
        #expect(failures.all == [])
    }

    @Test func `static keys are listed once they are declared`() {
        #expect(Defaults.Keys.lazySuite.declaredKeys == [])
        Defaults.declare(.lazyFirst, .lazySecond)
        #expect(Defaults.Keys.lazySuite.declaredKeys.map(\.name) == ["first", "second"])
    }

    @Test func `a name is listed once, however many keys bear it`() {
        let suite = DefaultsSuite.inMemory()
        for number in 0..<3 { _ = Defaults.Key<Int>("size", default: number, suite: suite) }
        #expect(suite.declaredKeys.map(\.defaultValue) == [2])
    }

    @Test func `two types for one name are reported with the name`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        _ = Defaults.Key<Int>("size", default: 1, suite: suite)
        _ = Defaults.Key<String>("size", default: "big", suite: suite)
        #expect(
            failures.all.map(\.description) == [
                """
                Two keys of one name are declared differently (key "size", suite "in memory"): their types are Int \
                and String. Declare both alike, or give one of them another name.
                """
            ])
    }

    @Test(arguments: [false, true])
    func `two ways of combining for one name are reported, and the order does not change the values`(
        _ isUnionFirst: Bool
    ) throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let keys = [isUnionFirst, !isUnionFirst].map { isUnion in
            Defaults.Key<[Int]>("tags", default: [1], suite: suite, merge: isUnion ? .union : .replace)
        }
        #expect(failures.codes == [.conflictingKeys])
        #expect(failures.all.first?.underlyingDescription?.contains("union and by replace") == isUnionFirst)
        suite.register(defaults: ["tags": [2]])
        try suite.set([3], forKey: "tags")
        #expect(keys.map { Defaults[$0] } == (isUnionFirst ? [[1, 2, 3], [2, 3]] : [[2, 3], [1, 2, 3]]))
        #expect(suite.value(forKey: "tags") == [1, 2, 3])
    }

    @Test func `one type twice for one name is no failure`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        for _ in 0..<2 { _ = Defaults.Key<Int>("size", default: 1, suite: suite) }
        #expect(failures.all == [])
    }

    @Test func `the catalogue keeps no key alive`() {
        let suite = DefaultsSuite.inMemory()
        weak var key: Defaults.AnyKey?
        do {
            let strong = Defaults.Key<Int>("size", default: 1, suite: suite)
            key = strong
            Defaults[strong] = 2
        }
        #expect(key == nil)
        #expect(suite.declaredKeys.map(\.name) == ["size"])
    }

    /// Each typed use of a key, for a key that the suite does not know yet.
    static let uses:
        [(name: String, use: @Sendable (DefaultsSuite, Defaults.OptionalKey<String>) async throws -> Void)] =
            [
                ("set", { try $0.set($1, to: "hunter2") }),
                ("subscript", { $0[$1] = "hunter2" }),
                ("transaction", { (suite, key) in try suite.withTransaction { $0[key] = "hunter2" } }),
                (
                    "set in a transaction",
                    { (suite, key) in try suite.withTransaction { try $0.set(key, to: "hunter2") } }
                ),
                ("modify", { (suite, key) in try suite.modify(key) { $0 = "hunter2" } }),
                ("async set", { try await $0.async.set($1, to: "hunter2") }),
                ("transient", { try $0.setTransient($1, to: "hunter2") }),
                ("read", { _ = $0[$1] }),
                ("snapshot", { _ = $0.snapshot()[$1] }),
                ("observer", { $0.observe($1, options: []) { _ in }.invalidate() }),
                ("observer of several", { $0.observe([$1], options: []) {}.invalidate() }),
                ("reset", { try $0.reset($1) }),
                ("reset in a transaction", { (suite, key) in try suite.withTransaction { $0.reset(key) } }),
                ("declare", { Defaults.declare($1, in: $0) }),
            ]

    @Test(arguments: uses.indices)
    func `a typed use declares the key where it happens, before anything is printed`(_ index: Int)
        async throws
    {
        let suite = DefaultsSuite.inMemory()
        try suite.setUnchecked("hunter2", forKey: "token")
        let printed = Recorder<String>()
        let observation = suite.observeAll(options: [.old, .new]) { printed.append("\($0)") }
        let token = Defaults.OptionalKey<String>("token", suite: .inMemory(), secret: true)
        try await KeyCatalogueTests.uses[index].use(suite, token)
        try suite.setUnchecked("hunter2, again", forKey: "token")
        observation.invalidate()
        #expect(suite.declaredKeys.map(\.name) == ["token"] && suite.isSecret(forKey: "token"))
        let all = printed.all + suite.explain(forKey: "token").map { "\($0)" }
        #expect(!all.isEmpty && all.allSatisfy { !$0.contains("hunter2") })
    }

    @Test func `a key of another suite is known where it is used as one of the suite's own is`() throws {
        let (suite, own) = (DefaultsSuite.inMemory(), DefaultsSuite.inMemory())
        let port = Defaults.Key<Int>("port", default: 8080, suite: own, validation: .range(1...65_535))
        for suite in [suite, own] {
            suite[port] = 1
            try suite.reset(port)
            #expect(suite.value(forKey: "port") == 8080 && suite.dictionaryRepresentation() == ["port": 8080])
            #expect(suite.domain(forKey: "port") == .registered)
            #expect(suite.explain(forKey: "port").map(\.text) == ["8080"])
            try suite.set(text: "90", forKey: "port")
            #expect(suite[port] == 90)
            #expect(throws: DefaultsError.self) { try suite.set("loud", forKey: "port") }
        }
        #expect(suite.declaredKeys == own.declaredKeys)
    }

    @Test func `declaring in the suite that stands in declares the key there`() throws {
        let (suite, substitute) = (DefaultsSuite.inMemory(), DefaultsSuite.inMemory())
        let port = Defaults.Key<Int>("port", default: 8080, suite: suite)
        try Defaults.withSuite(suite, replacedBy: substitute) {
            Defaults.declare(port)
            try suite.set(text: "90", forKey: "port")
            suite.addArguments(["program", "--port", "many"])
            #expect(suite.problems().map(\.domain) == [.arguments])
        }
        #expect(substitute[port] == 90 && suite[port] == 8080)
    }

    @Test func `a secret key used after another one of its name is still secret`() throws {
        let suite = DefaultsSuite.inMemory()
        suite[Defaults.OptionalKey<String>("token", suite: .inMemory())] = "hunter2"
        #expect(!suite.isSecret(forKey: "token"))
        _ = suite[Defaults.OptionalKey<String>("token", suite: .inMemory(), secret: true)]
        #expect(suite.isSecret(forKey: "token"))
    }
}
