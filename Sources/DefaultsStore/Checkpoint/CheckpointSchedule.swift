/// When the settings file is brought up to date: so soon that a user does not notice the delay, and so rarely that it
/// costs next to nothing.
struct CheckpointSchedule: Sendable {
    /// The default delay of a checkpoint, in milliseconds.
    static let usualDelay: UInt64 = 100
    /// In milliseconds; a longer delay would leave the file stale for its readers.
    static let longestDelay: UInt64 = 3_600_000
    /// How long a checkpoint waits after the first write, at least, if nothing hurries it; in milliseconds.
    var delay = CheckpointSchedule.usualDelay
    /// The default of ``patience``, in milliseconds.
    static let usualPatience: UInt64 = 60_000
    /// How long a record may wait so that a large file is not written too often, in milliseconds.
    var patience = CheckpointSchedule.usualPatience
    /// The average rate at which a program that goes on writing has the settings file written, in bytes per
    /// millisecond.
    private static let pace: UInt64 = 128
    /// A journal with fewer pending bytes is no reason to hurry.
    private static let smallJournal = 64 << 10
    /// Nor is a journal up to the file's size divided by this: a checkpoint then writes at least four bytes of the
    /// file for each byte of the journal.
    private static let smallPart = 4
    /// Checkpoints take at most one part in this many of the time.
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
    /// The end of this process's last unrequested checkpoint, in monotonic nanoseconds.
    var checkpointMade: UInt64 = 0
    /// The end of the last checkpoint after a write, overtaken ones included, in monotonic nanoseconds.
    private var lastEnd: UInt64 = 0
    var isPutOff = false

    mutating func record(_ outcome: Outcome, at now: UInt64) {
        (lastDuration, lastEnd) = (outcome.duration, now)
        if let place = outcome.overtakenAt {
            overtaken = place > overtakenAt ? 1 : overtaken + 1
            overtakenAt = place
            return
        }
        overtaken = 0
        refusals = outcome.isLeft ? refusals + 1 : 0
        checkpointMade = now
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

    /// Returns how long after a checkpoint the next one of the same file comes, in milliseconds, while a program goes on
    /// writing.
    ///
    /// Otherwise a large file would be written again for each few bytes of the journal. A file of up to 12
    /// KB, as most are, is not put off beyond the usual delay by this.
    private func interval(for state: StoreSnapshot) -> UInt64 {
        min(UInt64(state.values.document.bytes.count) / CheckpointSchedule.pace, patience)
    }

    /// How long another process's records may wait before their writer is taken for dead, in milliseconds:
    /// longer than a living writer lets them wait.
    func orphanDelay(for state: StoreSnapshot) -> UInt64 { max(1_000, delay) + interval(for: state) }

    /// Returns how long a checkpoint that is due may still wait, in milliseconds, because there was one a short time ago.
    ///
    /// One that another process has made counts too. Otherwise each of several writing processes would make its own, and
    /// all the others would read it.
    func postponement(for state: StoreSnapshot, at now: UInt64) -> UInt64? {
        guard refusals == 0 else { return nil }
        var due = checkpointFound + (isLong(state.journal, state) ? pause : max(delay, pause)) * 1_000_000
        if !isLong(state.journal, state), checkpointMade > 0 || checkpointFound > 0 {
            due = max(due, max(checkpointMade, checkpointFound) + interval(for: state) * 1_000_000)
        }
        return due > now ? (due - now) / 1_000_000 + 1 : nil
    }
}
