/// The text that a checkpoint is about to write, made before the lock is taken: what is written until then is added
/// under the lock.
///
/// Making a text of many changes, or of a large file, takes longer than everything else that others have to wait for.
struct PreparedText: Sendable {
    private let values: StoredValues
    private let document: SettingsDocument

    init(of values: StoredValues) {
        self.values = values
        document = values.written
    }

    /// Returns the text of later values.
    ///
    /// Nil if the text was made of values that these do not continue, or if the result would not be the one that is
    /// made of them in one go.
    func brought(upTo present: StoredValues) -> SettingsDocument? {
        guard let changes = present.changes(since: values),
            !changes.contains(where: { isBack($0) || isGone($0) })
        else { return nil }
        return document.text(with: changes, mergingInto: values.document)
    }

    /// Whether a change sets a key again that was removed from the text: in a text made in one go, it has its old
    /// position.
    private func isBack(_ change: StoredChange) -> Bool {
        !change.isRemoval && document.position(of: change.key) == nil
            && values.document.position(of: change.key) != nil
    }

    /// Whether a change removes a key that only the text has: making room for its line may have changed what was
    /// beside it.
    private func isGone(_ change: StoredChange) -> Bool {
        change.isRemoval && document.position(of: change.key) != nil
            && values.document.position(of: change.key) == nil
    }
}
