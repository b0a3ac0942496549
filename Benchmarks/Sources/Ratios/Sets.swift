import Foundation
import HotPaths
import Measuring
import TypedDefaults

extension Bench {
    /// Items 6 and 7: sets, and gets after them.
    func sets() throws -> [Row] {
        let bare = try BareFiles(folder: try makeFolder("bare-sets"), isWatched: false)
        let atTen = try alternate(
            rounds: rounds,
            [HotPath.setDouble.timed, HotPath.foundationSetDouble.timed, { try bare.callsOfSets(200) }])
        let quoted = Figure.time(970, note: " (quoted)")
        let rows = [
            Row(
                item: 6, what: "set at 10 keys / its bare system calls", ours: .time(atTen[0]),
                peer: .time(atTen[2]), goal: .atMost(1.6)),
            Row(
                item: 6, what: "set at 10 keys / UserDefaults, in memory", ours: .time(atTen[0]),
                peer: .time(atTen[1]), goal: .compared),
            Row(
                item: 6, what: "set at 10 keys / MMKV shared between processes", ours: .time(atTen[0]),
                peer: quoted, goal: .compared),
        ]
        return rows + [try setsBySize()] + (try setsThenGets(bare))
    }

    private func setsBySize() throws -> Row {
        let sized = try [10, 100_000].map { try SizedSuite(keys: $0, bench: self) }
        let samples = try alternate(rounds: rounds, sized.map { suite in { try suite.sets(200) } })
        return Row(
            item: 6, what: "set at 100 000 keys / at 10", ours: .time(samples[1]), peer: .time(samples[0]),
            goal: .atMost(1.2))
    }

    private func setsThenGets(_ bare: BareFiles) throws -> [Row] {
        let ours = try SizedSuite(keys: 10_000, bench: self)
        let next = Counter()
        let foundation = UserDefaults(suiteName: "sized") ?? .standard
        for (key, value) in Sized.entries(10_000) { foundation.set(value, forKey: key) }
        let samples = try alternate(
            rounds: min(rounds, 11),
            [
                { try ours.setsThenGets(100) }, { setThenGet(foundation, next, 2) },
                { try bare.callsOfSets(100) },
            ])
        return [
            Row(
                item: 7, what: "set then get at 10 000 keys / the bare system calls of a set",
                ours: .time(samples[0]), peer: .time(samples[2]), goal: .atMost(2)),
            Row(
                item: 7, what: "set then get at 10 000 keys / UserDefaults", ours: .time(samples[0]),
                peer: .time(samples[1]), goal: .compared),
        ]
    }

    private func setThenGet(_ defaults: UserDefaults, _ next: Counter, _ count: Int) -> Double {
        Clock.time {
            for _ in 0..<count {
                defaults.set(next.up(), forKey: Sized.wanted)
                blackHole(defaults.double(forKey: Sized.wanted))
            }
        } / Double(count)
    }
}

/// A suite with so many keys, of which one is set.
struct SizedSuite {
    let suite: DefaultsSuite
    private let key: Defaults.Key<Double>
    /// What the next set stores: never what is stored already, since such a set writes nothing.
    private let next = Counter()

    init(keys: Int, bench: Bench) throws {
        let folder = try bench.makeSuite("sized", keys: keys, in: "ours-\(keys)")
        suite = try DefaultsSuite("sized", in: folder)
        key = Defaults.Key(Sized.wanted, default: 0, suite: suite)
        blackHole(Defaults[key])
    }

    func sets(_ count: Int) throws -> Double {
        try Clock.time {
            for _ in 0..<count { try suite.set(key, to: next.up()) }
        } / Double(count)
    }

    func setsThenGets(_ count: Int) throws -> Double {
        try Clock.time {
            for _ in 0..<count {
                try suite.set(key, to: next.up())
                blackHole(Defaults[key])
            }
        } / Double(count)
    }

    func durableSets(_ count: Int) throws -> Double {
        try Clock.time {
            for _ in 0..<count {
                try suite.set(key, to: next.up())
                try suite.synchronize()
            }
        } / Double(count)
    }
}

/// Numbers of which no two are the same.
final class Counter {
    private var number = 0.5

    func up() -> Double {
        number += 1
        return number
    }
}
