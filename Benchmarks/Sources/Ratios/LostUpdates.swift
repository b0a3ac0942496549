import Foundation
import Measuring
import TypedDefaults

extension Bench {
    /// Item 12: processes that set a thousand different keys each, at the same time.
    func lostUpdates() throws -> [Row] {
        let alone = try (0..<5).map { _ in try oneRun() }
        return try [2, 8].flatMap { processes in
            let ours = try (0..<3).map { _ in try ourRun(processes) }
            let foundation = try foundationRun(processes)
            let lost = ours.reduce(0) { $0 + $1.lost }
            let theirs = decimal(Double(foundation.lost) / Double(processes) / 10, 1)
            return [
                Row(
                    item: 12, what: "sets lost, \(processes) processes of 1 000 (UserDefaults: \(theirs) %)",
                    ours: .count(Double(lost), "lost"), peer: nil, goal: .limit(0)),
                Row(
                    item: 12,
                    what:
                        "time of \(processes) x 1 000 sets / \(processes) times that of one while the other cores are busy",
                    ours: .time(Sample(ours.map(\.time))),
                    peer: .time(Sample(alone.map { $0 * Double(processes) })), goal: .atMost(1.1)),
                Row(
                    item: 12, what: "time of \(processes) x 1 000 sets / UserDefaults with synchronize()",
                    ours: .time(Sample(ours.map(\.time))), peer: .time(foundation.time, note: " (1 round)"),
                    goal: .compared),
            ]
        }
    }

    private func ourRun(_ processes: Int) throws -> (time: Double, lost: Int) {
        let parent = try makeSuite("shared", keys: 10, in: "shared-ours")
        let time = try race(processes, in: parent, "peer-ours", ["set-many", parent, "shared"])
        // The other processes have ended, so the file alone says what was kept.
        let data = try Data(contentsOf: URL(filePath: parent + "/shared/settings.json"))
        let kept = try JSONDecoder().decode([String: Double].self, from: data).keys
        return (time, processes * 1000 - kept.count { $0.hasPrefix("process") })
    }

    /// What one process takes while others keep the other cores busy and set nothing.
    ///
    /// The sets of several go one after another, on cores that are about as busy. It says where the time goes and is no
    /// bound, since they are not always so.
    private func oneRun() throws -> Double {
        let parent = try makeSuite("shared", keys: 10, in: "shared-alone")
        let others = try (1..<max(2, ProcessInfo.processInfo.activeProcessorCount)).map { _ in
            try start("peer-ours", ["get", parent, "other", "\(Int.max)"], home: parent)
        }
        defer { others.forEach { $0.kill() } }
        return try race(1, in: parent, "peer-ours", ["set-many", parent, "shared"])
    }

    private func foundationRun(_ processes: Int) throws -> (time: Double, lost: Int) {
        let home = try makeFolder("shared-foundation")
        let time = try race(processes, in: home, "peer-userdefaults", ["set-many"])
        let kept = try start("peer-userdefaults", ["count"], home: home, keepsOutput: true).finish()
        return (time, processes * 1000 - (Int(kept.filter(\.isNumber)) ?? 0))
    }

    /// The time from the common beginning to the end of the last process.
    private func race(
        _ processes: Int, in home: String, _ program: String, _ arguments: [String]
    ) throws -> Double {
        let path = home + "/page"
        let race = try Race(page: path)
        return try race.time(
            try (0..<processes).map { try start(program, arguments + [path, "\($0)", "1000"], home: home) })
    }
}
