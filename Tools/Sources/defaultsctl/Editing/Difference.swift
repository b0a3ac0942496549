import DefaultsStore

/// What differs between two states of a file, key by key.
struct Difference {
    /// The keys that differ, in their order.
    let keys: [String]
    private let before: DefaultsObject
    private let after: DefaultsObject

    init(from before: DefaultsObject, to after: DefaultsObject) {
        self.before = before
        self.after = after
        let changed = after.filter { before[$0.key] != $0.value }.map(\.key)
        keys = changed + before.filter { after[$0.key] == nil }.map(\.key)
    }

    /// Nothing for a key that does not differ, else its new value, nil where it is removed.
    subscript(key: String) -> DefaultsValue?? {
        before[key] == after[key] ? nil : .some(after[key])
    }

    /// Whether a key's value is still what this difference has left.
    func left(_ key: String, as value: DefaultsValue?) -> Bool { after[key] == value }
}
