/// The stored values of a suite: the settings file's text, and over it what the journal's records have changed.
///
/// A change costs the depth of a tree, whatever the size of the file.
package struct StoredValues: Sendable {
    /// What a record did to a key, and in which order the keys were first changed.
    ///
    /// A reference, since a map's nodes are copied far more often than made.
    private final class Pending: Sendable {
        let value: StoredValue?
        let turn: Int

        init(value: StoredValue?, turn: Int) {
            self.value = value
            self.turn = turn
        }
    }

    /// The settings file.
    package let document: SettingsDocument
    private var pending = PersistentMap<KeyName, Pending>()
    private var turn = 0
    /// At least as many bytes as the whole text has.
    private(set) var greatestSize: Int

    /// No value at all.
    package static let empty = StoredValues(.empty)

    /// The values of a file.
    init(_ document: SettingsDocument) {
        self.document = document
        greatestSize = document.bytes.count
    }

    /// Whether there are changes that the file does not have.
    var isPending: Bool { !pending.isEmpty }

    /// The text of a key's value.
    package func value(forKey key: KeyName) -> StoredValue? {
        if let change = pending.value(forKey: key) { return change.value }
        return document.value(forKey: key)
    }

    /// The keys that have a value: those of the file in its order, then those it does not have yet.
    package var keys: [KeyName] {
        let own = document.keys.filter { pending.value(forKey: $0).map { $0.value != nil } ?? true }
        return own
            + changes.compactMap { $0.value != nil && document.value(forKey: $0.key) == nil ? $0.key : nil }
    }

    /// What the records have changed, each key once, in the order of their first change.
    var changes: [(key: KeyName, value: StoredValue?)] {
        pending.elements.sorted { $0.value.turn < $1.value.turn }.map { ($0.key, $0.value.value) }
    }

    /// Sets or removes some keys.
    mutating func apply(_ changes: [(key: KeyName, value: StoredValue?)]) {
        for (key, value) in changes {
            turn += 1
            pending.set(Pending(value: value, turn: pending.value(forKey: key)?.turn ?? turn), forKey: key)
            // The quotes, colon, comma, blanks and line end around them, and a key of nothing but escapes.
            greatestSize += key.string.utf8.count * 6 + (value?.bytes.count ?? 0) + 32
        }
    }

    /// The same changes over another text.
    func over(_ document: SettingsDocument) -> StoredValues {
        var values = StoredValues(document)
        values.apply(changes)
        return values
    }

    /// The text with all changes in it.
    var written: SettingsDocument { document.applying(changes).whole }

    /// The line and column of a key's value; nil for one that is not in the file yet.
    package func place(ofKey key: KeyName) -> (line: Int, column: Int)? {
        pending.value(forKey: key) == nil ? document.place(ofKey: key) : nil
    }
}
