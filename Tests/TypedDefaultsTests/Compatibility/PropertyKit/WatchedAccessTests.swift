import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// Properties kept in memory, in values that any thread has.
@Suite(.ownThread, .timeLimit(.minutes(60))) struct WatchedAccessTests {
    @Test func `copies of a struct share the value, and a watch hears of it before the change returns`() {
        struct Meter: PropertyWatchable, Sendable {
            @Watched var level = 0
        }
        let meter = Meter()
        let copy = meter
        let heard = Recorder<Change>()
        meter.watch(\.level) { _, change in heard.append(Change(change)) }
        copy.level = 5
        #expect(heard.all == [Change(old: 0, new: 5)])
        #expect(meter.level == 5)
        #expect(copy.unwatch(\.level))
        copy.level = 6
        #expect(heard.all == [Change(old: 0, new: 5)])
    }

    @Test func `all values of a type are one target, whatever they hold`() {
        struct Dial: PropertyWatchable, Sendable {
            @Watched var level = 0
        }
        let (first, second) = (Dial(), Dial())
        let heard = Recorder<Change>()
        for dial in [first, second] {
            dial.watch(\.level, id: "mine") { _, change in heard.append(Change(change)) }
        }
        first.level = 1
        second.level = 2
        #expect(heard.all == [Change(old: 0, new: 2)])
        #expect(first.unwatch(\.level, forIds: ["mine"]))
        second.level = 3
        #expect(heard.all == [Change(old: 0, new: 2)])
    }

    @Test func `any thread reads and sets it, and the last value is heard`() {
        struct Pair: PropertyWatchable, Sendable {
            @Watched var numbers = [0, 0]
        }
        let pair = Pair()
        let (heard, torn) = (Recorder<[Int]>(), Recorder<[Int]>())
        pair.watch(\.numbers) { _, change in heard.append(change.newValue) }
        withThreads(4) { thread in
            for round in 1...200 {
                let number = thread * 1_000 + round
                pair.numbers = [number, number]
                let seen = pair.numbers
                if seen[0] != seen[1] { torn.append(seen) }
            }
        }
        #expect(torn.all == [])
        let last = pair.numbers
        #expect(heard.wait { $0.last == last })
        #expect(heard.all.allSatisfy { $0[0] == $0[1] })
        pair.unwatch(\.numbers)
    }
}
