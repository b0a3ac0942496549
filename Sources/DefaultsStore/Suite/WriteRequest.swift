import Synchronization

/// One commit that a thread waits for, and its outcome.
// Unchecked is sound because `changes` never changes, what is planned is only touched by the thread that has passed
// the store's gate, and `outcome` is set by that thread and read by the owner only after passing the gate in turn, or
// after finding `isDone`, which is set last: either puts the two in order.
final class WriteRequest: @unchecked Sendable {
    let changes: StagedChanges
    /// What differs from the previous state, and is about to be committed.
    @exclusivity(unchecked) var planned: [KeyChange] = []
    /// The values as of that commit; nil if nothing is about to be committed.
    @exclusivity(unchecked) var values: StoredValues?
    /// The observers that have to be notified, or why nothing was stored; nil until it is decided.
    @exclusivity(unchecked) var outcome: Result<[Subscription], DefaultsError>?

    /// Whether the outcome is final.
    var isDone: Bool { done.load(ordering: .acquiring) }
    private let done = Atomic<Bool>(false)

    init(_ changes: consuming StagedChanges) { self.changes = changes }

    /// Creates a commit of nothing, over some values.
    convenience init(emptyOver values: StoredValues) {
        self.init(StagedChanges())
        self.values = values
    }

    /// Tells the owner that the outcome is final.
    func finish() { done.store(true, ordering: .releasing) }
}
