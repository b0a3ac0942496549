/// When the settings file is brought up to date: so soon that a user does not notice the delay, and so rarely that it
/// costs next to nothing.
struct CheckpointSchedule: Sendable {
    /// The default delay of a checkpoint, in milliseconds.
    static let usualDelay: UInt64 = 100
    /// In milliseconds; a longer delay would leave the file stale for its readers.
    static let longestDelay: UInt64 = 3_600_000
    /// How long a checkpoint waits after the first write, at least, if nothing hurries it; in milliseconds.
    var delay = CheckpointSchedule.usualDelay
    /// A journal with fewer pending bytes is no reason to hurry.
    private static let smallJournal = 64 << 10
    /// Nor is a journal up to the file's size divided by this: a checkpoint then writes at least four bytes of the
    /// file for each byte of the journal.
    private static let smallPart = 4
    /// Checkpoints take at most one part in this many of the time.
    ///
    /// So a program that writes constantly has a large file, or one on a slow disk, written less often.
    private static let share: UInt64 = 20

    /// A chosen delay in milliseconds, clamped to its bounds.
    static func milliseconds(_ chosen: Duration) -> UInt64 {
        let wanted = max(.zero, min(chosen, .milliseconds(Int64(longestDelay))))
        let (seconds, attoseconds) = wanted.components
        return UInt64(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    /// The outcome of a checkpoint.
    struct Outcome {
        /// Without the wait for the lock, in nanoseconds.
        let duration: UInt64
        /// Whether there is still something that the settings file does not have.
        let isLeft: Bool
        /// How far the journal was checkpointed when another settings file turned out to be in place, so that nothing was
        /// done; nil if something was.
        var overtakenAt: UInt64?
    }

    /// After so many overtaken checkpoints in a row, with none recorded in the journal, another program is saving the
    /// file, and the next checkpoint is made under the lock.
    private static let mostOvertaken = 3
    /// The most that an overtaken checkpoint adds to the measured duration, in nanoseconds.
    static let longestOvertaken: UInt64 = 50_000_000

    /// Whether a check is scheduled for another process that may have died before its checkpoint.
    var isOrphanCheckpointDue = false
    var isJournalRestartDue = false
    /// Of the last checkpoint after a write, in nanoseconds.
    private var lastDuration: UInt64 = 0
    /// Failed checkpoints in a row.
    var refusals = 0
    /// How many have been overtaken in a row, the journal being checkpointed as far as it was the last time.
    private var overtaken = 0
    private var overtakenAt: UInt64 = 0
    /// When this process found a checkpoint of another one, in monotonic nanoseconds: what it has written to the
    /// journal since then is younger.
    var checkpointFound: UInt64 = 0
    /// The end of the last checkpoint after a write, overtaken ones included, in monotonic nanoseconds.
    private var lastEnd: UInt64 = 0

    mutating func record(_ outcome: Outcome, at now: UInt64) {
        (lastDuration, lastEnd) = (outcome.duration, now)
        if let place = outcome.overtakenAt {
            overtaken = place > overtakenAt ? 1 : overtaken + 1
            overtakenAt = place
            return
        }
        overtaken = 0
        refusals = outcome.isLeft ? refusals + 1 : 0
    }

    /// Whether a checkpoint that is overtaken is left to the other one.
    var yields: Bool { overtaken < CheckpointSchedule.mostOvertaken }

    /// Returns how long to wait before the next checkpoint, in milliseconds.
    ///
    /// The pause that keeps checkpoints to their share of the time begins with the end of the last one, so a lone write
    /// does not wait for it.
    func wait(for state: StoreSnapshot, at now: UInt64) -> UInt64 {
        if refusals > 0 { return min(CheckpointSchedule.usualDelay << UInt64(min(refusals, 8)), 10_000) }
        let pauseEnd = lastEnd + pause * 1_000_000
        let rest = pauseEnd > now ? (pauseEnd - now + 999_999) / 1_000_000 : 0
        return isLong(state.journal, state) ? rest : max(delay, rest)
    }

    /// The pause after a checkpoint, in milliseconds.
    private var pause: UInt64 { lastDuration * CheckpointSchedule.share / 1_000_000 }

    /// The number of pending bytes at which a checkpoint is due at once: every opening of the suite reads
    /// them.
    func longest(for state: StoreSnapshot) -> Int {
        max(
            CheckpointSchedule.smallJournal,
            state.values.document.bytes.count / CheckpointSchedule.smallPart)
    }

    private func isLong(_ journal: JournalState?, _ state: StoreSnapshot) -> Bool {
        (journal?.pendingLength ?? 0) > longest(for: state)
    }

    /// How long another process's records may wait before their writer is taken for dead, in milliseconds:
    /// longer than a living writer usually lets them wait.
    var orphanDelay: UInt64 { max(1_000, delay) }

    /// Returns how long a checkpoint that is due may still wait, in milliseconds, because another process made one a
    /// short time ago.
    ///
    /// Otherwise each of several writing processes would make its own, and all the others would read it.
    func postponement(for state: StoreSnapshot, at now: UInt64) -> UInt64? {
        guard refusals == 0 else { return nil }
        let due = checkpointFound + (isLong(state.journal, state) ? pause : max(delay, pause)) * 1_000_000
        return due > now ? (due - now) / 1_000_000 + 1 : nil
    }
}
