import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// One handler for several keys.
@Suite(.ownThread) struct SeveralKeysTests {
    /// Two keys of one suite.
    private static func pair(_ suite: DefaultsSuite) -> (Defaults.Key<Int>, Defaults.OptionalKey<String>) {
        (Defaults.Key("size", default: 1, suite: suite), Defaults.OptionalKey("name", suite: suite))
    }

    @Test func `the ways of writing it hear the same`() {
        let suite = DefaultsSuite.inMemory()
        let (size, name) = SeveralKeysTests.pair(suite)
        let calls = Recorder<String>()
        let observations = [
            Defaults.observe([size, name], options: []) { calls.append("list") },
            Defaults.observe(size, name, options: []) { calls.append("row") },
            Defaults.observe(keys: size, name, options: []) { calls.append("label") },
            suite.observe([size, name], options: []) { calls.append("suite") },
            suite.observe(size, name, options: []) { calls.append("suite row") },
        ]
        Defaults[size] = 2
        Defaults[name] = "Ann"
        let ways = ["label", "list", "row", "suite", "suite row"]
        #expect(calls.all.sorted() == ways.flatMap { [$0, $0] })
        observations.forEach { $0.invalidate() }
    }

    @Test func `the handler is called at the start where initial is asked for`() {
        let (size, name) = SeveralKeysTests.pair(.inMemory())
        let calls = Recorder<Int>()
        let observation = Defaults.observe(size, name) { calls.append(Defaults[size]) }
        Defaults[size] = 2
        #expect(calls.all == [1, 2])
        observation.invalidate()
    }

    @Test(arguments: Place.allCases)
    func `a transaction over all keys is one call, after it`(_ place: Place) throws {
        try place.withSuite { suite in
            let (size, name) = SeveralKeysTests.pair(suite)
            let calls = Recorder<String>()
            let observation = Defaults.observe(size, name, options: []) {
                calls.append("\(Defaults[size]) \(Defaults[name] ?? "")")
            }
            try suite.withTransaction { tx in
                tx[size] = 2
                tx[name] = "Ann"
            }
            #expect(calls.all == ["2 Ann"])
            observation.invalidate()
        }
    }

    @Test func `a change that leaves every value equal is no call`() throws {
        let suite = DefaultsSuite.inMemory()
        let (size, name) = SeveralKeysTests.pair(suite)
        let calls = Recorder<Int>()
        let observation = Defaults.observe(size, name, options: []) { calls.append(Defaults[size]) }
        Defaults[size] = 1
        try suite.set(.null, forKey: "name")
        Defaults[size] = 2
        #expect(calls.all == [2])
        observation.invalidate()
    }

    @Test func `one key named twice is heard once`() {
        let (size, _) = SeveralKeysTests.pair(.inMemory())
        let calls = Recorder<Int>()
        let observation = Defaults.observe(size, size, options: []) { calls.append(Defaults[size]) }
        Defaults[size] = 2
        #expect(calls.all == [2])
        observation.invalidate()
    }

    @Test func `no key at all has its initial call too, and no other`() {
        let suite = DefaultsSuite.inMemory()
        let calls = Recorder<String>()
        let observations = [
            Defaults.observe([]) { calls.append("initial") },
            suite.observe([]) { calls.append("suite") },
            Defaults.observe([], options: []) { calls.append("none") },
        ]
        #expect(calls.all == ["initial", "suite"])
        observations.forEach { $0.invalidate() }
    }

    @Test func `keys of two suites are heard by one handler, with one initial call`() {
        let (size, name) = (SeveralKeysTests.pair(.inMemory()).0, SeveralKeysTests.pair(.inMemory()).1)
        let calls = Recorder<String>()
        let observation = Defaults.observe(size, name) {
            calls.append("\(Defaults[size]) \(Defaults[name] ?? "")")
        }
        Defaults[size] = 2
        Defaults[name] = "Ann"
        observation.invalidate()
        Defaults[size] = 3
        Defaults[name] = "Bob"
        #expect(calls.all == ["1 ", "2 ", "2 Ann"])
    }

    @Test func `what the initial call writes is heard, whichever of the suites it is in`() {
        let (size, name) = (SeveralKeysTests.pair(.inMemory()).0, SeveralKeysTests.pair(.inMemory()).1)
        let calls = Recorder<String>()
        let observation = Defaults.observe(size, name) {
            calls.append("\(Defaults[size]) \(Defaults[name] ?? "")")
            if Defaults[size] == 1 { Defaults[size] = 2 }
            if Defaults[name] == nil { Defaults[name] = "Ann" }
        }
        #expect(calls.wait { $0.last == "2 Ann" && $0.count == 3 }, "\(calls.all)")
        observation.invalidate()
    }

    @Test(arguments: Place.allCases)
    func `a change back after a quiet one is heard, since the handler may have read that`(_ place: Place)
        throws
    {
        try place.withSuite { suite in
            let (size, name) = SeveralKeysTests.pair(suite)
            let calls = Recorder<String>()
            let observation = Defaults.observe(size, name) {
                calls.append("\(Defaults[size]) \(Defaults[name] ?? "")")
            }
            Defaults.withoutPropagation { Defaults[size] = 2 }
            Defaults[name] = "Ann"
            Defaults[size] = 1
            #expect(calls.all == ["1 ", "2 Ann", "1 Ann"])
            Defaults.withoutPropagation { Defaults[size] = 2 }
            Defaults[size] = 1
            #expect(calls.all == ["1 ", "2 Ann", "1 Ann", "1 Ann"])
            observation.invalidate()
        }
    }

    @Test func `a quiet write from inside the handler ends the recursion`() {
        let suite = DefaultsSuite.inMemory()
        let (size, name) = SeveralKeysTests.pair(suite)
        let calls = Recorder<Int>()
        let observation = Defaults.observe(size, name, options: []) {
            calls.append(Defaults[size])
            Defaults.withoutPropagation { Defaults[size] += 1 }
        }
        Defaults[size] = 10
        #expect(calls.all == [10])
        #expect(Defaults[size] == 11)
        observation.invalidate()
    }
}
