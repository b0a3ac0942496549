/// What sindresorhus/Defaults 3 documents, one test for each thing its users write. That a value of another type does not
/// compile is shown by RepositoryTests; keys of NSSecureCoding classes are tested with TypedDefaultsFoundation.
import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

private enum Span: String, Codable, Sendable {
    case short = "5 minutes"
    case long = "2 hours"
}

extension Defaults.Keys {
    fileprivate static let teamSuite = DefaultsSuite.inMemory()

    fileprivate static let grain = Key<Double>("grain", default: 0.8)
    fileprivate static let isFestive = Key<Bool>("isFestive", default: true)
    fileprivate static let span = Key<Span>("span", default: .long)
    fileprivate static let alias = OptionalKey<String>("alias")
    fileprivate static let isShared = Key<Bool>("isShared", default: true, suite: teamSuite)
}

@Suite(.ownThread) struct FromDefaultsTests {
    private let suite = DefaultsSuite.inMemory()
    private let heard = Recorder<Change>()

    /// A key that has nothing to do with other tests.
    private var count: Defaults.Key<Int> { Defaults.Key("count", default: 0, suite: suite) }
    private var name: Defaults.OptionalKey<String> { Defaults.OptionalKey("name", suite: suite) }

    @Test func `a key need not stand in an extension of Keys`() {
        let isLoud = Defaults.Key<Bool>("isLoud", default: true, suite: suite)
        #expect(Defaults[isLoud])
    }

    @Test func `the types of keys have a name inside Keys and outside`() {
        let first: Defaults.Keys.Key<Int> = Defaults.Key<Int>("first", default: 1, suite: suite)
        let second: Defaults.OptionalKey<Int> = Defaults.Keys.OptionalKey<Int>("second", suite: suite)
        #expect((Defaults[first], Defaults[second]) == (1, nil))
    }

    @Test func `a key of a shared suite is read through the key and through the suite`() {
        #expect(Defaults[.isShared])
        Defaults.Keys.teamSuite[.isShared] = false
        #expect(!Defaults[.isShared])
        #expect(!Defaults.Keys.teamSuite[.isShared])
    }

    @Test func `an observer hears the present value first and then the change`() {
        let observer = Defaults.observe(count) { [heard] change in heard.append(Change(change)) }
        Defaults[count] = 1
        #expect(heard.all == [Change(old: 0, new: 0, isInitial: true), Change(old: 0, new: 1)])
        observer.invalidate()
    }

    @Test func `an observer that does not ask for the present value hears changes alone`() {
        let observer = Defaults.observe(count, options: [.old, .new]) { [heard] in heard.append(Change($0)) }
        Defaults[count] = 1
        #expect(heard.all == [Change(old: 0, new: 1)])
        observer.invalidate()
    }

    @Test func `a handler may name the type of an optional key's change`() {
        let names = Recorder<[String?]>()
        @Sendable func tell(_ change: Defaults.OptionalKeyChange<String>) {
            names.append([change.oldValue, change.newValue])
        }
        let observer = Defaults.observe(name, options: [], handler: tell)
        Defaults[name] = "Ann"
        Defaults[name] = nil
        #expect(names.all == [[nil, "Ann"], ["Ann", nil]])
        observer.invalidate()
    }

    @Test func `an observation ends when it is invalidated`() {
        let observer = Defaults.observe(count, options: []) { [heard] in heard.append(Change($0)) }
        observer.invalidate()
        Defaults[count] = 1
        #expect(heard.all == [])
    }

    @Test func `an observation begun in an initialiser lives as long as its object`() {
        final class Owner {
            private let gone: Gate
            init(_ key: Defaults.Key<Int>, _ heard: Recorder<Change>, _ gone: Gate) {
                self.gone = gone
                Defaults.observe(key, options: []) { heard.append(Change($0)) }.tieToLifetime(of: self)
            }
            deinit { gone.open() }
        }
        let gone = Gate()
        var owner: Owner? = Owner(count, heard, gone)
        Defaults[count] = 1
        withExtendedLifetime(owner) {}
        owner = nil
        // A background thread may be looking whether it is still there.
        #expect(gone.wait())
        Defaults[count] = 2
        #expect(heard.all == [Change(old: 0, new: 1)])
    }

    @Test func `an observation whose tie was broken lasts as long as its reference`() {
        final class Owner {}
        var owner: Owner? = Owner()
        let observer = Defaults.observe(count, options: []) { [heard] in heard.append(Change($0)) }
        if let owner { observer.tieToLifetime(of: owner) }
        observer.removeLifetimeTie()
        owner = nil
        Defaults[count] = 1
        #expect(heard.all == [Change(old: 0, new: 1)])
        observer.invalidate()
    }

    @Test func `keys are reset in a row, as a list, and in another suite`() {
        let other = DefaultsSuite.inMemory()
        let (count, name) = (count, name)
        for reset in [
            { Defaults.reset(count, name) }, { Defaults.reset([count, name]) },
        ] {
            (Defaults[count], Defaults[name]) = (5, "Ann")
            reset()
            #expect((Defaults[count], Defaults[name]) == (0, nil))
        }
        other[count] = 7
        Defaults.reset(count, suite: other)
        #expect(!other.isSet(count))
    }

    @Test func `everything in a suite is removed at once`() throws {
        Defaults[count] = 5
        try suite.set("of nobody's key", forKey: "other")
        Defaults.removeAll(suite: suite)
        #expect(try suite.storedValues() == [:])
        #expect(Defaults[count] == 0)
    }
}

#if compiler(>=6.2)
    /// The same on the standard suite, as the snippets have it: each in a process of its own, which keeps it in memory.
    @Suite(.timeLimit(.minutes(60))) struct FromDefaultsOnTheStandardSuiteTests {
        @Test func `a key is declared with type and default, read, set and added to`() async {
            await #expect(processExitsWith: .success) {
                try DefaultsSuite.bootstrap(standard: .inMemory())
                #expect(Defaults[.grain] == 0.8)
                Defaults[.grain] = 0.5
                Defaults[.grain] += 0.25
                #expect(Defaults[.grain] == 0.75)
                Defaults.reset(.grain)
                #expect(Defaults[.grain] == 0.8)
            }
        }

        @Test func `an optional key is nil until it has a value, and after it was reset`() async {
            await #expect(processExitsWith: .success) {
                try DefaultsSuite.bootstrap(standard: .inMemory())
                #expect(Defaults[.alias] == nil)
                Defaults[.alias] = "Jo"
                if let alias = Defaults[.alias] { #expect(alias == "Jo") }
                Defaults.reset(.alias)
                #expect(Defaults[.alias] == nil)
            }
        }

        @Test func `an enum's case is a value`() async {
            await #expect(processExitsWith: .success) {
                try DefaultsSuite.bootstrap(standard: .inMemory())
                #expect(Defaults[.span].rawValue == "2 hours")
                Defaults[.span] = .short
                #expect(DefaultsSuite.standard.string(forKey: "span") == "5 minutes")
            }
        }

        @Test func `the standard suite takes keys, and knows their defaults by name`() async {
            await #expect(processExitsWith: .success) {
                try DefaultsSuite.bootstrap(standard: .inMemory())
                #expect(DefaultsSuite.standard[.isFestive])
                #expect(DefaultsSuite.standard.bool(forKey: Defaults.Keys.isFestive.name))
                DefaultsSuite.standard[.isFestive] = false
                #expect(!Defaults[.isFestive])
            }
        }
    }
#endif
