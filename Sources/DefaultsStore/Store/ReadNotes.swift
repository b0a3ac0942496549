/// What a transaction has read of the stored values, because what it stages may depend on it.
struct ReadNotes: Sendable {
    /// Nil as long as nothing was read, as in each write that depends on nothing.
    private var first: KeyName?
    /// Nil as long as only one key was read, as in an access in place: a process's first set of keys takes as long as
    /// several accesses.
    private var others: Set<KeyName>?
    private var isOfAll = false

    /// Notes that a key was looked up.
    mutating func note(_ key: KeyName) {
        guard let known = first else {
            first = key
            return
        }
        if known == key { return }
        if others == nil { others = [key] } else { others?.insert(key) }
    }

    /// Notes that all keys were read.
    mutating func noteAll() { isOfAll = true }

    /// Whether reading the same again would give something else.
    func differ(between old: StoredValues, and new: StoredValues) -> Bool {
        func differs(_ key: KeyName) -> Bool {
            let (one, other) = (old.value(forKey: key), new.value(forKey: key))
            // The same value may be spelled differently.
            return one != other && one?.value != other?.value
        }
        if isOfAll { return Set(old.keys + new.keys).contains(where: differs) }
        return first.map(differs) == true || others?.contains(where: differs) == true
    }
}
