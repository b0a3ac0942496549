import Foundation
import Measuring

extension Bench {
    /// Items 9 and 10: what a new process waits for.
    func newProcesses() throws -> [Row] { try openings() + startUps() }

    private func openings() throws -> [Row] {
        let rounds = min(rounds, 21)
        let small = try Homes(keys: 10_000, bench: self)
        let large = try Homes(keys: 100_000, bench: self)
        let reports = [
            Reports { try small.store() }, Reports { try small.typed() }, Reports { try small.foundation() },
            Reports { try small.lmdb() }, Reports { try large.store() }, Reports { try large.lmdb() },
            Reports { try small.bare() }, Reports { try large.bare() },
        ]
        let times = try alternate(rounds: rounds, reports.map { report in { try report.next() } })
        let memory = reports.map { Figure.count($0.kibibytes.median / 1024, "MiB") }
        return [
            row(
                "open 10 000 keys and get one / read such a file and search it", times[0], times[6],
                .atMost(1.5)),
            row(
                "the same with a typed key / read such a file and search it", times[1], times[6],
                .atMost(1.75)),
            row(
                "open 100 000 keys and get one / read such a file and search it", times[4], times[7],
                .atMost(1.25)),
            row("open 10 000 keys and get one / UserDefaults", times[0], times[2], .compared),
            row("open 10 000 keys and get one / LMDB", times[0], times[3], .compared),
            row("open 100 000 keys and get one / LMDB", times[4], times[5], .compared),
            Row(
                item: 9, what: "resident memory after that / UserDefaults", ours: memory[0], peer: memory[2],
                goal: .compared),
        ]
    }

    private func row(_ what: String, _ ours: Sample, _ peer: Sample, _ goal: Row.Goal) -> Row {
        Row(item: 9, what: what, ours: .time(ours), peer: .time(peer), goal: goal)
    }

    private func startUps() throws -> [Row] {
        let home = try makeFolder("started")
        _ = try makeSuite("opened", keys: 10, in: "started/.config")
        let programs = ["hello", "start-store", "start-typed", "load-store", "load-typed"]
        // A start takes milliseconds, and its goals are hundredths apart from what it comes to.
        let samples = try alternate(
            rounds: rounds * 8,
            programs.map { program in
                { try Clock.time { try start(program, home: home).finish() } }
            })
        func rows(_ library: String, _ place: Int, bare: Int) -> [Row] {
            let what = "start, read one setting by \(library), end"
            return [
                Row(
                    item: 10, what: what + " / start with the modules of Swift that it needs, and end",
                    ours: .time(samples[place]), peer: .time(samples[bare]), goal: .atMost(1.2)),
                Row(
                    item: 10, what: what + " / hello world", ours: .time(samples[place]),
                    peer: .time(samples[0]), goal: .compared),
            ]
        }
        return rows("DefaultsStore", 1, bare: 3) + rows("TypedDefaults", 2, bare: 4)
    }
}

/// The same settings in the files of each library.
private struct Homes {
    let bench: Bench
    /// What our programs are started with.
    let ourArguments: [String]
    private let foundationHome: String
    private let lmdbFolder: String

    init(keys: Int, bench: Bench) throws {
        self.bench = bench
        ourArguments = [try bench.makeSuite("opened", keys: keys, in: "opened-ours-\(keys)"), "opened"]
        foundationHome = try bench.makeFolder("opened-foundation-\(keys)")
        lmdbFolder = try bench.makeFolder("opened-lmdb-\(keys)")
        if keys <= 10_000 {
            try bench.start("open-userdefaults", ["fill", "\(keys)"], home: foundationHome).finish()
        }
        try bench.start("open-lmdb", [lmdbFolder, "fill", "\(keys)"], home: bench.folder).finish()
    }

    func store() throws -> Report { try report("open-store", ourArguments) }
    func bare() throws -> Report { try report("open-bare", ourArguments) }
    func typed() throws -> Report { try report("open-typed", ourArguments) }
    func foundation() throws -> Report { try report("open-userdefaults") }
    func lmdb() throws -> Report { try report("open-lmdb", [lmdbFolder]) }

    private func report(_ program: String, _ arguments: [String] = []) throws -> Report {
        let line = try bench.start(program, arguments, home: foundationHome, keepsOutput: true).finish()
        guard let report = Report(line: line), report.value == Sized.value else {
            throw SystemFailure(waitingFor: "\(program) to read \(Sized.value); it printed \(line)")
        }
        return report
    }
}

/// The reports of new processes, one for each round.
private final class Reports {
    private let start: () throws -> Report
    private var sizes: [Double] = []

    init(_ start: @escaping () throws -> Report) { self.start = start }

    var kibibytes: Sample { Sample(sizes) }

    func next() throws -> Double {
        let report = try start()
        sizes.append(Double(report.kibibytes))
        return Double(report.nanoseconds)
    }
}
