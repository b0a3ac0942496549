/// The text that a checkpoint is about to write, made before it has the lock: what comes until then is added under
/// it.
///
/// To make a text of many changes, or of a large file, takes longer than all else that others have to wait for.
struct PreparedText: Sendable {
    private let values: StoredValues
    private let document: SettingsDocument

    init(of values: StoredValues) {
        self.values = values
        document = values.written
    }

    /// The text of later values; nil where it was made of others than those that these come from by changes alone, or
    /// would not be the one that is made of them at once.
    func brought(upTo present: StoredValues) -> SettingsDocument? {
        guard let changes = present.changes(since: values),
            !changes.contains(where: { isBack($0) || isGone($0) })
        else { return nil }
        return document.applying(ofEachKeyOne: changes).whole
    }

    /// Whether a change sets a key again that was taken out of the text: it has its old place in one that is made at
    /// once.
    private func isBack(_ change: KeyChange) -> Bool {
        !change.isRemoval && document.position(of: change.key) == nil
            && values.document.position(of: change.key) != nil
    }

    /// Whether a change takes a key out again that only the text has: to make room for its line may have changed what
    /// stood beside it.
    private func isGone(_ change: KeyChange) -> Bool {
        change.isRemoval && document.position(of: change.key) != nil
            && values.document.position(of: change.key) == nil
    }
}
