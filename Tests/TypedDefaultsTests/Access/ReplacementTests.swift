/// A suite that stands in for another, for a body, its task and that task's children.
import DefaultsStore
import Foundation
import Observation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility
import TypedDefaultsTesting

@Suite(.ownThread) struct ReplacementTests {
    private let suite = DefaultsSuite.inMemory()
    private let other = DefaultsSuite.inMemory()
    private let key: Defaults.Key<Int>

    init() { key = Defaults.Key("n", default: 0, suite: suite) }

    @Test func `everything that resolves a key's suite goes to the one that stands in`() throws {
        Defaults[key] = 1
        let wrapper = Property(key)
        try Defaults.withSuite(suite, replacedBy: other) {
            #expect(Defaults[key] == 0)
            #expect(!Defaults.isSet(key))
            Defaults[key] = 2
            Defaults[key] += 1
            #expect(wrapper.n == 3)
            wrapper.n = 4
            #expect(suite[key] == 4)
            #expect(suite.integer(forKey: "n") == 4)
            Defaults.modify(key) { $0 += 1 }
            let thrown = try suite.value(key)
            #expect(thrown == 5)
            #expect(suite.snapshot()[key] == 5)
        }
        #expect(Defaults[key] == 1)
        #expect(other[key] == 5)
        Defaults.withSuite(suite, replacedBy: other) { Defaults.reset(key) }
        #expect(!other.isSet(key))
        #expect(Defaults[key] == 1)
    }

