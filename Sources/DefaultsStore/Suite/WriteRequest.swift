import Synchronization

/// One commit that somebody waits for, and what became of it.
// Unchecked is sound because `changes` never changes, and `outcome` is set by the one who has passed the store's gate
// and read by the owner only after passing it in turn, or after finding `isDone`, which is set last: either orders the two.
final class WriteRequest: @unchecked Sendable {
    let changes: StagedChanges
    /// The observers that have something to hear, or why nothing was stored; nil until it is decided.
    @exclusivity(unchecked) var outcome: Result<[Subscription], DefaultsError>?

    /// Whether the outcome is there and stays.
    var isDone: Bool { done.load(ordering: .acquiring) }
    private let done = Atomic<Bool>(false)

    init(_ changes: StagedChanges) { self.changes = changes }

    /// Tells the owner that the outcome is there.
    func finish() { done.store(true, ordering: .releasing) }
}

/// One commit that is about to be made.
struct PlannedCommit {
    /// Nil for the empty commit that settles what a dead writer began.
    let request: WriteRequest?
    /// What differs from the state before.
    let changes: [(key: KeyName, value: StoredValue?)]
    /// The values from this commit on.
    let values: StoredValues
}
