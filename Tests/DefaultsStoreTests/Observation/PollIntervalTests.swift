/// How far apart the ends of objects are looked for.
@testable import DefaultsStore
import Testing

@Suite struct PollIntervalTests {
    private static func interval(after used: [UInt64]) -> [UInt64] {
        var (interval, sum) = (PollInterval(), UInt64(0))
        return used.map { used in
            sum += used
            interval.recordPoll(from: sum, to: sum)
            return interval.wait
        }
    }

    @Test func `the looks of a program that sleeps are twice as far apart each time, up to a minute`() {
        let waits = PollIntervalTests.interval(after: Array(repeating: 10_000, count: 8))
        #expect(waits == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    }

    @Test func `a program that runs is looked at every half second`() {
        #expect(
            PollIntervalTests.interval(after: [2_000_000, 0, 0, 5_000_000, 1_000_000]) == [
                500, 1_000, 2_000, 500, 500,
            ])
    }

    @Test func `what a look itself takes does not count`() {
        var interval = PollInterval()
        interval.recordPoll(from: 10, to: 50_000_000)
        interval.recordPoll(from: 50_000_010, to: 90_000_000)
        #expect(interval.wait == 2_000)
    }
}
