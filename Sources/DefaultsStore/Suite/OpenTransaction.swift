/// One visit to a store: the state it rests on and the changes it has staged.
// Unchecked is sound because only the visitor that passed the gate touches what varies, and the gate orders one
// visitor's accesses before the next one's; other threads look at `visitor` alone, which never changes. Nor is it checked at
// each access of the state and the changes whether another is under way, because none runs code that might begin one.
package final class OpenTransaction: @unchecked Sendable {
    let visitor: Visitor
    /// The store that is visited.
    package let store: SuiteStore
    /// The state the visit rests on; replaced when a foreign save came between.
    @exclusivity(unchecked) package var base: SuiteSnapshot
    /// The proof of the writer's lock; nil in memory.
    var lock: HeldWriterLock?
    /// Whether the changes may rest on values that were read.
    let isRead: Bool
    /// The state that everything was read from.
    private let origin: SuiteSnapshot
    private var reads = ReadNotes()
    /// How many nested uses are inside.
    var depth = 1
    /// The first change that could not be staged where nothing could be thrown; the transaction fails with it.
    package var refusal: DefaultsError?

    /// The staged changes.
    @exclusivity(unchecked) package var changes = StagedChanges()

    init(
        _ store: SuiteStore, visitor: Visitor, base: SuiteSnapshot, lock: consuming HeldWriterLock?,
        isRead: Bool
    ) {
        self.visitor = visitor
        self.store = store
        self.base = base
        origin = base
        self.lock = lock
        self.isRead = isRead
    }

    /// The stored value as this transaction sees it: its own change, else the state it rests on.
    package func stored(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
        if let staged = changes.value(forKey: key) { return staged }
        reads.note(key)
        return try base.stored(key)
    }

    /// Notes that the result may rest on any stored value.
    func noteReadingAll() { reads.noteAll() }

    /// Whether something that was read is another now, in the state the visit has come to rest on.
    var hasReadOtherwise: Bool { base !== origin && reads.differ(between: origin.values, and: base.values) }
}
