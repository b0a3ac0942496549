import DefaultsStore
import Synchronization

/// Reads that `withObservationTracking` is notified of.
extension Defaults.Key {
    /// Has the caller's tracking, if there is one, notified of the key's next change in its own suite.
    ///
    /// A tracking keeps the key alive until it has fired or ended. If the suite cannot be opened, that is reported;
    /// the tracking then fires once a later one has begun to observe.
    func noteTrackedRead() {
        let tracker = (tracker.load() ?? tracker.storeIfNil(KeyTracker())).ofThisProcess
        tracker.noteRead {
            do throws(DefaultsError) { _ = try suite.core.store() } catch {
                suite.core.report(error)
                return nil
            }
            return suite.observe(self, options: []) { _ in tracker.tellReaders() }
        }
    }
}
