/// How far apart the ends of objects are looked for.
///
/// An object ends only while the program runs. So the looks are close together while it does, and twice as far apart
/// each time that it has slept. An end is found after about as long as the program had slept before it.
struct LookPace: Hashable, Sendable {
    /// How long it is from one look to the next while the program runs, in milliseconds.
    static let shortest: UInt64 = 500
    /// The same in a program that has slept for long.
    static let longest: UInt64 = 60_000
    /// A program that uses less than one part in this many of a processor sleeps.
    private static let share: UInt64 = 500

    /// How long it is to the next look, in milliseconds.
    private(set) var wait = LookPace.shortest
    /// What the program had used of the processor after the last look, in nanoseconds.
    private var used: UInt64 = 0

    /// The pace of a program that has slept for long.
    static let slowest: LookPace = {
        var pace = LookPace()
        pace.wait = longest
        return pace
    }()

    /// Whether the next look is so far away that an end should not wait for it.
    var isSlow: Bool { wait > LookPace.shortest }

    /// Notes a look.
    ///
    /// - Parameters:
    ///   - before: what the program had used of the processor when it began, in nanoseconds.
    ///   - after: the same when it ended; what the look itself takes keeps nobody awake.
    mutating func noteLook(from before: UInt64, to after: UInt64) {
        let isAsleep = before &- used < wait * 1_000_000 / LookPace.share
        wait = isAsleep ? min(wait * 2, LookPace.longest) : LookPace.shortest
        used = after
    }
}
