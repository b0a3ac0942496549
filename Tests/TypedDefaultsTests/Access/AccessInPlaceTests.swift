import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

extension Window {
    /// Changes and throws, as a call that fails half way does.
    mutating func widenAndThrow() throws {
        width += 1
        throw ChangeOfMind()
    }
}

/// `+=`, `append`, optional chaining and calls that throw, on a subscript.
@Suite(.ownThread) struct AccessInPlaceTests {
    @Test(arguments: Place.allCases)
    func `an element is appended to the stored list`(_ place: Place) throws {
        try place.withSuite { suite in
            let list = Defaults.Key<[Int]>("list", default: [1], suite: suite)
            Defaults[list].append(2)
            Defaults[list].append(3)
            try #expect(suite.storedValues() == ["list": [1, 2, 3]])
        }
    }

    @Test(arguments: Place.allCases)
    func `optional chaining on nil writes nothing and tells nobody`(_ place: Place) throws {
        try place.withSuite { suite in
            let name = Defaults.OptionalKey<String>("name", suite: suite)
            let events = Recorder<String?>()
            let observation = Defaults.observe(name, options: []) { events.append($0.newValue) }
            Defaults[name]?.append("!")
            try #expect(suite.storedValues() == [:])
            Defaults[name] = "marker"
            #expect(events.all == ["marker"])
            observation.invalidate()
        }
    }

    @Test(arguments: Place.allCases)
    func `an access that leaves the default as it was does not store it`(_ place: Place) throws {
        try place.withSuite { suite in
            let list = Defaults.Key<[Int]>("list", default: [1], suite: suite)
            Defaults[list].removeAll { $0 > 5 }
            try #expect(suite.storedValues() == [:])
        }
    }

    @Test func `an access that leaves a stored value as it was does not write the file`() throws {
        try withSettingsFile(#"{ "list" :  [1,2] }"#) { suite, _, folder in
            let list = Defaults.Key<[Int]>("list", default: [], suite: suite)
            Defaults[list].removeAll { $0 > 5 }
            try #expect(folder.settings() == #"{ "list" :  [1,2] }"#)
        }
    }

    @Test(arguments: Place.allCases)
    func `a mutating call that throws out of a subscript keeps what it had changed`(_ place: Place) throws {
        try place.withSuite { suite in
            let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
            #expect(throws: ChangeOfMind()) { try Defaults[window].widenAndThrow() }
            #expect(Defaults[window].width == 801)
        }
    }

    @Test(arguments: Place.allCases)
    func `a mutating call that throws out of another suite's subscript keeps what it had changed`(
        _ place: Place
    ) throws {
        try place.withSuite { suite in
            let window = Defaults.Key<Window>("window", default: Window(), suite: .inMemory())
            #expect(throws: ChangeOfMind()) { try suite[window].widenAndThrow() }
            #expect(suite[window].width == 801)
        }
    }

    @Test(arguments: Place.allCases)
    func `a mutating call that throws gives the locks back to other threads`(_ place: Place) throws {
        try place.withSuite { suite in
            let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
            #expect(throws: ChangeOfMind()) { try Defaults[window].widenAndThrow() }
            withThreads(1) { _ in Defaults[window].height += 1 }
            #expect(Defaults[window] == Window(width: 801, height: 601))
        }
    }

    @Test(arguments: Place.allCases)
    func `two values are swapped in one commit`(_ place: Place) throws {
        try place.withSuite { suite in
            let left = Defaults.Key<Int>("left", default: 1, suite: suite)
            let right = Defaults.Key<Int>("right", default: 2, suite: suite)
            let events = Recorder<[Int]>()
            let observation = Defaults.observe(left, right, options: []) {
                events.append([Defaults[left], Defaults[right]])
            }
            swap(&Defaults[left], &Defaults[right])
            #expect(events.all == [[2, 1]])
            observation.invalidate()
        }
    }

    @Test(arguments: Place.allCases)
    func `a swap tells each key's observer once, after both are written`(_ place: Place) throws {
        try place.withSuite { suite in
            let left = Defaults.Key<Int>("left", default: 1, suite: suite)
            let right = Defaults.Key<Int>("right", default: 2, suite: suite)
            let events = Recorder<[Int]>()
            let observations = [left, right].map { key in
                Defaults.observe(key, options: []) { change in
                    events.append([change.oldValue, change.newValue, Defaults[left], Defaults[right]])
                }
            }
            swap(&Defaults[left], &Defaults[right])
            #expect(Set(events.all) == [[1, 2, 2, 1], [2, 1, 2, 1]])
            #expect(events.all.count == 2)
            observations.forEach { $0.invalidate() }
        }
    }

    @Test(arguments: Place.allCases)
    func `an access within an access of another suite writes both`(_ place: Place) throws {
        try place.withSuite { suite in
            let outer = Defaults.Key<Int>("number", default: 1, suite: suite)
            let inner = Defaults.Key<Int>("number", default: 2, suite: .inMemory())
            swap(&Defaults[outer], &Defaults[inner])
            #expect([Defaults[outer], Defaults[inner]] == [2, 1])
        }
    }

    @Test func `an access in place that cannot have the lock is lost and reported`() throws {
        try withSettingsFile(#"{"size": 1}"#) { suite, failures, _ in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            #expect(Defaults[size] == 1)
            FaultInjection.$current.withValue(FaultInjection(.init("flock", errno: 5, lasts: true))) {
                Defaults[size] += 1
            }
            #expect(failures.codes == [.accessNotStored])
            #expect(Defaults[size] == 1)
        }
    }

    @Test
    func `an access in place whose value fails the key's validation leaves the old value and is reported`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let size = Defaults.Key<Int>("size", default: 1, suite: suite, validation: .range(0...10))
        Defaults[size] += 10
        #expect(Defaults[size] == 1)
        #expect(
            failures.all == [
                DefaultsError(
                    .invalidValue, suite: "in memory", key: "size",
                    underlyingDescription: "it is outside 0...10")
            ])
    }
}

/// The same between threads; ThreadSanitizer runs these.
@Suite(.ownThread) struct AccessConcurrencyTests {
    @Test(arguments: Place.allCases)
    func `additions of four threads are all kept`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 0, suite: suite)
            withThreads(4) { _ in
                for _ in 0..<25 { Defaults[count] += 1 }
            }
            #expect(Defaults[count] == 100)
        }
    }

    @Test(arguments: Place.allCases)
    func `additions through modify of four threads are all kept`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 0, suite: suite)
            try withThreads(4) { (number) throws in
                for _ in 0..<25 {
                    if number < 2 {
                        Defaults.modify(count) { $0 += 1 }
                    } else {
                        try suite.modify(count) { $0 += 1 }
                    }
                }
            }
            #expect(Defaults[count] == 100)
        }
    }

    @Test func `opposite transfers of two threads between two keys keep the sum`() throws {
        try Place.memory.withSuite { suite in
            let left = Defaults.Key<Int>("left", default: 50, suite: suite)
            let right = Defaults.Key<Int>("right", default: 50, suite: suite)
            try withThreads(2) { (number) throws in
                for _ in 0..<100 {
                    try suite.withTransaction { tx in
                        tx[left] += number == 0 ? 1 : -1
                        tx[right] -= number == 0 ? 1 : -1
                    }
                }
            }
            #expect([Defaults[left], Defaults[right]] == [50, 50])
        }
    }
}
