/// When the settings file is brought up to date: so soon that a user does not notice the delay, and so rarely that it
/// costs next to nothing.
struct CheckpointSchedule: Sendable {
    /// How long a record may wait, in milliseconds, where nobody has chosen.
    static let usualDelay: UInt64 = 100
    /// How long it may wait at most: longer than that, people would look in the file in vain.
    static let longestDelay: UInt64 = 3_600_000
    /// How long a record may wait, in milliseconds.
    var delay = CheckpointSchedule.usualDelay
    /// A journal up to this length is no reason to hurry, in bytes.
    private static let smallJournal = 64 << 10
    /// Checkpoints take at most one part in this many of the time.
    private static let share: UInt64 = 20

    /// The outcome of a checkpoint.
    struct Outcome {
        /// How long it took without its wait for the lock, in nanoseconds.
        let duration: UInt64
        /// Whether there is still something that the settings file does not have.
        let isLeft: Bool
    }

    /// Whether a check is scheduled for another process that may have died before its checkpoint.
    var isOrphanCheckpointDue = false
    /// Whether a restart of the journal is scheduled.
    var isJournalRestartDue = false
    /// How long the last checkpoint took, in nanoseconds.
    var lastDuration: UInt64 = 0
    /// How many checkpoints after a write have failed in a row.
    var refusals = 0
    /// When this process found a checkpoint of another one, in monotonic nanoseconds: what it has written to the
    /// journal since then is younger.
    var checkpointFound: UInt64 = 0

    /// Notes the outcome of the checkpoint that followed a write.
    mutating func note(_ outcome: Outcome) {
        lastDuration = outcome.duration
        refusals = outcome.isLeft ? refusals + 1 : 0
    }

    /// Returns how long to wait before the next checkpoint, in milliseconds.
    func wait(for state: StoreSnapshot) -> UInt64 {
        if refusals > 0 { return min(CheckpointSchedule.usualDelay << UInt64(min(refusals, 8)), 10_000) }
        let pause = lastDuration * CheckpointSchedule.share / 1_000_000
        // A journal longer than the file that it would be written to makes every opening of the suite slow.
        let isLong =
            (state.journal?.end ?? 0)
            > max(
                CheckpointSchedule.smallJournal, state.values.document.bytes.count)
        return isLong ? pause : max(delay, pause)
    }

    /// How long records that another process has written may wait before they are taken for a dead writer's, in
    /// milliseconds.
    var orphanDelay: UInt64 { max(1_000, delay) }

    /// Returns how long a checkpoint that is due may still wait, in milliseconds, because another process has made
    /// one meanwhile.
    ///
    /// Otherwise each of several writing processes would make its own, and all the others would read it.
    func postponement(for state: StoreSnapshot, at now: UInt64) -> UInt64? {
        guard refusals == 0 else { return nil }
        let due = checkpointFound + wait(for: state) * 1_000_000
        return due > now ? (due - now) / 1_000_000 + 1 : nil
    }
}
