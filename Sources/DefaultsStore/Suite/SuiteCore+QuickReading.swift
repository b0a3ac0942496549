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
    /// - Cost: a few atomic operations and the look-up; as many system calls as ``SuiteStore/stateAtOnce()`` takes where another process has committed.
    package func withQuickText(
        _ key: KeyName, _ body: (_ text: StoredValue?, _ moment: UInt64, _ cell: FreshnessCell.Place) -> Void
    ) {
        opened.withLast { store in
            guard !store.isInherited, store.joined() == nil, managed.isWatched.load(ordering: .acquiring),
                let (snapshot, moment) = store.stateAtOnce(), !snapshot.isDamaged
            else { return }
            // Asked after the state, so that a change between the two is newer than the state's epoch.
            let stored = snapshot.values.value(forKey: key)
            let text = domains.areBare ? stored : domains.load().first(key, stored: stored)
            body(text, moment, store.freshness.cell)
        }
    }
}
