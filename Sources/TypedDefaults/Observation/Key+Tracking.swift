import DefaultsStore
import Synchronization

/// Reads that `withObservationTracking` is notified of.
extension Defaults.Key {
    /// Registers the caller's tracking, if there is one, for the key's next change in its own suite.
    ///
    /// A tracking retains the key until it has fired or ended.
    package func recordTrackedRead() {
        let tracker = presentTracker
        // An observer without values, because the tracking has read the value itself.
        tracker.recordRead { suite.observe([self], options: []) { tracker.notifyReaders() } }
    }

    /// The tracker for the suite that the key is read in: its own, or its substitute.
    private var presentTracker: KeyTracker {
        let context = suite.context
        guard context === ownSuite.ownContext else { return KeyTracker.ofKey(keyName, in: context) }
        return tracker.load() ?? tracker.storeIfNil(KeyTracker())
    }
}
