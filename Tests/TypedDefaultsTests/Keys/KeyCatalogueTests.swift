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

    @Test
    func `whether a key is secret can be asked by its name, also of one that is looked up from elsewhere`() {
        let (suite, other) = (DefaultsSuite.inMemory(), DefaultsSuite.inMemory())
        #expect(!suite.isSecret(key: "token"))
        let token = Defaults.Key<String>("token", default: "hunter2", suite: suite, secret: true)
        _ = Defaults.Key<String>("token", default: "", suite: suite)
        _ = Defaults.Key<String>("name", default: "", suite: suite)
        #expect(["token", "name", "none"].map(suite.isSecret) == [true, false, false])
        #expect(!other.isSecret(key: "token"))
        _ = other[token]
        #expect(other.isSecret(key: "token"))
    }

    @Test func `a default outside the key's own rule is given without types too, and is no failure`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let port = Defaults.Key<Int>("port", default: 0, suite: suite, validate: .range(1...65_535))
        #expect(suite.value(forKey: "port") == 0)
        #expect(suite.declaredKeys.map(\.defaultValue) == [0])
        #expect(
            suite.explain(key: port.name).map(\.description) == [
                "registered: 0 (the key's own default): counts"
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
}
