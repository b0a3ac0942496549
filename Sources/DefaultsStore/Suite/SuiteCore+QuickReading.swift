import Synchronization

/// The short path of a read, if nothing is out of the ordinary.
extension SuiteCore {
    /// Runs a body with the text of a key in the current state.
    ///
    /// A body, because what it is given is too much to be returned without cost.
    ///
    /// - Parameter body: gets the JSON text (nil if nothing is stored or registered), the moment of the state, and
    ///   the cell that the moment belongs to. It has to be short and must not run user code. It is not run if there
    ///   is more to be done: a file to be read, a transaction of the caller's to look into, damage to report.
    ///   ``view()`` does all of that.
    /// - Cost: a few atomic operations and the look-up; if another process has committed, also the system calls of
    ///   ``SuiteStore/stateBehind()``.
    package func withQuickText(
        _ key: KeyName, _ body: (UnsafeBufferPointer<UInt8>?, UInt64, FreshnessCell.Place) -> Void
    ) {
        opened.withLast { store in
            guard !store.isInherited, store.joined() == nil, managed.isWatched.load(ordering: .acquiring)
            else {
                return
            }
            let isPresent = store.published.withPresent { snapshot in
                guard let moment = store.freshness.moment(of: snapshot) else { return false }
                give(key, of: snapshot, at: moment, store, body)
                return true
            }
            guard !isPresent, let (snapshot, moment) = store.stateBehind() else { return }
            give(key, of: snapshot, at: moment, store, body)
        }
    }

    @inline(__always)
    private func give(
        _ key: KeyName, of snapshot: SuiteSnapshot, at moment: UInt64, _ store: SuiteStore,
        _ body: (UnsafeBufferPointer<UInt8>?, UInt64, FreshnessCell.Place) -> Void
    ) {
        guard !snapshot.isDamaged else { return }
        // Asked after the state is read, so that a change between the two is newer than the state's epoch.
        if domains.areBare {
            snapshot.values.withText(ofKey: key) { body($0, moment, store.freshness.cell) }
        } else {
            let text = domains.load().first(key, stored: snapshot.values.value(forKey: key))
            text.withText { body($0, moment, store.freshness.cell) }
        }
    }
}
