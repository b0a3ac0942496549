import TestSupport
import Testing
import TypedDefaults

/// A suite in memory has no counter on disk, so its own has to keep readers and writers in order.
@Suite(.ownThread) struct MemoryConcurrencyTests {
    @Test func `a reader beside a writer keeps no old value and undoes no write`() {
        for _ in 0..<200 {
            let suite = DefaultsSuite.inMemory()
            let count = Defaults.Key<Int>("count", default: 0, suite: suite)
            withThreads(2) { thread in
                for number in 1...20 {
                    if thread == 0 { Defaults[count] = number } else { _ = Defaults[count] }
                }
            }
            #expect(Defaults[count] == 20)
            #expect(suite.integer(forKey: "count") == 20)
        }
    }
}
