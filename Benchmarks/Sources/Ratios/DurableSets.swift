import Foundation
import Glibc
import Measuring
import Synchronization
import TypedDefaults

extension Bench {
    /// Item 8: sets that have reached the disk.
    func durableSets() throws -> [Row] {
        let ours = try SizedSuite(keys: 10_000, bench: self)
        let bare = try BareFile(path: folder + "/ours-10000/bare")
        let samples = try alternate(rounds: rounds * 5, [{ try ours.durableSets(1) }, { try bare.write() }])
        let threads = try alternate(
            rounds: min(rounds, 11),
            [
                { try durable(ours, threads: 64) }, { try sharedWrites(to: bare, threads: 64) },
            ])
        return [
            Row(
                item: 8, what: "durable set at 10 000 keys / pwrite and fdatasync", ours: .time(samples[0]),
                peer: .time(samples[1]), goal: .atMost(1.15)),
            Row(
                item: 8, what: "durable sets of 64 threads, one each / bare writes and waits that they share",
                ours: .time(threads[0]), peer: .time(threads[1]), goal: .atMost(4)),
        ]
    }

    /// The time of a hundred durable sets in each of so many threads, divided by a hundred.
    private func durable(_ sized: SizedSuite, threads: Int) throws -> Double {
        let suite = sized.suite
        return try eachOf(threads) { place, count in try write(count, to: "thread\(place)", of: suite) }
    }

    /// The same of nothing but writes and waits for the disk, one of which serves all that wait at a time.
    private func sharedWrites(to file: BareFile, threads: Int) throws -> Double {
        let shared = try SharedWrites(to: file)
        return try eachOf(threads) { _, count in for _ in 0..<count { try shared.write() } }
    }

    /// The time of a hundred times something in each of so many threads, divided by a hundred: their start is little of it.
    private func eachOf(
        _ threads: Int, _ body: @escaping @Sendable (_ place: Int, _ count: Int) throws -> Void
    ) throws -> Double {
        let (count, group) = (100, DispatchGroup())
        let failure = Mutex<(any Error)?>(nil)
        let time = Clock.time {
            for place in 0..<threads {
                let work = Thread {
                    do { try body(place, count) } catch {
                        failure.withLock { $0 = error }
                    }
                    group.leave()
                }
                group.enter()
                work.start()
            }
            group.wait()
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return time / Double(count)
    }
}

private func write(_ count: Int, to key: String, of suite: DefaultsSuite) throws {
    for number in 0..<count {
        try suite.set(DefaultsValue(floatLiteral: Double(number) + 0.5), forKey: key)
        try suite.synchronize()
    }
}

/// A file whose blocks are all written once, so that a write into it changes nothing but their bytes.
final class BareFile {
    private let file: Int32
    private let path: String
    private var place = 0
    private static let size = 1 << 20
    /// About as long as the record of a set.
    private static let record = [UInt8](repeating: 0x61, count: 96)

    init(path: String) throws {
        self.path = path
        file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemFailure("open", path) }
        let zeros = [UInt8](repeating: 0, count: BareFile.size)
        guard pwrite(file, zeros, zeros.count, 0) == zeros.count, fsync(file) == 0 else {
            throw SystemFailure("pwrite", path)
        }
    }

    deinit { close(file) }

    /// The time of one write and the wait for the disk.
    func write() throws -> Double {
        place = (place + BareFile.record.count) % (BareFile.size - BareFile.record.count)
        return try Clock.time {
            let written = pwrite(file, BareFile.record, BareFile.record.count, off_t(place))
            guard written == BareFile.record.count, fdatasync(file) == 0 else {
                throw SystemFailure("fdatasync", path)
            }
        }
    }
}
