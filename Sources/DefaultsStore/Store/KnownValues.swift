/// Which array or object this process has read or stored last under each key: a set changes the members that differ from
/// that (F25).
///
/// Of two states the later one wins, so that a thread that was overtaken does not bring back what was known before.
package final class KnownValues: Sendable {
    /// A program's value as its type writes it; what is stored may have members that the program has not read.
    struct Given {
        let text: StoredValue
        let type: ObjectIdentifier
        /// The version of what was known when it was compared; if another thread has read or stored since, what is stored
        /// is known in its place.
        let since: UInt64?
    }

    private struct Entry {
        let version: UInt64
        /// Nil if the next set is to be compared with what is stored.
        let stored: StoredValue?
        let given: Given?
    }

    private let known = Locked<[KeyName: Entry]>([:])  // A leaf.
    /// With more keys than this it begins again, so that a program whose keys come and go does not grow.
    private static let most = 10_000
    /// A longer text, in bytes, is not kept, so that little memory is taken twice.
    private static let longest = 1 << 20

    var isEmpty: Bool { known.withLock { $0.isEmpty } }

    /// Returns what a program knows of a key, as its type writes it (nil if that is not known), and the version of that.
    ///
    /// - Parameter reading: returns what the type makes of a text.
    func value(
        of key: KeyName, _ type: Any.Type, reading: (StoredValue) -> StoredValue?
    ) -> (text: StoredValue?, version: UInt64?) {
        guard let entry = known.withLock({ $0[key] }) else { return (nil, nil) }
        if let given = entry.given, given.type == ObjectIdentifier(type) {
            return (given.text, entry.version)
        }
        return (entry.stored.flatMap(reading), entry.version)
    }

    /// Records what the program read or stored under a key in this state; `given` is the value it passed, if it
    /// stored one.
    func record(
        _ stored: StoredValue?, given: Given? = nil, of key: KeyName, in state: StoreSnapshot
    ) {
        let version = state.generation &+ state.epoch
        known.withLock { known in
            let last = known[key]
            if let last, last.version > version { return }
            let given = given?.since == last?.version ? given : nil
            guard let stored, stored.isList, stored.bytes.count <= KnownValues.longest else {
                if last != nil { known[key] = Entry(version: version, stored: nil, given: nil) }
                return
            }
            if given == nil, let last, last.stored == stored, last.given.map({ $0.text == stored }) != false {
                known[key] = Entry(version: version, stored: last.stored, given: last.given)
                return
            }
            if known.count >= KnownValues.most, last == nil { known = [:] }
            // Detached, because a slice would keep the whole file.
            known[key] = Entry(version: version, stored: stored.detached, given: given)
        }
    }
}

extension SuiteContext {
    /// Records that the program has got a key's text.
    ///
    /// If the text is not the stored one, forgets the key: the next set is compared with what is stored.
    package func recordRead(_ text: StoredValue?, of key: KeyName) {
        guard let store = openStore, text?.isList == true || !store.knownValues.isEmpty else { return }
        let state = store.latest
        let isStored = text == state.values.value(forKey: key)
        store.knownValues.record(isStored ? text : nil, of: key, in: state)
    }
}
