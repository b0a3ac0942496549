import TestSupport
import Testing
import TypedDefaults

/// Observation of everything in a suite.
@Suite(.ownThread) struct AllKeysTests {
    private let suite = DefaultsSuite.inMemory()
    private let calls = Recorder<Int>()

    private func observing(
        _ options: DefaultsObservationOptions = [], _ body: () throws -> Void
    ) rethrows {
        let observation = suite.observeAll(options: options) { [calls] in calls.append(1) }
        try body()
        observation.invalidate()
    }

    @Test func `each key's change is heard, those of keys nobody declares included`() throws {
        try observing {
            try suite.set(1, forKey: "a")
            try suite.set(2, forKey: "b")
            try suite.removeAll()
            suite.register(defaults: ["c": true])
        }
        #expect(calls.all.count == 4)
    }

    @Test func `a transaction is heard once, and an equal value not at all`() throws {
        try suite.set(1, forKey: "a")
        try observing {
            try suite.set(1, forKey: "a")
            try suite.withTransaction { transaction in
                transaction[key: "a"] = 2
                transaction[key: "b"] = 3
            }
        }
        #expect(calls.all.count == 1)
    }

    @Test func `what is written without propagation is not heard`() throws {
        try observing {
            try Defaults.withoutPropagation { try suite.set(1, forKey: "a") }
        }
        #expect(calls.all.count == 0)
    }

    @Test func `a change back after a quiet one is heard, since the handler may have read that`() throws {
        try suite.set(1, forKey: "a")
        try observing {
            try Defaults.withoutPropagation {
                try suite.set(2, forKey: "a")
                try suite.set(1, forKey: "b")
            }
            #expect(calls.all.count == 0)
            try suite.set(1, forKey: "a")
            try suite.removeValue(forKey: "b")
        }
        #expect(calls.all.count == 2)
    }

    @Test func `the initial call comes at once, and none after the end`() throws {
        observing([.initial]) { #expect(calls.all.count == 1) }
        try suite.set(1, forKey: "a")
        #expect(calls.all.count == 1)
    }
}
