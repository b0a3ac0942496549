/// One commit of a thread, and its outcome.
final class WriteRequest {
    let changes: StagedChanges
    /// The value that a program has given for its one change, all members of which the program knows.
    let given: KnownValues.Given?
    /// What differs from the previous state, and is about to be committed.
    @exclusivity(unchecked) var planned: [StoredChange] = []
    /// The values as of that commit; nil if nothing is about to be committed.
    @exclusivity(unchecked) var values: StoredValues?
    /// The observers that have to be notified, or why nothing was stored; nil until it is decided.
    @exclusivity(unchecked) var outcome: Result<[ObserverSubscription], DefaultsError>?

    init(_ changes: consuming StagedChanges, given: KnownValues.Given? = nil) {
        (self.changes, self.given) = (changes, given)
    }

    convenience init(emptyOver values: StoredValues) {
        self.init(StagedChanges())
        self.values = values
    }
}
