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
        let changed = after.filter { !Difference.isSame(before[$0.key], $0.value) }.map(\.key)
        keys = changed + before.filter { after[$0.key] == nil }.map(\.key)
    }

    /// Nothing for a key that does not differ, else its new value, nil where it is removed.
    subscript(key: String) -> DefaultsValue?? {
        Difference.isSame(before[key], after[key]) ? nil : .some(after[key])
    }

    /// Whether two values are equal, and numbers spelled alike, as 1 and 1.0 are not.
    ///
    /// In an object or array another spelling alone is none: setting one leaves what is equal in it as it is written.
    private static func isSame(_ one: DefaultsValue?, _ other: DefaultsValue?) -> Bool {
        guard case .number(let one) = one, case .number(let other) = other else { return one == other }
        return one.description == other.description
    }

    /// Whether a key's value is still what this difference has left.
    func left(_ key: String, as value: DefaultsValue?) -> Bool { after[key] == value }
}
