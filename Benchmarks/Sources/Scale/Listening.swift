import Foundation
import Measuring
import TypedDefaults

/// Processes that listen to a key that another process sets.
extension Stage {
    /// What listeners cost a writer that sets 100 times a second, and how long it takes until they hear it.
    func listeners() throws -> [Row] {
        let alone = try listened(by: 0)
        let measured = try extent.listeners.map { try listened(by: $0) }
        var rows = zip(extent.listeners, measured).flatMap { count, listened in
            [50.0, 99].map { percent in
                Row(
                    what: "a set at 100/s, listeners: \(count), \(decimal(percent, 0)) %",
                    figure: .time(listened.sets.percentile(percent)), beside: "none listens",
                    control: .time(alone.sets.percentile(percent)))
            }
        }
        guard let few = measured.first, let many = measured.last, let most = extent.listeners.last,
            let fewDelays = few.delays, let manyDelays = many.delays
        else { return rows }
        rows.append(
            Row(
                what: "until the last of \(most) listeners hears it, median",
                figure: .time(manyDelays.median),
                beside: "the only one", control: .time(fewDelays.median)))
        rows.append(
            Row(
                what: "processor time of each of \(most) listeners for a set",
                figure: .time(many.processorTime),
                beside: "the only one", control: .time(few.processorTime)))
        return rows
    }

    /// What was measured with so many listeners.
    private struct Listened {
        let sets: Sample
        /// From a set's begin to the last listener's call; nil where nobody listens.
        let delays: Sample?
        /// Of each listener for each set, in nanoseconds.
        let processorTime: Double
    }

    private func listened(by listeners: Int, writers: Int = 1) throws -> Listened {
        let place = try makeFolder("listened")
        let page = place + "/page"
        let log = try SetLog(path: page, sets: extent.sets, writers: writers)
        let words = [page, "\(extent.sets)", "\(writers)"]
        let listening = try (0..<listeners).map { _ in try start(.listen, in: place, words) }
        defer { for child in listening { child.kill() } }
        let writing = try (0..<writers).map { try start(.write, in: place, words + ["\($0)"]) }
        try log.awaitReady(listeners + writers)
        let counts = listening.map { ProcessCounts(of: $0.processID) }
        let before = try counts.map { try $0.processorTime() }.reduce(0, +)
        log.begin()
        for child in writing { try child.finish() }
        if listeners > 0 { try log.awaitHearers(listeners) }
        let taken = try counts.map { try $0.processorTime() }.reduce(0, +) - before
        return Listened(
            sets: log.durations(), delays: listeners > 0 ? log.delays() : nil,
            processorTime: Double(taken) / Double(max(1, listeners) * extent.sets * writers))
    }
}

extension Part {
    /// Sets a key of its own a hundred times a second, and notes each set.
    func write() throws {
        let (sets, writer) = (number(1), number(3))
        let log = try SetLog(path: words[0], sets: sets, writers: number(2))
        let suite = try suite
        let key = numbered(writer, in: suite)
        _ = try suite.value(key)
        log.isReady()
        try log.awaitBegin()
        var due = Clock.now()
        for set in 0..<sets {
            let began = Clock.now()
            try suite.set(key, to: set + 1)
            log.note(set, of: writer, began: began, returned: Clock.now())
            due += 10_000_000
            Clock.pause(microseconds: max(0, due - Clock.now()) / 1000)
        }
    }

    /// Hears the sets of the first writer, and notes when.
    func listen() throws {
        let log = try SetLog(path: words[0], sets: number(1), writers: number(2))
        let observation = Defaults.observe(numbered(0, in: try suite), options: []) { change in
            log.heard(change.oldValue..<max(change.oldValue, change.newValue), at: Clock.now())
        }
        log.isReady()
        withExtendedLifetime(observation) { stay() }
    }

    private func numbered(_ writer: Int, in suite: DefaultsSuite) -> Defaults.Key<Int> {
        Defaults.Key<Int>("number\(writer)", default: 0, suite: suite)
    }
}
