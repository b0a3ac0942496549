import Foundation
import Measuring
import TypedDefaults

/// What it costs that the settings file follows.
extension Stage {
    /// A set while another process writes without a pause, beside a large file and a small one.
    func besideTightWriter() throws -> [Row] {
        let small = try setsBesideTightWriter(keys: extent.keys.small)
        let large = try setsBesideTightWriter(keys: extent.keys.large)
        return [("median", 50.0), ("99 %", 99)].map { name, percent in
            Row(
                what:
                    "a set at 100/s beside a tight writer, a file of \(amount(Double(large.bytes))), \(name)",
                figure: .time(large.sets.percentile(percent)),
                beside: "a file of \(amount(Double(small.bytes)))",
                control: .time(small.sets.percentile(percent)))
        }
    }

    private func setsBesideTightWriter(keys: Int) throws -> (sets: Sample, bytes: Int) {
        let (place, bytes) = try makeSuite("tight", keys: keys)
        let page = place + "/page"
        let log = try SetLog(path: page, sets: extent.sets, writers: 1)
        let measured = try start(.write, in: place, [page, "\(extent.sets)", "1", "0"])
        let tight = try start(.writeTightly, in: place)
        defer { tight.kill() }
        try log.awaitReady(1)
        pause(seconds: min(1, extent.seconds))
        log.begin()
        try measured.finish()
        return (log.durations(), bytes)
    }

    /// What reaches the disk for each of ten sets a second, and how often it is waited for.
    func bytesToDisk() throws -> [Row] {
        let small = try setsToDisk(keys: extent.keys.small)
        return try [extent.keys.middle, extent.keys.large].flatMap { keys in
            let measured = try setsToDisk(keys: keys)
            let file = "a set at 10/s, a file of \(amount(Double(measured.length)))"
            let beside = "a file of \(amount(Double(small.length)))"
            return [
                Row(
                    what: "bytes to the disk for \(file)", figure: .bytes(measured.bytes), beside: beside,
                    control: .bytes(small.bytes)),
                Row(
                    what: "waits for the disk for \(file)", figure: .count(measured.waits), beside: beside,
                    control: .count(small.waits)),
            ]
        }
    }

    private func setsToDisk(keys: Int) throws -> (length: Int, bytes: Double, waits: Double) {
        let (place, length) = try makeSuite("disk", keys: keys)
        let calls = place + "/calls"
        let sets = max(2, Int(extent.rare * 10))
        let child = try start(
            .writeSlowly, in: place, ["\(sets)"], tracing: "fsync,fdatasync,syncfs,sync_file_range", to: calls
        )
        let bytes = try Stage.numbers(try child.finish())[0]
        // What another thread's call has interrupted has a second line, without a bracket behind its name.
        let waits = try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n")
            .count { $0.contains("sync(") || $0.contains("sync_file_range(") }
        return (length, bytes / Double(sets), Double(waits) / Double(sets))
    }

    /// A checkpoint of a usual file where versions are kept; a set does not know of them.
    func keptVersions() throws -> [Row] {
        let (kept, none) = try (checkpoints(versions: 50), checkpoints(versions: 0))
        return [
            Row(
                what: "a checkpoint of 200 keys, 50 versions kept, median", figure: .time(kept.median),
                beside: "none kept", control: .time(none.median)),
            Row(
                what: "bytes to the disk for it", figure: .bytes(kept.bytes), beside: "none kept",
                control: .bytes(none.bytes)),
            Row(
                what: "the set before it, median", figure: .time(kept.set), beside: "none kept",
                control: .time(none.set)),
        ]
    }

    private func checkpoints(versions: Int) throws -> (median: Double, bytes: Double, set: Double) {
        let (place, _) = try makeSuite("kept", keys: 200)
        let count = max(10, Int(extent.seconds * 40))
        let numbers = try play(.checkpoint, in: place, ["\(count)", "\(versions)"])
        return (numbers[0], numbers[1], numbers[2])
    }
}

extension Part {
    /// Sets a key and makes a checkpoint so often as is said, with versions kept; prints the median time of a checkpoint,
    /// the bytes that one has written to the disk, and the median time of a set.
    func checkpointOften() throws {
        let suite = try suite
        if number(1) > 0 { try suite.keepHistory(.versions(number(1))) }
        let before = try ProcessCounts.own.bytesWritten()
        var (sets, checkpoints): ([Double], [Double]) = ([], [])
        for set in 1...number(0) {
            let begin = Clock.now()
            try suite.set(DefaultsValue.number(DefaultsNumber(set)), forKey: "kept")
            let middle = Clock.now()
            try suite.checkpoint()
            sets.append(Double(middle - begin))
            checkpoints.append(Double(Clock.now() - middle))
        }
        let bytes = try Double(ProcessCounts.own.bytesWritten() - before) / Double(number(0))
        print(Sample(checkpoints).percentile(50), bytes, Sample(sets).percentile(50))
    }

    /// Sets a key again and again until the driver ends this process.
    func writeTightly() throws {
        let suite = try suite
        let key = Defaults.Key<Int>("tight", default: 0, suite: suite)
        for number in 1... { try suite.set(key, to: number) }
    }

    /// Sets ten times a second, so often as is said, and prints the bytes that this has written to the disk.
    ///
    /// It ends as a process that is killed does: without the checkpoint that ends a program.
    func writeSlowly() throws {
        let suite = try suite
        let key = Defaults.Key<Int>("slow", default: 0, suite: suite)
        try suite.set(key, to: 0)
        try suite.checkpoint()
        let before = try ProcessCounts.own.bytesWritten()
        var due = Clock.now()
        for set in 1...number(0) {
            try suite.set(key, to: set)
            due += 100_000_000
            Clock.pause(microseconds: max(0, due - Clock.now()) / 1000)
        }
        print(try ProcessCounts.own.bytesWritten() - before)
        fflush(nil)
        _exit(0)
    }
}
