/// What the journal's records have changed: each key once, in the order of their first change.
///
/// Few keys, which is what mostly waits for a checkpoint, stand in a list that each commit copies. More of them stand in
/// a map, whose copies share what they have in common.
struct PendingChanges: Sendable {
    private struct Entry {
        let change: KeyChange
        /// Which of the keys was changed first.
        let turn: Int
    }

    private enum Keys {
        case few([KeyChange])
        indirect case many(PersistentMap<KeyName, Entry>)
    }

    private var keys = Keys.few([])
    private static let few = 8

    var isEmpty: Bool {
        guard case .few(let changes) = keys else { return false }
        return changes.isEmpty
    }

    /// The last change of a key, if it has one.
    func change(ofKey key: KeyName) -> KeyChange? {
        switch keys {
        case .few(let changes):
            return changes.firstIndex { $0.key == key }.map { changes[$0] }
        case .many(let changes): return changes.value(forKey: key)?.change
        }
    }

    /// The changes, in the order in which their keys were first changed.
    var inOrder: [KeyChange] {
        switch keys {
        case .few(let changes): changes
        case .many(let changes): changes.elements.map(\.value).sorted { $0.turn < $1.turn }.map(\.change)
        }
    }

    /// Notes a change, in place of an earlier one of its key.
    mutating func note(_ change: KeyChange) {
        switch keys {
        case .few(var changes):
            if let place = changes.firstIndex(where: { $0.key == change.key }) {
                changes[place] = change
            } else {
                changes.append(change)
            }
            keys = changes.count > PendingChanges.few ? .many(PendingChanges.map(changes)) : .few(changes)
        case .many(var changes):
            let turn = changes.value(forKey: change.key)?.turn ?? changes.count
            changes.set(Entry(change: change, turn: turn), forKey: change.key)
            keys = .many(changes)
        }
    }

    private static func map(_ changes: [KeyChange]) -> PersistentMap<KeyName, Entry> {
        var map = PersistentMap<KeyName, Entry>()
        for (turn, change) in changes.enumerated() {
            map.set(Entry(change: change, turn: turn), forKey: change.key)
        }
        return map
    }
}
