import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

/// Waiting for a value.
@Suite struct WaitingTests {
    @Test(arguments: Place.allCases)
    func `a value that is there already is returned`(_ place: Place) async throws {
        try await place.withSuite { suite in
            let ready = Defaults.Key<Bool>("ready", default: true, suite: suite)
            try await #expect(suite.wait(for: ready, timeout: .seconds(60)) { $0 })
        }
    }

    @Test(arguments: Place.allCases)
    func `a wait ends with the value that is set meanwhile`(_ place: Place) async throws {
        try await place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 0, suite: suite)
            let (asked, continuation) = AsyncStream<Int>.makeStream()
            async let waited = suite.wait(for: count) { number in
                continuation.yield(number)
                return number >= 3
            }
            // It waits, and has not just begun when all is set.
            for await number in asked where number == 0 { break }
            for number in 1...3 { try suite.set(count, to: number) }
            try await #expect(waited == 3)
        }
    }

    @Test(arguments: Place.allCases)
    func `a wait that takes too long throws, and names the key`(_ place: Place) async throws {
        try await place.withSuite { suite in
            let ready = Defaults.Key<Bool>("ready", default: false, suite: suite)
            let error = try await #require(throws: DefaultsError.self) {
                try await suite.wait(for: ready, timeout: .milliseconds(20)) { $0 }
            }
            #expect(error.code == .timedOut)
            #expect(error.key == "ready")
        }
    }

    @Test func `a cancelled wait ends`() async throws {
        let suite = DefaultsSuite.inMemory()
        let ready = Defaults.Key<Bool>("ready", default: false, suite: suite)
        let (asked, continuation) = AsyncStream<Bool>.makeStream()
        let task = Task {
            try await suite.wait(for: ready) { isReady in
                continuation.yield(isReady)
                return isReady
            }
        }
        for await _ in asked { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
