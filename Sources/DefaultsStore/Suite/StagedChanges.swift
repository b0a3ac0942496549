/// What a transaction or a write wants to change, each key once, in the order of their first staging.
package struct StagedChanges: Sendable {
    /// One key's last change.
    struct Entry: Sendable {
        let key: KeyName
        /// Nil removes.
        var value: StoredValue?
        /// Whether observers of this process are to hear of it.
        var isHeard: Bool
    }

    private(set) var entries: [Entry] = []
    /// Where each key stands; kept where there are so many that looking through them takes longer.
    private var places: [KeyName: Int] = [:]
    private static let few = 8

    /// Whether everything stored is to go, what could not be read of a damaged file included.
    var removesAll = false

    package init() {}

    var isEmpty: Bool { entries.isEmpty }

    /// The keys.
    package var order: [KeyName] { entries.map(\.key) }

    /// The keys whose last change no observer of this process is to hear.
    var unheard: Set<KeyName> { Set(entries.lazy.filter { !$0.isHeard }.map(\.key)) }

    /// What is staged for a key: nothing, its removal (inner nil), or a value.
    func value(forKey key: KeyName) -> StoredValue?? { place(of: key).map { entries[$0].value } }

    private func place(of key: KeyName) -> Int? {
        entries.count <= StagedChanges.few ? entries.firstIndex { $0.key == key } : places[key]
    }

    /// Stages a key's value; nil removes.
    mutating func set(_ value: StoredValue?, forKey key: KeyName) {
        let isHeard = Propagation.isHeard
        if let place = place(of: key) {
            entries[place].value = value
            entries[place].isHeard = isHeard
            return
        }
        entries.append(Entry(key: key, value: value, isHeard: isHeard))
        guard entries.count > StagedChanges.few else { return }
        if places.isEmpty {
            for (place, entry) in entries.enumerated() { places[entry.key] = place }
        } else {
            places[key] = entries.count - 1
        }
    }

    /// Those that differ from what is stored.
    func effective(on stored: StoredValues) -> [(key: KeyName, value: StoredValue?)] {
        entries.compactMap { entry in
            stored.value(forKey: entry.key) == entry.value ? nil : (entry.key, entry.value)
        }
    }
}
