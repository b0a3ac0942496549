import DefaultsStore
import Synchronization

/// Reads that `withObservationTracking` is notified of.
extension Defaults.Key {
    /// Has the caller's tracking, if there is one, notified of the key's next change in its own suite.
    ///
    /// A tracking keeps the key alive until it has fired or ended.
    func noteTrackedRead() {
        let tracker = (tracker.load() ?? tracker.storeIfNil(KeyTracker())).ofThisProcess
        // As an observer without values, because the tracking has read the value itself.
        tracker.noteRead { suite.observe([self], options: []) { tracker.tellReaders() } }
    }
}
