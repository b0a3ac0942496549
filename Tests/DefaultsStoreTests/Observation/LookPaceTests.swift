/// How far apart the ends of objects are looked for.
@testable import DefaultsStore
import Testing

@Suite struct LookPaceTests {
    private static func pace(after used: [UInt64]) -> [UInt64] {
        var (pace, sum) = (LookPace(), UInt64(0))
        return used.map { used in
            sum += used
            pace.noteLook(from: sum, to: sum)
            return pace.wait
        }
    }

    @Test func `the looks of a program that sleeps are twice as far apart each time, up to a minute`() {
        let waits = LookPaceTests.pace(after: Array(repeating: 10_000, count: 8))
        #expect(waits == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    }

    @Test func `a program that runs is looked at every half second`() {
        #expect(
            LookPaceTests.pace(after: [2_000_000, 0, 0, 5_000_000, 1_000_000]) == [
                500, 1_000, 2_000, 500, 500,
            ])
    }

    @Test func `what a look itself takes does not count`() {
        var pace = LookPace()
        pace.noteLook(from: 10, to: 50_000_000)
        pace.noteLook(from: 50_000_010, to: 90_000_000)
        #expect(pace.wait == 2_000)
    }
}
