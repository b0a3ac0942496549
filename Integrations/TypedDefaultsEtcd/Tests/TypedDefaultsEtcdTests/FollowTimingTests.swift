/// How long things take where nobody says otherwise.
import Testing

@testable import TypedDefaultsEtcd

struct FollowTimingTests {
    @Test func `the times and limits are those of the documentation`() {
        let timing = FollowTiming()
        #expect(timing.grace == .seconds(1))
        #expect(timing.shortestPause == .milliseconds(250))
        #expect(timing.longestPause == .seconds(30))
        #expect(timing.ping == .seconds(30))
        #expect(timing.pong == .seconds(10))
        #expect(timing.answer == .seconds(5))
        #expect(timing.silence == .seconds(25 * 60))
        #expect(timing.page == 1_000)
        #expect(timing.firstEndpoint == nil)
    }
}
