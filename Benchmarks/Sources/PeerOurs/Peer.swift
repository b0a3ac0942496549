import Measuring
import TypedDefaults

/// The suite's user, in each of the parts it may play.
struct Peer {
    let suite: DefaultsSuite

    /// Reads one unchanged value so many times; its system calls are counted from outside.
    func read(_ count: Int) {
        let key = Defaults.Key<Double>(Sized.wanted, default: 0, suite: suite)
        var sum = 0.0
        for _ in 0..<count { sum += Defaults[key] }
        blackHole(sum)
    }

    /// Sets one value so many times; its system calls are counted from outside.
    func write(_ count: Int) throws {
        let key = Defaults.Key<Double>("volume", default: 0, suite: suite)
        for number in 0..<count { try suite.set(key, to: Double(number) + 0.5) }
    }

    /// Sets ten keys in turn, so often a second, until it is ended.
    func writeOthers(perSecond: Int) throws {
        let keys = (0..<10).map { Defaults.Key<Int>("other\($0)", default: 0, suite: suite) }
        var (number, due) = (0, Clock.now())
        while true {
            try suite.set(keys[number % 10], to: number)
            number += 1
            due += 1_000_000_000 / perSecond
            Clock.pause(microseconds: max(0, due - Clock.now()) / 1000)
        }
    }

    /// Sets so many keys of its own as soon as the driver says so.
    func writeMany(page path: String, index: String, count: Int) throws {
        let keys = (0..<count).map { Defaults.Key<Int>("process\(index)-\($0)", default: 0, suite: suite) }
        try Race(page: path).run {
            for (number, key) in keys.enumerated() { try suite.set(key, to: number) }
        }
    }

    /// Sets a value to the time at which its set began, so many times.
    ///
    /// In the page: at 0 that it is ready, at 1 the driver's word to begin, at 2 how many sets have returned, and from 8 on,
    /// two places for each set, its stamp and the time at which it returned.
    func stamp(page path: String, count: Int, pause: Int) throws {
        let page = try SharedNumbers(path: path, count: 8 + 4 * count)
        let key = Defaults.Key<Int>("stamp", default: 0, suite: suite)
        page.countUp(0)
        try page.wait(1, reaches: 1)
        for number in 0..<count {
            let begin = Clock.now()
            page[8 + 2 * number] = begin
            try suite.set(key, to: begin)
            page[9 + 2 * number] = Clock.now()
            page[2] = number + 1
            Clock.pause(microseconds: pause)
        }
    }
}
