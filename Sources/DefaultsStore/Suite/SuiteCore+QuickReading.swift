import Synchronization

/// The short way of a read, for where nothing is out of the ordinary.
extension SuiteCore {
    /// The text of a key that counts, and since when.
    package struct QuickText {
        /// Nil where nothing is stored or registered.
        package let text: StoredValue?
        /// The moment of the state, by its cell.
        package let moment: UInt64
        package let cell: FreshnessCell.Place
    }

    /// The text of a key in the present state.
    ///
    /// - Cost: a few atomic operations and the look-up; two system calls where another process has committed.
    /// - Returns: nil where there is more to be done: a file to be read, a transaction of the caller's to look into,
    ///   damage to report. ``view()`` does all of it.
    package func quickText(_ key: KeyName) -> QuickText? {
        guard let store = openStore, store.joined() == nil, managed.isWatched.load(ordering: .acquiring)
        else { return nil }
        guard let (snapshot, moment) = store.stateAtOnce(), !snapshot.isDamaged else { return nil }
        // Read after the state, so that a change between the two is newer than the state's epoch.
        let list = domains.load()
        let text = list.first(key, stored: snapshot.values.value(forKey: key))
        return QuickText(text: text, moment: moment, cell: store.freshness.cell)
    }
}
