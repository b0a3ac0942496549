/// What a transaction or a write wants to change: each key once, in the order in which it was first staged.
package struct StagedChanges: Sendable {
    /// Each key's last change.
    private(set) var entries: [StoredChange] = []
    /// The keys whose last change no observer of this process is notified of.
    ///
    /// Nil if there was never one, because each write creates and frees one of these structures.
    private(set) var unobserved: Set<KeyName>?
    /// The position of each key; kept if there are so many that searching takes longer.
    private var places: [KeyName: Int]?
    private static let few = 8
    /// What the changes since the first mark have replaced, in their order; nil if there is no mark.
    private var replaced: [Replaced]?

    /// Whether everything stored is to be removed, including what could not be read of a damaged file.
    var removesAll = false

    package init() {}

    init(_ value: StoredValue?, forKey key: KeyName) {
        self.init(StoredChange(value, forKey: key))
    }

    init(_ change: StoredChange) {
        entries = [change]
        if !Propagation.isHeard { unobserved = [change.key] }
    }

    var isEmpty: Bool { entries.isEmpty }

    package var order: [KeyName] { entries.map(\.key) }

    /// Nil for nothing, an inner nil for a removal.
    func value(forKey key: KeyName) -> StoredValue?? { place(of: key).map { entries[$0].value } }

    private func place(of key: KeyName) -> Int? {
        entries.count <= StagedChanges.few ? entries.firstIndex { $0.key == key } : places?[key]
    }

    mutating func set(_ change: StoredChange) {
        let key = change.key
        let place = place(of: key)
        replaced?.append(
            Replaced(
                key: key, place: place, entry: place.map { entries[$0] },
                wasUnobserved: unobserved?.contains(key) == true))
        record(key, isUnobserved: !Propagation.isHeard)
        if let place {
            entries[place] = change
            return
        }
        entries.append(change)
        guard entries.count > StagedChanges.few else { return }
        if places == nil {
            places = Dictionary(
                uniqueKeysWithValues: entries.enumerated().map { place, entry in (entry.key, place) })
        } else {
            places?[key] = entries.count - 1
        }
    }

    /// Returns the entries with the values that patches make of what is stored when they are committed.
    func merged(into values: StoredValues) throws(DefaultsError) -> [StoredChange] {
        var merged = entries
        for place in merged.indices where merged[place].patch != nil {
            let change = merged[place].merged(into: values.value(forKey: merged[place].key))
            _ = try change.value?.checkingSize(forKey: change.key.string, in: nil)
            merged[place] = change
        }
        return merged
    }

    /// Returns the same with what ``merged(into:)`` has made of the entries.
    func with(_ merged: [StoredChange]) -> StagedChanges {
        var changes = self
        changes.entries = merged
        return changes
    }

    private mutating func record(_ key: KeyName, isUnobserved: Bool) {
        guard isUnobserved else {
            unobserved?.remove(key)
            return
        }
        // In place, because a copy for each of many keys would take long.
        if unobserved == nil { unobserved = [key] } else { unobserved?.insert(key) }
    }
}

/// Going back, for a use inside another one that fails: what was staged before it stands.
extension StagedChanges {
    /// What a change has replaced.
    private struct Replaced {
        let key: KeyName
        /// Where the key's entry was, and what it was; nil if there was none.
        let place: Int?
        let entry: StoredChange?
        let wasUnobserved: Bool
    }

    /// A point to go back to.
    package struct Mark: Sendable {
        /// How many changes have replaced something until then; nil if nothing was staged at all.
        fileprivate let count: Int?
        fileprivate let removesAll: Bool
    }

    /// Records the present point.
    ///
    /// - Cost: none that grows with the number of changes, as a copy's would.
    package mutating func mark() -> Mark {
        if isEmpty, !removesAll, replaced == nil { return Mark(count: nil, removesAll: false) }
        let count = replaced?.count ?? 0
        if replaced == nil { replaced = [] }
        return Mark(count: count, removesAll: removesAll)
    }

    /// Undoes all changes since a mark; no later mark is valid any more.
    package mutating func goBack(to mark: Mark) {
        // Only these, because a copy of all would take long, once for each of many that go back.
        guard let count = mark.count, let undone = replaced.map({ Array($0[count...]) }) else {
            self = StagedChanges()
            return
        }
        for change in undone.reversed() { undo(change) }
        replaced?.removeSubrange(count...)
        removesAll = mark.removesAll
    }

    private mutating func undo(_ change: Replaced) {
        record(change.key, isUnobserved: change.wasUnobserved)
        if let place = change.place, let entry = change.entry {
            entries[place] = entry
            return
        }
        // It was the last one to come.
        entries.removeLast()
        if entries.count > StagedChanges.few { places?[change.key] = nil } else { places = nil }
    }

    /// Ends the noting for marks, when only the outermost use is left, which goes back to nothing.
    mutating func forgetMarks() { replaced = nil }
}
