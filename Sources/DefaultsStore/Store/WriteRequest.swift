/// One commit of a thread, and its outcome.
final class WriteRequest {
    let changes: StagedChanges
    /// Those of the changes that are laid over what is stored; usually none.
    private let laid: [LaidChange]
    /// The changes as they are laid over what is stored; nil without any that are.
    ///
    /// Not in `changes`, because a variable is copied at each use, by plain writes too.
    @exclusivity(unchecked) private var result: StagedChanges?
    /// A stored text that one of them has to know before it can be laid over it.
    @exclusivity(unchecked) private(set) var unknown: StoredValue?
    /// What differs from the previous state, and is about to be committed.
    @exclusivity(unchecked) var planned: [StoredChange] = []
    /// The values as of that commit; nil if nothing is about to be committed.
    @exclusivity(unchecked) var values: StoredValues?
    /// The observers that have to be notified, or why nothing was stored; nil until it is decided.
    @exclusivity(unchecked) var outcome: Result<[ObserverSubscription], DefaultsError>?

    init(_ changes: consuming StagedChanges, laid: [LaidChange] = []) {
        (self.changes, self.laid) = (changes, laid)
    }

    /// The text that is stored for a key that was changed.
    func text(ofKey key: KeyName) -> StoredValue? { (result ?? changes).value(forKey: key) ?? nil }

    /// Whether what is written depends on what is stored.
    var isOfStored: Bool { !laid.isEmpty }

    /// Returns the changes laid over what is stored.
    ///
    /// - Throws: `.conflict` if something is stored that is not known yet, `.valueTooLarge`.
    func changes(over values: StoredValues) throws(DefaultsError) -> StagedChanges {
        var changes = changes
        for change in laid {
            let present = values.value(forKey: change.key)
            guard let text = change.text(over: present) else {
                unknown = present?.detached
                throw DefaultsError(.conflict, key: change.key.string)
            }
            changes.replace(try text.checkingSize(forKey: change.key.string, in: nil), forKey: change.key)
        }
        result = changes
        return changes
    }

    /// Creates a commit of nothing, over some values.
    convenience init(emptyOver values: StoredValues) {
        self.init(StagedChanges())
        self.values = values
    }
}
