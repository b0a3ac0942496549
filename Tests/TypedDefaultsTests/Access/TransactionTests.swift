import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

/// Typed keys in transactions.
@Suite(.ownThread) struct TransactionTests {
    @Test(arguments: Place.allCases)
    func `a transaction reads its own writes through every face`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            #expect(Defaults[size] == 1)
            try suite.withTransaction { tx in
                tx[size] = tx[size] + 1
                let seen = [
                    tx[size], Defaults[size], suite[size], try suite.value(size),
                    suite.integer(forKey: "size"),
                ]
                #expect(seen == [2, 2, 2, 2, 2])
                #expect(tx[key: "size"] == 2)
                #expect(suite.snapshot()[size] == 2)
            }
            #expect(Defaults[size] == 2)
        }
    }

    @Test(arguments: Place.allCases)
    func `a transaction reads what Defaults writes inside it`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            try suite.withTransaction { tx in
                Defaults[size] += 1
                #expect(tx[size] == 2)
                tx.reset(size)
                #expect(Defaults[size] == 1)
            }
            try #expect(suite.storedValues() == [:])
        }
    }

    @Test(arguments: Place.allCases)
    func `an access in place that leaves the value as it was stages nothing`(_ place: Place) throws {
        try place.withSuite { suite in
            suite.onFailure = { _ in }
            let counts = Defaults.Key<[String: Int]>("counts", default: ["a": 1], suite: suite)
            let names = Defaults.OptionalKey<[String]>("names", suite: suite)
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            let changeNothing = {
                try suite.withTransaction { tx in
                    tx[counts]["b"]? += 1
                    tx[names]?.append("x")
                    tx[size] += 0
                }
            }
            try changeNothing()
            try #expect(suite.storedValues() == [:])
            for key in ["counts", "names", "size"] {
                try suite.setUnchecked("no value of the key", forKey: key)
            }
            let stored = try suite.storedValues()
            try changeNothing()
            try #expect(suite.storedValues() == stored)
        }
    }

    @Test(arguments: Place.allCases)
    func `an access in place stages what it changes, and an assignment the default too`(_ place: Place) throws
    {
        try place.withSuite { suite in
            let counts = Defaults.Key<[String: Int]>("counts", default: ["a": 1], suite: suite)
            let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            let angle = Defaults.Key<Angle>(
                "angle", default: Angle(degrees: 1), suite: suite, codec: Angle.codec)
            try suite.withTransaction { tx in
                tx[counts]["a"]? += 1
                tx[angle].degrees = 2
                tx[size] = 1
                #expect(throws: ChangeOfMind()) { try tx[window].widenAndThrow() }
            }
            try #expect(
                suite.storedValues() == [
                    "counts": ["a": 2], "angle": 2, "size": 1, "window": ["width": 801, "height": 600],
                ])
        }
    }

    @Test func `an access in place that makes a value which is not allowed fails the transaction`() throws {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite, validation: .range(0...9))
        #expect(refusal { try suite.withTransaction { $0[size] += 9 } }?.code == .invalidValue)
        try #expect(suite.storedValues() == [:])
    }

    @Test(arguments: Place.allCases)
    func `other threads see the old value until the commit`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            try suite.withTransaction { tx in
                tx[size] = 2
                withThreads(1) { _ in #expect([Defaults[size], suite.integer(forKey: "size")] == [1, 1]) }
            }
            withThreads(1) { _ in #expect([Defaults[size], suite.integer(forKey: "size")] == [2, 2]) }
        }
    }

    @Test(arguments: Place.allCases)
    func `a body that throws out of a transaction leaves every key as it was`(_ place: Place) throws {
        try place.withSuite { suite in
            let left = Defaults.Key<Int>("left", default: 1, suite: suite)
            let right = Defaults.Key<Int>("right", default: 2, suite: suite)
            Defaults[left] = 10
            #expect(throws: ChangeOfMind()) {
                try suite.withTransaction { tx in
                    tx[left] = 11
                    tx[right] = 12
                    throw ChangeOfMind()
                }
            }
            #expect([Defaults[left], Defaults[right]] == [10, 2])
            try #expect(suite.storedValues() == ["left": 10])
        }
    }

    @Test(arguments: Place.allCases)
    func `a nested transaction that throws takes back only its own changes`(_ place: Place) throws {
        try place.withSuite { suite in
            let left = Defaults.Key<Int>("left", default: 1, suite: suite)
            let right = Defaults.Key<Int>("right", default: 2, suite: suite)
            try suite.withTransaction { outer in
                outer[left] = 10
                #expect(throws: ChangeOfMind()) {
                    try suite.withTransaction { inner in
                        inner[left] = 11
                        inner[right] = 12
                        throw ChangeOfMind()
                    }
                }
                #expect([Defaults[left], Defaults[right]] == [10, 2])
            }
            try #expect(suite.storedValues() == ["left": 10])
        }
    }

    @Test func `a value that fails its key's validation makes the whole transaction fail`() throws {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite, validation: .range(0...10))
        let other = Defaults.Key<Int>("other", default: 1, suite: suite)
        let error = refusal {
            try suite.withTransaction { tx in
                tx[other] = 5
                tx[size] = 11
            }
        }
        #expect(
            error
                == DefaultsError(
                    .invalidValue, suite: "in memory", key: "size",
                    underlyingDescription: "it is outside 0...10"))
        try #expect(suite.storedValues() == [:])
    }

    @Test func `a refusal of the outer transaction outlives a nested one`() throws {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite, validation: .range(0...10))
        let other = Defaults.Key<Int>("other", default: 1, suite: suite)
        let error = refusal {
            try suite.withTransaction { outer in
                outer[size] = 11
                let nested = refusal { try suite.withTransaction { $0[other] = 5 } }
                #expect(nested == nil)
            }
        }
        #expect(error?.code == .invalidValue)
        try #expect(suite.storedValues() == [:])
    }

    @Test func `a use of another thread waits for the transaction and does not join it`() throws {
        //  this thread                 the other thread
        //  opens, stages 2
        //                              wants to add 10: waits
        //  reads 2, throws
        //                              adds 10 to the old value
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        let staged = Gate()
        let results = Recorder<Int>()
        withThreads(2) { number in
            if number == 0 {
                #expect(throws: ChangeOfMind()) {
                    try suite.withTransaction { tx in
                        tx[size] = 2
                        staged.open()
                        #expect(try eventually { try suite.waitingThreads == 1 })
                        results.append(tx[size])
                        throw ChangeOfMind()
                    }
                }
            } else {
                staged.wait()
                Defaults[size] += 10
                results.append(Defaults[size])
            }
        }
        #expect(results.all == [2, 11])
    }

    @Test(.timeLimit(.minutes(60)))
    func `two threads that want two suites in opposite order end with lockTimeout`() throws {
        let suites = [DefaultsSuite.inMemory(), .inMemory()]
        let keys = suites.map { Defaults.Key<Int>("size", default: 1, suite: $0) }
        let entered = [Gate(), Gate()]
        let refusals = Recorder<DefaultsError?>()
        let clock = ContinuousClock()
        let duration = clock.measure {
            withThreads(2) { mine in
                let other = 1 - mine
                refusals.append(
                    refusal {
                        try suites[mine].withTransaction { tx in
                            tx[keys[mine]] = 2
                            entered[mine].open()
                            entered[other].wait()
                            try suites[other].set(keys[other], to: 3)
                        }
                    })
            }
        }
        #expect(refusals.all.contains(DefaultsError(.lockTimeout, suite: "in memory")))
        // Of the deadline's five; the rest is for a busy machine.
        #expect(duration < .seconds(60))
    }
}
