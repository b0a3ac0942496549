/// What a transaction or a write wants to change: each key once, in the order in which it was first staged.
package struct StagedChanges: Sendable {
    /// Each key's last change.
    private(set) var entries: [KeyChange] = []
    /// The keys whose last change no observer of this process is notified of.
    ///
    /// Nil if there was never one, because each write creates and frees one of these structures.
    private(set) var unheard: Set<KeyName>?
    /// The position of each key; kept if there are so many that searching takes longer.
    private var places: [KeyName: Int]?
    private static let few = 8

    /// Whether everything stored is to be removed, including what could not be read of a damaged file.
    var removesAll = false

    package init() {}

    /// Creates one change.
    init(_ value: StoredValue?, forKey key: KeyName) {
        entries = [KeyChange(value, forKey: key)]
        if !Propagation.isHeard { unheard = [key] }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The keys.
    package var order: [KeyName] { entries.map(\.key) }

    /// Returns what is staged for a key: nothing, its removal (inner nil), or a value.
    func value(forKey key: KeyName) -> StoredValue?? { place(of: key).map { entries[$0].value } }

    private func place(of key: KeyName) -> Int? {
        entries.count <= StagedChanges.few ? entries.firstIndex { $0.key == key } : places?[key]
    }

    /// Stages a key's value; nil removes.
    mutating func set(_ value: StoredValue?, forKey key: KeyName) {
        if Propagation.isHeard { unheard?.remove(key) } else { unheard = (unheard ?? []).union([key]) }
        if let place = place(of: key) {
            entries[place] = KeyChange(value, forKey: key)
            return
        }
        entries.append(KeyChange(value, forKey: key))
        guard entries.count > StagedChanges.few else { return }
        if places == nil {
            places = Dictionary(
                uniqueKeysWithValues: entries.enumerated().map { place, entry in (entry.key, place) })
        } else {
            places?[key] = entries.count - 1
        }
    }
}
