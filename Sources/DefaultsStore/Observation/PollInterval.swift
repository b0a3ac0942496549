/// How often the ends of objects are looked for.
///
/// An object ends only while the program runs. So the polls are close together while it does, and twice as far apart
/// each time that it has slept. An end is found after about as long as the program had slept before it.
struct PollInterval: Hashable, Sendable {
    /// How long it is from one poll to the next while the program runs, in milliseconds.
    static let shortest: UInt64 = 500
    /// The same in a program that has slept for long.
    static let longest: UInt64 = 60_000
    /// A program that uses less than one part in this many of a processor sleeps.
    private static let share: UInt64 = 500

    /// Until the next poll, in milliseconds.
    private(set) var wait = PollInterval.shortest
    /// What the program had used of the processor after the last poll, in nanoseconds.
    private var used: UInt64 = 0

    /// The interval of a program that has slept for long.
    static let slowest: PollInterval = {
        var interval = PollInterval()
        interval.wait = longest
        return interval
    }()

    /// Whether the next poll is so far away that an end should not wait for it.
    var isSlow: Bool { wait > PollInterval.shortest }

    /// Records a poll.
    ///
    /// - Parameters:
    ///   - before: what the program had used of the processor when it began, in nanoseconds.
    ///   - after: the same when it ended; what the poll itself takes keeps nobody awake.
    mutating func recordPoll(from before: UInt64, to after: UInt64) {
        let isAsleep = before &- used < wait * 1_000_000 / PollInterval.share
        wait = isAsleep ? min(wait * 2, PollInterval.longest) : PollInterval.shortest
        used = after
    }
}
