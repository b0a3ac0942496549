import Foundation
import HotPaths
import Measuring
import Synchronization
import TypedDefaults

extension Bench {
    /// Item 4: reads that others read or write beside.
    func contendedReads() throws -> [Row] { [try twoThreads(), try besideWriter()] }

    private func twoThreads() throws -> Row {
        let pair = ReadingPair()
        let samples = try alternate(rounds: rounds, [pair.alone, pair.both])
        return Row(
            item: 4, what: "get, two threads on one key / one thread", ours: .time(samples[1]),
            peer: .time(samples[0]), goal: .atMost(1.25))
    }

    /// A process sets other keys of the same suite, a thousand times a second, and is stopped in every other round.
    private func besideWriter() throws -> Row {
        let suite = URL(filePath: CommandLine.arguments[0]).lastPathComponent
        let writer = try start(
            "peer-ours", ["set-others", folder + "/home/.config", suite, "1000"], home: folder + "/home")
        defer { writer.kill() }
        try waitForChange()
        let samples = try alternate(
            rounds: rounds,
            [
                {
                    try writer.stop()
                    return HotPath.getDouble.timed(forMilliseconds: 20)
                },
                {
                    try writer.goOn()
                    try waitForChange()
                    return HotPath.getDouble.timed(forMilliseconds: 20)
                },
            ])
        return Row(
            item: 4, what: "get, another process sets 1 000 times a second / none", ours: .time(samples[1]),
            peer: .time(samples[0]), goal: .atMost(1.5))
    }

    private func waitForChange() throws {
        let before = DefaultsSuite.standard.integer(forKey: "other3")
        let end = Clock.now() + 10_000_000_000
        while DefaultsSuite.standard.integer(forKey: "other3") == before {
            guard Clock.now() < end else { throw SystemFailure(waitingFor: "the other process's sets") }
            Clock.pause(microseconds: 200)
        }
    }
}

/// Two threads that read one key, at the same time or one alone.
private final class ReadingPair: Sendable {
    private let waiting = Atomic<Int>(0)
    private let times = Mutex<[Double]>([])

    /// The time of a read while nobody else reads.
    func alone() -> Double { HotPath.getDouble.timed() }

    /// The mean time of a read in each of two threads that begin at the same moment.
    func both() -> Double {
        waiting.store(2, ordering: .sequentiallyConsistent)
        let group = DispatchGroup()
        for _ in 0..<2 {
            group.enter()
            Thread {
                self.read()
                group.leave()
            }.start()
        }
        group.wait()
        return times.withLock { times in
            defer { times = [] }
            return times.reduce(0, +) / Double(times.count)
        }
    }

    private func read() {
        waiting.subtract(1, ordering: .sequentiallyConsistent)
        while waiting.load(ordering: .sequentiallyConsistent) > 0 {}
        let time = HotPath.getDouble.timed()
        times.withLock { $0.append(time) }
    }
}
