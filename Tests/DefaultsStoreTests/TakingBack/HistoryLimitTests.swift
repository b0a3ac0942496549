@testable import DefaultsStore
import TestSupport
import Testing

/// Which versions stay.
struct HistoryLimitTests {
    private static let hour: Int64 = 3_600_000_000_000

    /// Those that stay of versions of so many nanoseconds after the first day, in the order of time.
    private func kept(_ limit: DefaultsHistoryLimit, _ times: [Int64], size: Int = 10) -> [Int64] {
        let entries = times.map {
            VersionFolder.Entry(moment: VersionMoment(nanoseconds: 1_000 * 24 * Self.hour + $0), size: size)
        }
        let surplus = Set(limit.surplus(of: entries))
        return zip(times, entries).filter { !surplus.contains($0.1) }.map(\.0)
    }

    @Test func `the latest half stays, whatever its times`() {
        let times = (0..<100).map { Int64($0) * 1_000_000 }
        // All are of one hour, so the oldest go.
        #expect(kept(.versions(10), times) == times.suffix(10))
        #expect(kept(.versions(1), times) == times.suffix(1))
        #expect(kept(.versions(.max, maximumBytes: .max), times) == times)
    }

    @Test func `what shares its hour, or its day if it is older, goes first`() {
        let times = (0..<240).map { Int64($0) * Self.hour / 2 }
        let kept = kept(.versions(40), times)
        #expect(kept.count == 40)
        #expect(kept.suffix(20) == times.suffix(20))
        let older = kept.dropLast(20)
        let newest = times[239]
        let hourly = older.filter { newest - $0 < 24 * Self.hour }
        let daily = older.filter { newest - $0 >= 24 * Self.hour }
        // 28 times, and 96 hours.
        #expect(Set(hourly.map { $0 / Self.hour }).count == 14)
        #expect(Set(daily.map { $0 / (24 * Self.hour) }).count == 4)
    }

    @Test func `no more stay than fit into the bytes, but always the newest`() {
        let times = (0..<10).map { Int64($0) * 1_000_000 }
        #expect(kept(.versions(10, maximumBytes: 35), times) == times.suffix(3))
        #expect(kept(.versions(10, maximumBytes: 5), times) == times.suffix(1))
        #expect(kept(.off, times) == [])
    }

    @Test func `as many stay as fit, the newest always`() {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<50 {
            let limit = DefaultsHistoryLimit.versions(
                .random(in: 1...20, using: &random), maximumBytes: .random(in: 50...1_000, using: &random))
            var (times, now) = ([Int64](), Int64(0))
            for _ in 0..<200 {
                now += .random(in: 1_000...4 * Self.hour, using: &random)
                let before = times + [now]
                times = kept(limit, before)
                #expect(times.last == now)
                #expect(kept(limit, times) == times)
                if case .versions(let count, let bytes) = limit {
                    #expect(times.count == min(before.count, count, max(1, bytes / 10)))
                }
            }
        }
    }

    @Test(
        arguments: [
            0, 1_000, 951_782_400_000_000_000, 1_793_000_000_123_456_000, 9_223_372_036_854_775_000,
        ] as [Int64])
    func `a version's name has its time, to the microsecond`(_ nanoseconds: Int64) throws {
        let moment = VersionMoment(nanoseconds: nanoseconds)
        #expect(moment.microseconds == nanoseconds / 1_000)
        #expect(VersionMoment(name: moment.name) == moment)
    }

    @Test func `names are in the order of time`() {
        #expect(VersionMoment(nanoseconds: 1_795_934_412_123_456_789).id == "20261129T064012.123456Z")
        var random = SeededNumbers(seed: 1)
        let moments = (0..<1_000).map { _ in
            VersionMoment(nanoseconds: .random(in: 0...9_000_000_000_000_000_000, using: &random))
        }
        #expect(moments.sorted().map(\.name) == moments.map(\.name).sorted())
    }

    @Test(arguments: [
        "", "mine.json", "20261329T064012.123456Z.json", "20261129T244012.123456Z.json",
        "20261129T064012.12345aZ.json", "20261129T064012.123456Z.jsonx", "20261129T064012.123456Z",
        "20261129 064012.123456Z.json", "undone.json",
    ])
    func `another name is no version's`(_ name: String) { #expect(VersionMoment(name: name) == nil) }
}
