/// A transaction that is open: what it rests on, and the changes it has staged.
// Unchecked is sound because only the visitor that passed the gate touches what varies, and the gate orders one
// visitor's accesses before the next one's; other threads look at `visitor` alone, which never changes. Nor is it checked at
// each access of the changes whether another is under way, because none runs code that might begin one.
package final class OpenTransaction: @unchecked Sendable {
    let visitor: Visitor
    /// The store that is visited.
    package let store: SuiteStore
    var footing: WriteContext
    /// How many nested uses are inside.
    var depth = 1
    /// The first change that could not be staged where nothing could be thrown; the transaction fails with it.
    package var refusal: DefaultsError?

    /// The staged changes.
    @exclusivity(unchecked) package var changes = StagedChanges()

    init(_ store: SuiteStore, visitor: Visitor, _ footing: consuming WriteContext) {
        self.visitor = visitor
        self.store = store
        self.footing = footing
    }

    /// The state the visit rests on.
    package var base: SuiteSnapshot { footing.base }

    /// The stored value as this transaction sees it: its own change, else the state it rests on.
    package func stored(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
        if let staged = changes.value(forKey: key) { return staged }
        footing.noteReading(key)
        return try base.stored(key)
    }

    /// Notes that the result may rest on any stored value.
    func noteReadingAll() { footing.noteReadingAll() }
}
