/// What a transaction has read of the stored values, since what it stages may rest on it.
struct ReadNotes: Sendable {
    /// Nil as long as there is none, as in each write that rests on nothing.
    private var keys: Set<KeyName>?
    private var isOfAll = false

    /// Notes that a key was looked up.
    mutating func note(_ key: KeyName) {
        if keys == nil { keys = [key] } else { keys?.insert(key) }
    }

    /// Notes that all were looked at.
    mutating func noteAll() { isOfAll = true }

    /// Whether what was read would be read otherwise.
    func differ(between old: StoredValues, and new: StoredValues) -> Bool {
        let read = isOfAll ? Set(old.keys + new.keys) : keys ?? []
        return read.contains { key in
            let (one, other) = (old.value(forKey: key), new.value(forKey: key))
            // The same value may be written differently.
            return one != other && one?.value != other?.value
        }
    }
}
