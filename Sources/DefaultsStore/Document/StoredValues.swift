/// The stored values of a suite: the settings file's text, and over it what the journal's records have changed.
///
/// A change costs the same, whatever the size of the file and the number of pending changes.
package struct StoredValues: Sendable {
    package let document: SettingsDocument
    private var pending = PendingChanges()
    /// An upper bound of the size of the whole text, in bytes.
    private(set) var greatestSize: Int

    package static let empty = StoredValues(.empty)

    init(_ document: SettingsDocument) {
        self.document = document
        greatestSize = document.bytes.count
    }

    /// Whether there are changes that the file does not have.
    var isPending: Bool { !pending.isEmpty }

    package func value(forKey key: KeyName) -> StoredValue? {
        if let changed = pending.value(ofKey: key) { return changed }
        return document.value(forKey: key)
    }

    /// Counts no reference if the text waits for a checkpoint.
    @inline(__always)
    func withText(ofKey key: KeyName, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
        if !pending.withText(ofKey: key, body) { document.value(forKey: key).withText(body) }
    }

    /// The changes that differ from what is stored.
    func effective(_ changes: [StoredChange]) -> [StoredChange] {
        for place in changes.indices where !differs(from: changes[place]) { return changes.filter(differs) }
        return changes
    }

    /// The changes that no pending record says already; the file's value does not matter.
    func unrecorded(_ changes: [StoredChange]) -> [StoredChange] {
        changes.filter { change in
            pending.value(ofKey: change.key).map { !$0.isSame(as: change.value) } ?? true
        }
    }

    /// Whether every pending change is in the file already.
    var isAsInFile: Bool { changes.allSatisfy { document.value(forKey: $0.key).isSame(as: $0.value) } }

    private func differs(from change: StoredChange) -> Bool {
        if let known = pending.value(ofKey: change.key) { return !known.isSame(as: change.value) }
        return !document.value(forKey: change.key).isSame(as: change.value)
    }

    /// Those of the file in its order, then the pending ones.
    package var keys: [KeyName] {
        let own = document.keys.filter { pending.change(ofKey: $0).map { $0.value != nil } ?? true }
        return own
            + changes.compactMap { $0.value != nil && document.value(forKey: $0.key) == nil ? $0.key : nil }
    }

    /// Each key once, in the order of the first changes.
    var changes: [StoredChange] { pending.inOrder }

    mutating func apply(_ changes: [StoredChange]) {
        for place in changes.indices { apply(changes[place]) }
    }

    mutating func apply(_ change: StoredChange) {
        let change = change.patch == nil ? change : change.applied(to: value(forKey: change.key))
        greatestSize += StoredValues.greatestSize(of: change)
        record(change)
    }

    private mutating func record(_ change: StoredChange, keepsRemovals: Bool = true) {
        let change = change.patch == nil ? change : change.following(pending.change(ofKey: change.key))
        pending.record(change, keepsRemovals: keepsRemovals)
    }

    /// Sets or removes some keys, after which the whole text is known to have at most that many bytes.
    ///
    /// Otherwise the bound would rise with each replaced value and, where no checkpoint brings it back, in memory,
    /// the text would eventually be made for each change.
    ///
    /// - Parameter isInMemory: whether there is no file, and never will be.
    mutating func apply(_ changes: [StoredChange], size: Int, isInMemory: Bool = false) {
        for place in changes.indices { record(changes[place], keepsRemovals: !isInMemory) }
        greatestSize = size
    }

    /// An upper bound, in bytes.
    func greatestSize(with changes: [StoredChange]) -> Int {
        changes.reduce(greatestSize) { $0 + StoredValues.greatestSize(of: $1) }
    }

    private static func greatestSize(of change: StoredChange) -> Int {
        // The quotes, colon, comma, blanks and line end around them, and a key of nothing but escapes; the layout inside
        // of a value may be left out.
        change.key.string.utf8.count * 6 + (change.value?.bytes.count ?? 0) + 32
    }

    func replayed(on document: SettingsDocument) -> StoredValues {
        var values = StoredValues(document)
        values.apply(changes)
        return values
    }

    var written: SettingsDocument { document.text(with: changes) }

    /// Nil for a key that is not in the file yet.
    package func place(ofKey key: KeyName) -> (line: Int, column: Int)? {
        pending.change(ofKey: key) == nil ? document.place(ofKey: key) : nil
    }
}

extension SettingsDocument {
    /// Returns the whole text after changes of which no two have the same key.
    ///
    /// What a layout takes besides the values is in no bound of the size; where there is no room for it, it
    /// is left out.
    func text(with changes: [StoredChange]) -> SettingsDocument {
        let edited = applying(ofEachKeyOne: changes).whole
        guard edited.bytes.count > SettingsDocument.greatestLength else { return edited }
        return applying(ofEachKeyOne: changes, keepsLayout: false).whole
    }
}
