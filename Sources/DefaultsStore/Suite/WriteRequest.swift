import Synchronization

/// One commit that somebody waits for, and what became of it.
// Unchecked is sound because `changes` never changes, what is planned is touched by the one who has passed the store's
// gate alone, and `outcome` is set by that one and read by the owner only after passing the gate in turn, or after finding
// `isDone`, which is set last: either orders the two.
final class WriteRequest: @unchecked Sendable {
    let changes: StagedChanges
    /// What differs from the state before, and is about to be committed.
    @exclusivity(unchecked) var planned: [KeyChange] = []
    /// The values from that commit on; nil where nothing is about to be committed.
    @exclusivity(unchecked) var values: StoredValues?
    /// The observers that have something to hear, or why nothing was stored; nil until it is decided.
    @exclusivity(unchecked) var outcome: Result<[Subscription], DefaultsError>?

    /// Whether the outcome is there and stays.
    var isDone: Bool { done.load(ordering: .acquiring) }
    private let done = Atomic<Bool>(false)

    init(_ changes: consuming StagedChanges) { self.changes = changes }

    /// A commit of nothing, over some values.
    convenience init(emptyOver values: StoredValues) {
        self.init(StagedChanges())
        self.values = values
    }

    /// Tells the owner that the outcome is there.
    func finish() { done.store(true, ordering: .releasing) }
}
