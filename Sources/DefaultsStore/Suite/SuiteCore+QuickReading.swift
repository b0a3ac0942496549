import Synchronization

/// The short way of a read, for where nothing is out of the ordinary.
extension SuiteCore {
    /// Runs a body with the text of a key in the present state.
    ///
    /// A body, because what it is given is too much to be returned without cost.
    ///
    /// - Parameter body: gets the text, nil where nothing is stored or registered, the moment of the state, and the cell
    ///   that the moment is of. It is not run where there is more to be done: a file to be read, a transaction of the
    ///   caller's to look into, damage to report. ``view()`` does all of it.
    /// - Cost: a few atomic operations and the look-up; two system calls where another process has committed.
    package func withQuickText(
        _ key: KeyName, _ body: (_ text: StoredValue?, _ moment: UInt64, _ cell: FreshnessCell.Place) -> Void
    ) {
        guard let store = openStore, store.joined() == nil, managed.isWatched.load(ordering: .acquiring)
        else { return }
        guard let (snapshot, moment) = store.stateAtOnce(), !snapshot.isDamaged else { return }
        // Read after the state, so that a change between the two is newer than the state's epoch.
        let list = domains.load()
        let text = list.first(key, stored: snapshot.values.value(forKey: key))
        body(text, moment, store.freshness.cell)
    }
}
