import EtcdMessages
import TypedDefaults

/// The keys below a prefix at one revision, and how a batch of changes moves them on.
struct KeySpace: Sendable {
    /// Which cluster it is of: revisions of two clusters cannot be compared.
    let cluster: UInt64
    private(set) var revision: Int64
    private let prefix: EtcdPrefix
    private var entries: [[UInt8]: EtcdEntry]

    /// Takes a listing.
    init(_ listing: EtcdListing, prefix: EtcdPrefix) {
        cluster = listing.cluster
        revision = listing.revision
        self.prefix = prefix
        entries = Dictionary(minimumCapacity: listing.pairs.count)
        for pair in listing.pairs { set(pair) }
    }

    /// Takes whole batches of changes.
    ///
    /// - Returns: whether anything was new; what is as old as this is has been taken already.
    mutating func apply(_ events: [Etcdserverpb_Event]) -> Bool {
        let fresh = events.filter { $0.kv.modRevision > revision }
        for event in fresh {
            switch event.kind {
            case .put: set(event.kv)
            case .delete: entries[Array(event.kv.key)] = nil
            case .UNRECOGNIZED: break
            }
        }
        revision = fresh.map(\.kv.modRevision).max() ?? revision
        return !fresh.isEmpty
    }

    private mutating func set(_ pair: Etcdserverpb_KeyValue) {
        let key = Array(pair.key)
        entries[key] = EtcdEntry(key: key, value: Array(pair.value), in: prefix)
    }

    /// All values by name, and what was refused, in the order of the keys.
    var contents: KeySpaceContents {
        var contents = KeySpaceContents()
        for (key, entry) in entries { contents.take(entry, key: key) }
        contents.refusals.sort { ($0.error.key ?? "") < ($1.error.key ?? "") }
        return contents
    }
}

/// What a key space means to a suite.
struct KeySpaceContents: Hashable, Sendable {
    /// A key that is left out.
    struct Refusal: Hashable, Sendable {
        let error: DefaultsError
        let isLocked: Bool
    }

    var values: [String: DefaultsValue] = [:]
    var locked: [String: DefaultsValue] = [:]
    var refusals: [Refusal] = []

    fileprivate mutating func take(_ entry: EtcdEntry, key: [UInt8]) {
        switch entry {
        case .value(let name, let value): put(value, name, in: \.values, key, isLocked: false)
        case .locked(let name, let value): put(value, name, in: \.locked, key, isLocked: true)
        case .refused(let error, let isLocked): refusals.append(Refusal(error: error, isLocked: isLocked))
        }
    }

    /// Two keys of other bytes can be one text to Swift: the one whose bytes come first counts, whatever the order.
    private mutating func put(
        _ value: DefaultsValue, _ name: String,
        in values: WritableKeyPath<KeySpaceContents, [String: DefaultsValue]>,
        _ key: [UInt8], isLocked: Bool
    ) {
        guard let present = self[keyPath: values].index(forKey: name) else {
            self[keyPath: values][name] = value
            return
        }
        let other = self[keyPath: values][present].key
        if name.utf8.lexicographicallyPrecedes(other.utf8) {
            self[keyPath: values].remove(at: present)
            self[keyPath: values][name] = value
        }
        let error = EtcdEntry.refusal(key, "another key's name is the same text in other bytes")
        refusals.append(Refusal(error: error, isLocked: isLocked))
    }
}
