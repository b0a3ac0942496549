import Dispatch
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// Where and when handlers are called.
@Suite(.ownThread) struct DeliveryTests {
    private let size = Defaults.Key<Int>("size", default: 1, suite: .inMemory())

    @Test func `an event is delivered before the write that made it returns`() {
        observing(size) { events in
            for number in 2...4 {
                Defaults[size] = number
                #expect(events.all.last?.new == number)
            }
        }
    }

    @Test func `what a handler writes is delivered after it has returned`() {
        let size = size
        let steps = Recorder<String>()
        let observation = Defaults.observe(size, options: []) { change in
            steps.append("begin \(change.newValue)")
            if change.newValue < 4 { Defaults[size] += 1 }
            steps.append("end \(change.newValue)")
        }
        Defaults[size] = 2
        #expect(steps.all == ["begin 2", "end 2", "begin 3", "end 3", "begin 4", "end 4"])
        observation.invalidate()
    }

    @Test func `a handler reads what its event says`() {
        let size = size
        let seen = Recorder<[Int]>()
        let observation = Defaults.observe(size) { seen.append([$0.newValue, Defaults[size]]) }
        Defaults[size] = 2
        #expect(seen.all == [[1, 1], [2, 2]])
        observation.invalidate()
    }

    @Test func `a handler may open a transaction`() throws {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        let double = Defaults.Key<Int>("double", default: 2, suite: suite)
        let failures = FailureRecorder(suite)
        let observation = Defaults.observe(size, options: []) { change in
            do { try suite.withTransaction { $0[double] = change.newValue * 2 } } catch {
                failures.recorder.append(DefaultsError(.ioFailure, underlyingDescription: "\(error)"))
            }
        }
        Defaults[size] = 5
        #expect(Defaults[double] == 10)
        #expect(failures.all == [])
        observation.invalidate()
    }

    @Test func `a dispatch queue is handed the events in order, the initial one first`() {
        let queue = DispatchQueue(label: "events", attributes: .concurrent)
        let events = Recorder<Change>()
        let observation = Defaults.observe(size, on: .queue(queue)) { change in
            dispatchPrecondition(condition: .onQueue(queue))
            events.append(Change(change))
        }
        for number in 2...20 { Defaults[size] = number }
        #expect(events.wait(for: 20))
        #expect(events.all.map(\.new) == Array(1...20))
        #expect(events.all.map(\.isInitial) == [true] + Array(repeating: false, count: 19))
        #expect(events.all.isChain)
        observation.invalidate()
    }

    @Test func `after invalidate no call begins on a dispatch queue`() {
        let queue = DispatchQueue(label: "events")
        let events = Recorder<Change>()
        queue.suspend()
        let observation = Defaults.observe(size, on: .queue(queue)) { events.append(Change($0)) }
        Defaults[size] = 2
        observation.invalidate()
        queue.resume()
        queue.sync {}
        #expect(events.all == [])
    }

    @Test func `an observation is invalidated from inside its own initial event`() {
        let queue = DispatchQueue(label: "events")
        let events = Recorder<Change>()
        let holder = Holder()
        queue.suspend()
        holder.observation = Defaults.observe(size, on: .queue(queue)) { change in
            events.append(Change(change))
            holder.observation?.invalidate()
        }
        Defaults[size] = 2
        queue.resume()
        queue.sync {}
        Defaults[size] = 3
        queue.sync {}
        #expect(events.all == [Change(old: 1, new: 1, isInitial: true)])
    }

    @Test func `a slow observer on a queue delays neither the writer nor another observer`() {
        let door = Gate()
        let slow = Recorder<Change>()
        let observation = Defaults.observe(size, options: [], on: .queue(DispatchQueue(label: "slow"))) {
            change in
            door.wait()
            slow.append(Change(change))
        }
        observing(size) { events in
            Defaults[size] = 2
            Defaults[size] = 3
            #expect(events.all == [Change(old: 1, new: 2), Change(old: 2, new: 3)])
            #expect(slow.all == [])
        }
        door.open()
        #expect(slow.wait(for: 2))
        #expect(slow.all == [Change(old: 1, new: 2), Change(old: 2, new: 3)])
        observation.invalidate()
    }

    @Test func `an immediate observer that is slow in one thread's write delays no other thread's`() {
        //  a writer                    this thread
        //  writes 2; handler waits
        //                              writes 3 and goes on
        //  handler hears 2, then 3
        let (entered, door) = (Gate(), Gate())
        let size = size
        let events = Recorder<Change>()
        let observation = Defaults.observe(size, options: []) { change in
            entered.open()
            door.wait()
            events.append(Change(change))
        }
        withThreads(2) { number in
            if number == 0 {
                Defaults[size] = 2
            } else {
                entered.wait()
                Defaults[size] = 3
                #expect(events.all == [])
                door.open()
            }
        }
        #expect(events.all == [Change(old: 1, new: 2), Change(old: 2, new: 3)])
        observation.invalidate()
    }

