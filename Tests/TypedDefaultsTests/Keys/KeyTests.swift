import TestSupport
import Testing
import TypedDefaults

/// Keys as such: equality, defaults and the untyped face of them.
@Suite(.ownThread) struct KeyTests {
    @Test func `keys are equal by name and suite, whatever their types`() throws {
        let folder = try TemporaryFolder()
        let key: Defaults.AnyKey = Defaults.Key<Int>("size", default: 1, suite: try folder.suite())
        let same: Defaults.AnyKey = Defaults.Key<Int>("size", default: 2, suite: try folder.suite())
        #expect(key == same)
        #expect(Set([key, same]).count == 1)
    }

    @Test func `keys of another name or another suite differ`() {
        let (suite, other) = (DefaultsSuite.inMemory(), DefaultsSuite.inMemory())
        let key: Defaults.AnyKey = Defaults.Key<Int>("size", default: 1, suite: suite)
        #expect(key != Defaults.Key<Int>("Size", default: 1, suite: suite))
        #expect(key != Defaults.Key<Int>("size", default: 1, suite: other))
    }

    @Test func `names that look alike in different Unicode forms are two keys`() {
        let suite = DefaultsSuite.inMemory()
        let composed = Defaults.Key<Int>("gr\u{F6}\u{DF}e", default: 0, suite: suite)
        let decomposed = Defaults.Key<Int>("gro\u{308}\u{DF}e", default: 0, suite: suite)
        Defaults[composed] = 1
        Defaults[decomposed] = 2
        #expect([Defaults[composed], Defaults[decomposed]] == [1, 2])
    }

    @Test func `a key tells its name, its suite and its default`() {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.Key<Int>("size", default: 12, suite: suite)
        #expect(key.name == "size")
        #expect(key.suite == suite)
        #expect(key.defaultValue == 12)
    }

    @Test func `a key's default is what the untyped face gives while nothing is stored`() throws {
        let suite = DefaultsSuite.inMemory()
        let isOn = Defaults.Key<Bool>("isOn", default: true, suite: suite)
        #expect(suite.bool(forKey: isOn.name))
        #expect(suite.domain(forKey: isOn.name) == .registered)
        try #expect(suite.storedValues() == [:])
    }

    @Test func `a registered value comes before the key's own default`() {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        #expect(Defaults[size] == 1)
        suite.register(defaults: ["size": 5])
        #expect(Defaults[size] == 5)
    }

    @Test func `making and declaring a key touches no file`() throws {
        let folder = try TemporaryFolder()
        Defaults.declare(Defaults.Key<Int>("size", default: 1, suite: try folder.suite()))
        try #expect(folder.entries() == [])
    }
}

/// Defaults that are computed.
@Suite(.ownThread) struct DynamicDefaultTests {
    /// Counts how often a default is asked for.
    private func counting(_ body: (Recorder<Int>, Defaults.Key<Int>) throws -> Void) throws {
        let asked = Recorder<Int>()
        let key = Defaults.Key<Int>("number", suite: .inMemory()) {
            asked.append(asked.all.count)
            return asked.all.count
        }
        try body(asked, key)
    }

    @Test func `the closure is not run at the declaration`() throws {
        try counting { asked, _ in #expect(asked.all == []) }
    }

    @Test func `the closure is run at each read while nothing is stored`() throws {
        try counting { _, key in #expect([Defaults[key], Defaults[key], Defaults[key]] == [1, 2, 3]) }
    }

    @Test func `the closure is not run while a value is stored`() throws {
        try counting { asked, key in
            try key.suite.set(100, forKey: "number")
            #expect([Defaults[key], Defaults[key]] == [100, 100])
            #expect(asked.all == [])
        }
    }

    @Test func `a default's expression is evaluated at each read as well`() {
        let numbers = Recorder<Int>()
        let key = Defaults.Key<Int>("number", default: numbers.all.count, suite: .inMemory())
        numbers.append(7)
        #expect(Defaults[key] == 1)
        numbers.append(8)
        #expect(Defaults[key] == 2)
    }
}
