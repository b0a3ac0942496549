/// An open transaction: what it is based on, and the changes that it has staged.
// Unchecked is sound because only the visitor that passed the gate touches what varies, and the gate orders one
// visitor's accesses before the next one's; other threads only read `visitor`, which never changes. Accesses of the
// changes are not checked for exclusivity either, because none of them runs code that might begin another one.
package final class OpenTransaction: @unchecked Sendable {
    let visitor: Visitor
    /// The store that is visited.
    package let store: SuiteStore
    var footing: WriteContext
    /// How many nested uses are inside.
    var depth = 1
    /// The first change that could not be staged in a place that cannot throw; the transaction fails with it.
    package var refusal: DefaultsError?

    /// The staged changes.
    @exclusivity(unchecked) package var changes = StagedChanges()

    init(_ store: SuiteStore, visitor: Visitor, _ footing: consuming WriteContext) {
        self.visitor = visitor
        self.store = store
        self.footing = footing
    }

    /// The state that the visit is based on.
    package var base: SuiteSnapshot { footing.base }

    /// Returns the stored value as this transaction sees it: its own change, or the state that it is based on.
    package func stored(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
        if let staged = changes.value(forKey: key) { return staged }
        footing.noteReading(key)
        return try base.stored(key)
    }

    /// Notes that the result may depend on any stored value.
    func noteReadingAll() { footing.noteReadingAll() }
}
