/// The text that a checkpoint is about to write, made before it has the lock: what comes until then is added under it.
///
/// To make a text of many changes, or of a large file, takes longer than all else that others have to wait for.
struct PreparedText: Sendable {
    private let values: StoredValues
    private let document: SettingsDocument

    init(of values: StoredValues) {
        self.values = values
        document = values.written
    }

    /// The text of later values; nil where it was made of others than those that these come from by changes alone.
    func brought(upTo present: StoredValues) -> SettingsDocument? {
        present.changes(since: values).map { document.applying(ofEachKeyOne: $0).whole }
    }
}
