import Measuring
import TypedDefaults

/// A key that another process sets to the time again and again, and when each of its values was seen here.
final class Stamps: Sendable {
    /// Where a delay begins.
    enum Origin { case begin, end }

    let key: Defaults.Key<Int>
    let count: Int
    private let page: SharedNumbers
    private let makePeer: @Sendable () throws -> Child

    init(bench: Bench, name: String, count: Int, pause: Int) throws {
        let parent = try bench.makeSuite("stamped", keys: 10, in: name)
        let path = parent + "/page"
        key = Defaults.Key("stamp", default: 0, suite: try DefaultsSuite("stamped", in: parent))
        blackHole(Defaults[key])
        page = try SharedNumbers(path: path, count: 8 + 4 * count)
        self.count = count
        makePeer = {
            try bench.start(
                "peer-ours", ["stamp", parent, "stamped", path, "\(count)", "\(pause)"], home: bench.folder)
        }
    }

    /// Starts the other process and lets it begin.
    func start() throws -> Child {
        let child = try makePeer()
        try page.wait(0, reaches: 1)
        page[1] = 1
        return child
    }

    /// How many sets have returned.
    var finished: Int { page[2] }

    /// When a set began; that is also its value.
    func begin(_ place: Int) -> Int { page[8 + 2 * place] }

    /// Notes a value that was seen; what was set between it and the one before was overwritten unseen, and has no delay.
    ///
    /// - Returns: the place after the value's.
    func saw(_ value: Int, at time: Int, after place: Int) -> Int {
        var place = place
        while place < count, begin(place) != value { place += 1 }
        guard place < count else { return count }
        page[8 + 2 * count + place] = time
        return place + 1
    }

    /// How late the values were seen, in nanoseconds; less than 0 for one that was seen before its set returned.
    func delays(from origin: Origin) -> Sample {
        let seen = (0..<count).filter { page[8 + 2 * count + $0] > 0 }
        return Sample(
            seen.map { place in
                let from = origin == .begin ? page[8 + 2 * place] : page[9 + 2 * place]
                return Double(page[8 + 2 * count + place] - from)
            })
    }
}
