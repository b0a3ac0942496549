import Synchronization

/// Failpoints: the steps of the protocol that no single call shows, so that a test can leave one out and see something break.
///
/// Only a debug build can leave any out: in a release build this is nothing.
package enum Safeguard: UInt32, Sendable, CaseIterable {
    /// A notice from the kernel makes every cached state old.
    case noticesRaiseEpoch = 1
    /// What stands behind the last good record is cut before something is appended.
    case cutTornTail = 2
    /// A write that would change nothing looks at the settings file first.
    case compareBeforeDoingNothing = 4
    /// The generation goes on from the journal's where power loss moved the lock file's back.
    case raiseBeyondJournal = 8
    /// A group of records raises the generation by as many.
    case raiseByGroup = 16
    /// The generation rises before the records are appended, and not after.
    case raiseBeforeRecords = 32
    /// The settings file follows without being asked to.
    case scheduledCheckpoints = 64
    /// A checkpoint waits for the disk without the lock, where it can.
    case checkpointsAside = 128
    /// A text is read by references counted ahead, and not by a note of who reads it; left out before any is read.
    case countsTexts = 256
    /// The journal begins anew when the settings file has all of it, and does not stay as it is, as amid writes.
    case restartsJournal = 512

    #if DEBUG
        private static let left = Atomic<UInt32>(0)

        /// Leaves some steps out, in the whole process.
        package static func leaveOut(_ steps: [Safeguard]) {
            left.store(steps.reduce(0) { $0 | $1.rawValue }, ordering: .relaxed)
        }

        /// Whether the step is to be taken.
        package var isOn: Bool { Safeguard.left.load(ordering: .relaxed) & rawValue == 0 }
    #else
        @inline(__always) package var isOn: Bool { true }
    #endif
}
