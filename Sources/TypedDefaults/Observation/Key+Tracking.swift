import DefaultsStore
import Synchronization

/// Reads that `withObservationTracking` hears of.
extension Defaults.Key {
    /// Has the caller's tracking, if it is in one, hear of the key's next change in its own suite.
    ///
    /// A tracking keeps the key until it has fired or ended.
    func noteTrackedRead() {
        let tracker = tracker.load() ?? tracker.storeIfNil(KeyTracker())
        tracker.noteRead { suite.observe(self, options: []) { _ in tracker.tellReaders() } }
    }
}
