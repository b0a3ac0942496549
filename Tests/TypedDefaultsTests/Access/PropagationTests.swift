import TestSupport
import Testing
import TypedDefaults

/// `Defaults.withoutPropagation`.
@Suite(.ownThread) struct PropagationTests {
    /// The changes of one key, old and new.
    private func observing(
        _ key: Defaults.Key<Int>, _ body: (Recorder<[Int]>) throws -> Void
    ) rethrows {
        let events = Recorder<[Int]>()
        let observation = Defaults.observe(key, options: []) { events.append([$0.oldValue, $0.newValue]) }
        try body(events)
        observation.invalidate()
    }

    @Test(arguments: Place.allCases)
    func `the next event's old value is the one last told, whatever was written quietly`(_ place: Place)
        throws
    {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            observing(size) { events in
                Defaults[size] = 2
                Defaults.withoutPropagation { Defaults[size] = 3 }
                #expect(Defaults[size] == 3)
                Defaults[size] = 4
                #expect(events.all == [[1, 2], [2, 4]])
            }
        }
    }

    @Test func `in an open transaction what is written quietly is not heard, and the rest is`() throws {
        try Place.memory.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            let width = Defaults.Key<Int>("width", default: 1, suite: suite)
            let widths = Recorder<Int>()
            let observation = Defaults.observe(width, options: []) { widths.append($0.newValue) }
            try observing(size) { events in
                try suite.withTransaction { tx in
                    tx[width] = 2
                    Defaults.withoutPropagation { tx[size] = 2 }
                }
                #expect(events.all == [])
                #expect(widths.all == [2])
            }
            observation.invalidate()
        }
    }

    @Test func `a write of what was last told is no event`() throws {
        try Place.memory.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            observing(size) { events in
                Defaults.withoutPropagation { Defaults[size] = 2 }
                Defaults[size] = 1
                Defaults[size] = 5
                #expect(events.all == [[1, 5]])
            }
        }
    }

    @Test func `resets, accesses in place and transactions are quiet too`() throws {
        try Place.memory.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            try observing(size) { events in
                try Defaults.withoutPropagation {
                    Defaults[size] += 1
                    try suite.withTransaction { $0[size] = 7 }
                    Defaults.reset(size)
                    Defaults[size] = 8
                    Defaults.removeAll(suite: suite)
                }
                Defaults[size] = 9
                #expect(events.all == [[1, 9]])
            }
        }
    }

    @Test func `it nests`() throws {
        try Place.memory.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            observing(size) { events in
                Defaults.withoutPropagation {
                    Defaults.withoutPropagation { Defaults[size] = 2 }
                    Defaults[size] = 3
                }
                Defaults[size] = 4
                #expect(events.all == [[1, 4]])
            }
        }
    }

    @Test func `it ends with a throw`() throws {
        try Place.memory.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            observing(size) { events in
                #expect(throws: ChangeOfMind()) {
                    try Defaults.withoutPropagation { throw ChangeOfMind() }
                }
                Defaults[size] = 2
                #expect(events.all == [[1, 2]])
            }
        }
    }

    @Test func `it follows the tasks its body starts and ends with it`() async throws {
        try await Place.memory.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            let events = Recorder<[Int]>()
            let observation = Defaults.observe(size, options: []) {
                events.append([$0.oldValue, $0.newValue])
            }
            await Defaults.withoutPropagation {
                await Task { Defaults[size] = 2 }.value
                await withTaskGroup { group in group.addTask { Defaults[size] = 3 } }
            }
            Defaults[size] = 4
            #expect(events.all == [[1, 4]])
            observation.invalidate()
        }
    }

    @Test func `another thread's write at that time is heard`() throws {
        try Place.memory.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            observing(size) { events in
                Defaults.withoutPropagation { withThreads(1) { _ in Defaults[size] = 2 } }
                #expect(events.all == [[1, 2]])
            }
        }
    }

    @Test func `a handler that writes its own key quietly is not called again`() throws {
        try Place.memory.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            let events = Recorder<Int>()
            let observation = Defaults.observe(size, options: []) { change in
                events.append(change.newValue)
                Defaults.withoutPropagation { Defaults[size] += 100 }
            }
            Defaults[size] = 2
            #expect(events.all == [2])
            #expect(Defaults[size] == 102)
            observation.invalidate()
        }
    }
}
