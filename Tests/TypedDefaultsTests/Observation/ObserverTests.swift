import DefaultsStore
import TestSupport
import Testing
@testable import TypedDefaults

/// What an observer of one key hears.
@Suite(.ownThread) struct ObserverTests {
    @Test(arguments: Place.allCases)
    func `an observer hears the present value first and then each change`(_ place: Place) throws {
        try place.withSuite { suite in
            let isOn = Defaults.Key<Bool>("isOn", default: false, suite: suite)
            let events = Recorder<Defaults.KeyChange<Bool>>()
            let observation = Defaults.observe(isOn) { events.append($0) }
            Defaults[isOn] = true
            #expect(
                events.all == [
                    Defaults.KeyChange(
                        oldValue: false, newValue: false, isInitial: true, cause: .thisProcess),
                    Defaults.KeyChange(
                        oldValue: false, newValue: true, isInitial: false, cause: .thisProcess),
                ])
            observation.invalidate()
        }
    }

    @Test func `the initial event comes before observe returns`() {
        let size = Defaults.Key<Int>("size", default: 7, suite: .inMemory())
        let events = Recorder<Change>()
        let observation = Defaults.observe(size) { events.append(Change($0)) }
        #expect(events.all == [Change(old: 7, new: 7, isInitial: true)])
        observation.invalidate()
    }

    @Test(arguments: [[], [.old], [.new], [.old, .new]] as [Defaults.ObservationOptions])
    func `without the option there is no initial event, and changes carry both values in any case`(
        _ options: Defaults.ObservationOptions
    ) {
        let size = Defaults.Key<Int>("size", default: 1, suite: .inMemory())
        observing(size, options: options) { events in
            Defaults[size] = 2
            #expect(events.all == [Change(old: 1, new: 2)])
        }
    }

    @Test(arguments: Place.allCases)
    func `each event's old value is the new value of the one before`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            try observing(size) { events in
                Defaults[size] = 2
                Defaults[size] += 1
                try suite.set(4, forKey: "size")
                try suite.modify(size) { $0 = 5 }
                try suite.withTransaction { $0[size] = 6 }
                Defaults.reset(size)
                suite.register(defaults: ["size": 7])
                Defaults[size] = 8
                Defaults.removeAll(suite: suite)
                #expect(events.all.map(\.new) == [2, 3, 4, 5, 6, 1, 7, 8, 7])
                #expect(events.all.first?.old == 1)
                #expect(events.all.isChain)
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `writing an equal value is no event`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            observing(size) { events in
                Defaults[size] = 1
                Defaults[size] = 1
                Defaults[size] = 2
                #expect(events.all == [Change(old: 1, new: 2)])
            }
        }
    }

    @Test func `the same value in another spelling is no event`() throws {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        try suite.set(2, forKey: "size")
        try observing(size) { events in
            try suite.set(.number(try #require(DefaultsNumber("2.0"))), forKey: "size")
            Defaults[size] = 3
            #expect(events.all == [Change(old: 2, new: 3)])
        }
    }

    @Test(arguments: Place.allCases)
    func `resetting what was not set is no event`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            observing(size) { events in
                Defaults.reset(size)
                Defaults.removeAll(suite: suite)
                Defaults[size] = 2
                #expect(events.all == [Change(old: 1, new: 2)])
            }
        }
    }

    @Test func `a write of another key is no event`() {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        let other = Defaults.Key<Int>("other", default: 1, suite: suite)
        observing(size) { events in
            Defaults[other] = 5
            Defaults[size] = 2
            #expect(events.all == [Change(old: 1, new: 2)])
        }
    }

    @Test(arguments: Place.allCases)
    func `a transaction is one event with its first and its last value`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            try observing(size) { events in
                try suite.withTransaction { tx in
                    for number in 2...5 { tx[size] = number }
                    #expect(events.all == [])
                }
                #expect(events.all == [Change(old: 1, new: 5)])
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a transaction that throws is no event`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            observing(size) { events in
                #expect(throws: ChangeOfMind()) {
                    try suite.withTransaction { tx in
                        tx[size] = 2
                        throw ChangeOfMind()
                    }
                }
                Defaults[size] = 3
                #expect(events.all == [Change(old: 1, new: 3)])
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `removeAll tells each key's observer`(_ place: Place) throws {
        try place.withSuite { suite in
            let (left, right) = (
                Defaults.Key<Int>("left", default: 1, suite: suite),
                Defaults.Key<Int>("right", default: 2, suite: suite)
            )
            (Defaults[left], Defaults[right]) = (10, 20)
            observing(left) { lefts in
                observing(right) { rights in
                    Defaults.removeAll(suite: suite)
                    #expect(lefts.all == [Change(old: 10, new: 1)])
                    #expect(rights.all == [Change(old: 20, new: 2)])
                }
            }
        }
    }

    @Test func `an optional key's observer hears nil`() {
        let name = Defaults.OptionalKey<String>("name", suite: .inMemory())
        let events = Recorder<[String?]>()
        let observation = Defaults.observe(name) { events.append([$0.oldValue, $0.newValue]) }
        Defaults[name] = "Ann"
        Defaults.reset(name)
        #expect(events.all == [[nil, nil], [nil, "Ann"], ["Ann", nil]])
        observation.invalidate()
    }

    @Test func `a type without an equality operator is compared by its text`() throws {
        let suite = DefaultsSuite.inMemory()
        let angle = Defaults.Key<Angle>("angle", default: Angle(degrees: 0), suite: suite, codec: Angle.codec)
        let events = Recorder<[Int]>()
        let observation = Defaults.observe(angle, options: []) {
            events.append([$0.oldValue.degrees, $0.newValue.degrees])
        }
        Defaults[angle] = Angle(degrees: 0)
        Defaults[angle] = Angle(degrees: 90)
        #expect(events.all == [[0, 90]])
        observation.invalidate()
    }

    @Test func `a stored value that cannot be used is heard as the default`() throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        Defaults[size] = 2
        try observing(size) { events in
            try suite.setUnchecked("big", forKey: "size")
            #expect(events.all == [Change(old: 2, new: 1)])
        }
        #expect(failures.codes == [.typeMismatch])
    }

    @Test func `a suite's observer hears that suite and not the key's own`() {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: .inMemory())
        let events = Recorder<Change>()
        let observation = suite.observe(size, options: []) { events.append(Change($0)) }
        Defaults[size] = 5
        suite[size] = 2
        #expect(events.all == [Change(old: 1, new: 2)])
        observation.invalidate()
    }

    @Test func `a registered default is heard with what supplies it`() {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        let causes = Recorder<DefaultsChange.Cause>()
        let observation = Defaults.observe(size, options: []) { causes.append($0.cause) }
        suite.register(defaults: ["size": 5])
        #expect(causes.all == [.defaultsChanged("register(defaults:)")])
        observation.invalidate()
    }

    @Test func `an edit by hand is heard as such`() async throws {
        let folder = try TemporaryFolder()
        try folder.edit(#"{"size": 2}"#)
        let size = Defaults.Key<Int>("size", default: 1, suite: try folder.suite())
        let events = Recorder<Defaults.KeyChange<Int>>()
        let observation = Defaults.observe(size, options: []) { events.append($0) }
        try folder.edit(#"{"size": 3}"#)
        #expect(await events.wait { $0.last?.newValue == 3 })
        #expect(events.all.allSatisfy { $0.cause == .fileEdited })
        observation.invalidate()
        withExtendedLifetime(folder) {}
    }
}
