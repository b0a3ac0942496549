import Synchronization

/// Failpoints: work that is done unasked, which a test can have left undone, so that nothing happens between two steps but
/// what the test does.
///
/// Only a debug build can leave any out: in a release build this does nothing.
package enum Failpoint: UInt32, Sendable, CaseIterable {
    /// The settings file is brought up to date, and the journal restarted, a while after a write, without a request: also
    /// for a process that has died, and also where that was scheduled before this was left out.
    case scheduledCheckpoints = 1
    /// A checkpoint waits for the disk without the lock, if possible.
    case checkpointsConcurrently = 2
    /// The journal restarts when the settings file has all of it, and does not stay as it is, as it does amid writes.
    case restartsJournal = 4
    /// A writer wakes those who listen when it has given the lock back.
    case wakesListeners = 8

    #if DEBUG
        private static let left = Atomic<UInt32>(0)

        /// In the whole process.
        package static func leaveOut(_ steps: [Failpoint]) {
            left.store(steps.reduce(0) { $0 | $1.rawValue }, ordering: .relaxed)
        }

        package var isOn: Bool { Failpoint.left.load(ordering: .relaxed) & rawValue == 0 }
    #else
        @inline(__always) package var isOn: Bool { true }
    #endif
}
