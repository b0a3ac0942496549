import Synchronization

/// Failpoints: steps of the protocol that no single call reveals, so that a test can leave one out and see something
/// break.
///
/// Only a debug build can leave any out: in a release build this does nothing.
package enum Failpoint: UInt32, Sendable, CaseIterable {
    /// A notification from the kernel makes every cached state outdated.
    case noticesRaiseEpoch = 1
    /// What follows the last good record is cut before something is appended.
    case cutTornTail = 2
    /// A write that would change nothing checks the settings file first.
    case compareBeforeDoingNothing = 4
    /// The generation continues from the journal's if power loss has set the lock file's back.
    case raiseBeyondJournal = 8
    /// The generation rises before the records are appended, not after.
    case raiseBeforeRecords = 32
    /// The settings file is brought up to date, and the journal begun anew, a while after a write, without a request: also
    /// for a process that has died, and also where that was scheduled before this was left out.
    case scheduledCheckpoints = 64
    /// A checkpoint waits for the disk without the lock, if possible.
    case checkpointsConcurrently = 128
    /// The journal restarts when the settings file has all of it, and does not stay as it is, as it does amid writes.
    case restartsJournal = 256
    /// A writer wakes those who listen when it has given the lock back.
    case wakesListeners = 512

    #if DEBUG
        private static let left = Atomic<UInt32>(0)

        /// Leaves some steps out, in the whole process.
        package static func leaveOut(_ steps: [Failpoint]) {
            left.store(steps.reduce(0) { $0 | $1.rawValue }, ordering: .relaxed)
        }

        /// Whether the step is to be taken.
        package var isOn: Bool { Failpoint.left.load(ordering: .relaxed) & rawValue == 0 }
    #else
        @inline(__always) package var isOn: Bool { true }
    #endif
}
