import Synchronization
import TestSupport
import Testing

@testable import TypedDefaults

/// The lock that nobody waits for: one inside at a time.
@Suite(.ownThread) struct TryLockedConcurrencyTests {
    /// A lock and a count of who got in, shared by threads.
    private final class Shared: Sendable {
        let counter = TryLocked(0)
        let entered = Atomic<Int>(0)
    }

    @Test func `nobody is inside with another one, and who is turned away has touched nothing`() {
        let shared = Shared()
        let rounds = Soak.times(20_000)
        withThreads(4) { _ in
            for _ in 0..<rounds {
                // Neither read nor written in one step, so that two at once would lose one.
                let isIn = shared.counter.withLockIfAvailable { $0 += 1 } != nil
                if isIn { shared.entered.add(1, ordering: .relaxed) }
            }
        }
        let entered = shared.entered.load(ordering: .relaxed)
        #expect(entered > 0)
        #expect(shared.counter.withLockIfAvailable { $0 } == entered)
    }

    @Test func `who meets himself inside is turned away, and the next one is not`() {
        let shared = Shared()
        let inner = shared.counter.withLockIfAvailable { _ in shared.counter.withLockIfAvailable { $0 } }
        #expect(inner == .some(nil))
        #expect(shared.counter.withLockIfAvailable { $0 } == 0)
    }
}
