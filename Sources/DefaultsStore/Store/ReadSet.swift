/// What a transaction has read of the stored values, because what it stages may depend on it.
struct ReadSet: Sendable {
    private var keys: Set<KeyName> = []
    private var isOfAll = false

    mutating func insert(_ key: KeyName) { keys.insert(key) }

    mutating func insertAll() { isOfAll = true }

    /// Whether reading the same again would give something else.
    func differ(between old: StoredValues, and new: StoredValues) -> Bool {
        func differs(_ key: KeyName) -> Bool {
            let (one, other) = (old.value(forKey: key), new.value(forKey: key))
            // The same value may be spelled differently.
            return one != other && one?.value != other?.value
        }
        if isOfAll { return Set(old.keys + new.keys).contains(where: differs) }
        return keys.contains(where: differs)
    }
}
