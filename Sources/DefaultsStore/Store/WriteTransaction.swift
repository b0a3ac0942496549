/// An open transaction: what it is based on, and the changes that it has staged.
// Unchecked is sound because only the owner that has the store's lock touches what varies, and the lock orders one
// owner's accesses before the next one's; other threads only read `owner`, which never changes. Accesses of the
// changes are not checked for exclusivity either, because none of them runs code that might begin another one.
package final class WriteTransaction: @unchecked Sendable {
    let owner: SessionOwner
    package let store: SettingsStore
    var session: WriteSession
    /// How many nested uses are inside.
    var depth = 1
    /// The first change that could not be staged in a place that cannot throw; the transaction fails with it.
    package var refusal: DefaultsError?

    /// The staged changes.
    @exclusivity(unchecked) package var changes = StagedChanges()

    init(_ store: SettingsStore, owner: SessionOwner, _ session: consuming WriteSession) {
        self.owner = owner
        self.store = store
        self.session = session
    }

    package var base: StoreSnapshot { session.base }

    /// Returns the stored value as this transaction sees it: its own change, or the state that it is based on.
    package func stored(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
        if let staged = changes.value(forKey: key) { return staged }
        session.recordRead(key)
        return try base.stored(key)
    }

    /// Returns the same without recording the read: a save by hand meanwhile is no conflict then.
    func present(_ key: KeyName) -> StoredValue? {
        changes.value(forKey: key) ?? base.values.value(forKey: key)
    }

    func recordReadOfAll() { session.recordReadOfAll() }
}
