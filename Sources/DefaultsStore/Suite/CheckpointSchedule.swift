/// When the settings file is brought up to date: so soon that a person does not notice, and so seldom that it costs
/// next to nothing.
struct CheckpointSchedule: Sendable {
    /// How long a record may wait, in milliseconds.
    static let delay: UInt64 = 100
    /// A journal of this length is not worth hurrying for, in bytes.
    private static let smallJournal = 64 << 10
    /// Checkpoints take at most one part in so many of the time.
    private static let share: UInt64 = 20

    /// What came of a checkpoint.
    struct Outcome {
        /// How long it took without its wait for the lock, in nanoseconds.
        let duration: UInt64
        /// Whether there is still something that the settings file does not have.
        let isLeft: Bool
    }

    /// Whether somebody looks soon whether another process has died before its checkpoint.
    var isRescueDue = false
    /// Whether somebody looks soon whether the journal can begin anew.
    var isTidyingDue = false
    /// How long the last one took, in nanoseconds.
    var lastDuration: UInt64 = 0
    /// How many of those that follow a write were refused in a row.
    var refusals = 0
    /// When this process found that another one has made a checkpoint, in monotonic nanoseconds: what it has written into
    /// the journal of since then is younger.
    var checkpointFound: UInt64 = 0

    /// Notes what came of the checkpoint that followed a write.
    mutating func note(_ outcome: Outcome) {
        lastDuration = outcome.duration
        refusals = outcome.isLeft ? refusals + 1 : 0
    }

    /// How long to wait for the next one, in milliseconds.
    func wait(for state: SuiteSnapshot) -> UInt64 {
        if refusals > 0 { return min(CheckpointSchedule.delay << UInt64(min(refusals, 8)), 10_000) }
        let pause = lastDuration * CheckpointSchedule.share / 1_000_000
        // A journal longer than what it would be written into is read by everybody who opens the suite.
        let isLong =
            (state.journal?.end ?? 0)
            > max(
                CheckpointSchedule.smallJournal, state.values.document.bytes.count)
        return isLong ? pause : max(CheckpointSchedule.delay, pause)
    }

    /// How long a checkpoint that is due may still wait, in milliseconds, since another process has made one meanwhile:
    /// or of several that write, each would make its own, and all others read it.
    func postponement(for state: SuiteSnapshot, at now: UInt64) -> UInt64? {
        guard refusals == 0 else { return nil }
        let due = checkpointFound + wait(for: state) * 1_000_000
        return due > now ? (due - now) / 1_000_000 + 1 : nil
    }
}