    @Test(arguments: [false, true])
    func `a get that was in the cache before comes back to it after the body`(throwing: Bool) throws {
        Defaults[key] = 1
        for _ in 0..<100 { #expect(Defaults[key] == 1) }
        let failure = Refusal()
        do {
            try Defaults.withSuite(suite, replacedBy: other) {
                for _ in 0..<100 { #expect(Defaults[key] == 0) }
                if throwing { throw failure }
            }
        } catch let thrown as Refusal { #expect(thrown == failure) }
        for _ in 0..<100 { #expect(Defaults[key] == 1) }
        #expect(other.isDefaultValue(key))
    }

    @Test func `a child task sees the replacement, and a detached task and a thread do not`() async {
        Defaults[key] = 1
        await Defaults.withSuite(suite, replacedBy: other) {
            Defaults[key] = 2
            async let child = Defaults[key]
            #expect(await child == 2)
            let detached = await Task.detached { [key] in Defaults[key] }.value
            #expect(detached == 1)
            let seen = await withCheckedContinuation { continuation in
                Thread.detachNewThread { [key] in continuation.resume(returning: Defaults[key]) }
            }
            #expect(seen == 1)
        }
    }

    @Test func `a task that outlives the body keeps the suite that stands in`() async {
        let gate = AsyncStream<Void>.makeStream()
        let task = Defaults.withSuite(suite, replacedBy: other) {
            Task { [key] in
                for await _ in gate.stream {}
                Defaults[key] = 3
                return suiteIsReplaced(key)
            }
        }
        #expect(Defaults[key] == 0)
        gate.continuation.finish()
        #expect(await task.value)
        #expect(Defaults[key] == 0)
        #expect(other[key] == 3)
    }

    @Test func `an observer hears of the suite that it was begun in, and its handler reads that one`() throws
    {
        let heard = Locked<[[Int]]>([])
        let observation = Defaults.withSuite(suite, replacedBy: other) {
            Defaults.observe(key, options: []) { [key] change in
                heard.withLock { $0.append([change.newValue, Defaults[key]]) }
            }
        }
        Defaults[key] = 1
        let none = heard.withLock { $0 }
        #expect(none == [])
        try other.set(key, to: 2)
        let all = heard.withLock { $0 }
        #expect(all == [[2, 2]])
        observation.invalidate()
    }

    @Test func `a stream follows the suite that it was asked for in`() async throws {
        let updates = Defaults.withSuite(suite, replacedBy: other) { Defaults.updates(key) }
        var values = updates.makeAsyncIterator()
        #expect(await values.next() == 0)
        Defaults[key] = 1
        try other.set(key, to: 2)
        #expect(await values.next() == 2)
    }

    @Test func `a tracked read is told of the suite that it was made in`() throws {
        let wrapper = Property(key)
        let isTold = Locked(false)
        // A tracking of the key's own suite is there already.
        withObservationTracking {
            _ = wrapper.n
        } onChange: {
        }
        Defaults.withSuite(suite, replacedBy: other) {
            withObservationTracking {
                _ = wrapper.n
            } onChange: {
                isTold.withLock { $0 = true }
            }
        }
        Defaults[key] = 1
        #expect(!isTold.withLock { $0 })
        try other.set(key, to: 2)
        #expect(isTold.withLock { $0 })
    }

    @Test func `a container stores in the suite that stands in, and keeps its local defaults`() throws {
        let container = SettingsContainer(suite: suite)
        container.register {
            userDefault("delay", default: .local(1.5))
            transient("retries", default: .local(2))
        }
        container["delay"] = 2.5
        Defaults.withSuite(suite, replacedBy: other) {
            let delay: Double = container["delay"]
            #expect(delay == 1.5)
            container["delay"] = 3.5
            container["retries"] = 7
        }
        let kept: (Double, Int) = (container["delay"], container["retries"])
        #expect(kept.0 == 2.5)
        #expect(kept.1 == 2)
        #expect(other.double(forKey: "delay") == 3.5)
    }

    @Test func `whole settings without a suite of their own follow the standard suite`() throws {
        var first = Whole()
        try Defaults.withStandard(other) {
            try first.load()
            first.volume = 0.9
            try first.update()
            #expect(first.settingsURL() == nil)
            let stored = try first.toDictionary()
            #expect(stored["volume"]?.double == 0.9)
        }
        try Defaults.withStandard(.inMemory()) {
            var second = Whole()
            try second.load()
            #expect(second.volume == 0.5)
        }
        try Defaults.withStandard(other) {
            var again = Whole()
            try again.load()
            #expect(again.volume == 0.9)
        }
    }

    @Test func `whole settings follow the suite that they name`() throws {
        var named = Named()
        named.lives = 5
        try named.update()
        try Defaults.withSuite(Named.kept, replacedBy: other) {
            var inside = Named()
            try inside.load()
            #expect(inside.lives == 3)
            inside.lives = 4
            try inside.update()
        }
        try named.load()
        #expect(named.lives == 5)
        #expect(other.integer(forKey: "lives") == 4)
    }

    @Test func `bodies nest, and the innermost applies`() {
        let third = DefaultsSuite.inMemory()
        Defaults.withSuite(suite, replacedBy: other) {
            Defaults[key] = 1
            Defaults.withSuite(suite, replacedBy: third) { Defaults[key] = 2 }
            #expect(Defaults[key] == 1)
        }
        #expect(other[key] == 1)
        #expect(third[key] == 2)
        #expect(!Defaults.isSet(key))
    }

    @Test func `a suite that is to stand in for itself is reported, and the body runs`() {
        let failures = Locked<[DefaultsError]>([])
        suite.onFailure = { error in failures.withLock { $0.append(error) } }
        let count = Defaults.withSuite(suite, replacedBy: suite) {
            Defaults.modify(key) {
                $0 += 1; return $0
            }
        }
        #expect(count == 1)
        #expect(Defaults[key] == 1)
        let reported = failures.withLock { $0 }
        #expect(reported == [DefaultsError(.selfReplacement, suite: suite.name)])
    }

    @Test func `a key counts as declared in the suite that stands in once it is used`() {
        let rate = Defaults.Key<Double>("rate", default: 0.5, suite: suite, secret: true)
        Defaults.withSuite(suite, replacedBy: other) { _ = Defaults[rate] }
        #expect(other.declaredKeys.map(\.name) == ["rate"])
        #expect(other.double(forKey: "rate") == 0.5)
    }

    @Test(.isolatedDefaults, arguments: 0..<64)
    func `cases of one test never see one another`(number: Int) {
        #expect(Defaults[.ofReplacementTests] == -1)
        Defaults[.ofReplacementTests] = number
        #expect(Defaults[.ofReplacementTests] == number)
        #expect(DefaultsSuite.standard.path == nil)
    }
}

@Suite(.isolatedDefaults(replacing: Named.kept)) struct IsolatedSuiteTests {
    @Test(arguments: [1, 2]) func `each test of a suite has a suite of its own`(number: Int) throws {
        let stored = try Named.kept.storedValues()
        #expect(stored.isEmpty)
        try Named.kept.set(DefaultsValue.number(DefaultsNumber(number)), forKey: "number")
    }
}

extension Defaults.Keys {
    fileprivate static let ofReplacementTests = Key<Int>("ofReplacementTests", default: -1)
}

private struct Property {
    @Default<Int> var n: Int

    init(_ key: Defaults.Key<Int>) { _n = Default(key) }
}

private struct Refusal: Error, Equatable {}

private struct Whole: SettingsManageable { var volume = 0.5 }

private struct Named: SettingsManageable {
    static let kept = DefaultsSuite.inMemory()
    static var suite: DefaultsSuite { kept }
    var lives = 3
}

/// Whether the key's suite is another one for the caller.
private func suiteIsReplaced(_ key: Defaults.Key<Int>) -> Bool { Defaults[key] == 3 }