    @Test func `a write returns though others write without end, and all that they write is heard in order`()
    {
        let size = size
        let (events, ofWriter) = (Recorder<Change>(), Recorder<Int>())
        let writer = pthread_self()
        let observation = Defaults.observe(size, options: []) { change in
            events.append(Change(change))
            if pthread_equal(pthread_self(), writer) != 0 { ofWriter.append(change.newValue) }
            // Another thread's write, which returns at once, since this handler is being called.
            if change.newValue < 500 { withThreads(1) { _ in Defaults[size] = change.newValue + 1 } }
        }
        Defaults[size] = 2
        #expect(ofWriter.all.count < 200)
        #expect(events.wait(for: 499))
        #expect(events.all.map(\.new) == Array(2...500))
        #expect(events.all.isChain)
        observation.invalidate()
    }

    @MainActor @Test func `a handler of the main actor is called there, the initial event first`() async {
        let size = size
        let events = AsyncStream.makeStream(of: Change.self)
        var heard: [Change] = []
        let observation = Defaults.observe(size, on: .mainActor) { change in
            heard.append(Change(change))
            events.continuation.yield(Change(change))
        }
        #expect(heard == [])
        Defaults[size] = 2
        for await _ in events.stream.prefix(2) {}
        #expect(heard == [Change(old: 1, new: 1, isInitial: true), Change(old: 1, new: 2)])
        observation.invalidate()
    }

    @MainActor @Test func `observers by name and of several keys have the main actor as their place too`()
        async
    {
        let suite = DefaultsSuite.inMemory()
        let (width, height) = (
            Defaults.Key("w", default: 1, suite: suite), Defaults.Key("h", default: 1, suite: suite)
        )
        let calls = AsyncStream.makeStream(of: String.self)
        var heard: [String] = []
        func hear(_ text: String) {
            heard.append(text)
            calls.continuation.yield(text)
        }
        let observations = [
            suite.observe(forKey: "w", options: [.new], on: .mainActor) {
                hear("key \($0.newValue?.int ?? 0)")
            },
            suite.observeAll(options: [], on: .mainActor) { hear("all") },
            suite.observeAll(options: [.new], on: .mainActor) { hear("changes \($0.map(\.key))") },
            suite.observe(width, height, options: [], on: .mainActor) { hear("suite row") },
            suite.observe([width, height], options: [], on: .mainActor) { hear("suite list") },
            Defaults.observe(keys: width, height, options: [], on: .mainActor) { hear("label") },
            Defaults.observe(width, height, options: [], on: .mainActor) { hear("row") },
        ]
        Defaults[width] = 2
        #expect(heard == [])
        for await _ in calls.stream.prefix(observations.count) {}
        #expect(
            heard.sorted()
                == ["all", "changes [\"w\"]", "key 2", "label", "row", "suite list", "suite row"])
        observations.forEach { $0.invalidate() }
    }

    @Test func `a place of the caller's own is given the events`() {
        let jobs = Recorder<@Sendable () -> Void>()
        let events = Recorder<Change>()
        let observation = Defaults.observe(size, on: .custom { jobs.append($0) }) {
            events.append(Change($0))
        }
        Defaults[size] = 2
        #expect(events.all == [])
        jobs.all.forEach { $0() }
        #expect(events.all == [Change(old: 1, new: 1, isInitial: true), Change(old: 1, new: 2)])
        observation.invalidate()
    }
}

/// Events beside several writers; ThreadSanitizer runs these.
@Suite(.ownThread) struct DeliveryConcurrencyTests {
    @Test(arguments: Place.allCases)
    func `the events of four writers form a chain that ends with the last value`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 0, suite: suite)
            let events = Recorder<Change>()
            let observation = Defaults.observe(count, options: [.initial]) { events.append(Change($0)) }
            withThreads(4) { _ in
                for _ in 0..<25 { Defaults[count] += 1 }
            }
            #expect(events.wait(for: 101))
            #expect(events.all.map(\.new) == Array(0...100))
            #expect(events.all.isChain)
            observation.invalidate()
        }
    }

    @Test func `observers that come and go beside writers leave the rest in peace`() throws {
        try Place.memory.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 0, suite: suite)
            let events = Recorder<Change>()
            let observation = Defaults.observe(count, options: []) { events.append(Change($0)) }
            withThreads(4) { number in
                for _ in 0..<25 {
                    if number < 2 {
                        Defaults[count] += 1
                    } else {
                        Defaults.observe(count) { _ in }.invalidate()
                    }
                }
            }
            #expect(events.wait(for: 50))
            #expect(events.all.map(\.new) == Array(1...50))
            observation.invalidate()
        }
    }
}
