/// The semaphore and deadlines.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct SemaphoreTests {
    @Test func `a deadline of now has passed and one far ahead has not`() {
        #expect(Deadline.after(milliseconds: 0).hasPassed)
        #expect(!Deadline.after(milliseconds: 1_000_000).hasPassed)
    }

    @Test func `a signal that nobody waited for is kept for one waiter`() {
        let semaphore = Semaphore()
        semaphore.signal()
        semaphore.signal()
        #expect(semaphore.wait(until: .after(milliseconds: 0)))
        #expect(!semaphore.wait(until: .after(milliseconds: 0)))
    }

    @Test func `each signal lets one thread go on`() {
        let (semaphore, woken) = (Semaphore(), Recorder<Bool>())
        withThreads(5) { number in
            guard number == 0 else {
                return woken.append(semaphore.wait(until: .after(milliseconds: 60_000)))
            }
            for count in 1...4 {
                semaphore.signal()
                #expect(woken.wait(for: count))
            }
        }
        #expect(woken.all == [true, true, true, true])
        #expect(!semaphore.wait(until: .after(milliseconds: 0)))
    }
}
