import EtcdMessages
import TypedDefaults

/// The keys below a prefix at one revision with what they mean to a suite, and how a batch of changes moves both on.
///
/// A batch costs what it changes, whatever the number of keys.
struct KeySpace: Sendable {
    /// A key that is left out.
    struct Refusal: Hashable, Sendable {
        let error: DefaultsError
        let isLocked: Bool
    }

    /// A setting; two names in other bytes are equal where they are one text to Swift.
    private struct Name: Hashable {
        let text: String
        let isLocked: Bool
    }

    /// A name in its own bytes, with its value.
    private struct Held {
        let text: String
        let value: DefaultsValue
        let size: Int

        func hasBytes(of other: String) -> Bool { text.utf8.elementsEqual(other.utf8) }
    }

    /// Which cluster it is of: revisions of two clusters cannot be compared.
    let cluster: UInt64
    private(set) var revision: Int64
    /// All values that count; a copy shares with the next one what has not changed.
    private(set) var layer = DefaultsLayer([:])
    private let prefix: EtcdPrefix
    /// Who would have a name, in the order of their bytes: the first one applies.
    private var held: [Name: [Held]] = [:]
    private var refused: [[UInt8]: Refusal] = [:]
    private var bytes = 0
    /// What was changed since somebody asked; nil while all of it is new.
    private var changes: LastKnownLayer.Changes?

    /// Takes a listing.
    init(_ listing: EtcdListing, prefix: EtcdPrefix) {
        cluster = listing.cluster
        revision = listing.revision
        self.prefix = prefix
        held = Dictionary(minimumCapacity: listing.pairs.count)
        for pair in listing.pairs { set(pair) }
        changes = LastKnownLayer.Changes()
    }

    /// How many bytes the keys and values have, and how many keys there are; of what is left out the keys alone.
    var size: (bytes: Int, keys: Int) {
        (refused.keys.reduce(bytes) { $0 + $1.count }, held.count + refused.count)
    }

    /// How many values count.
    var count: Int { held.count }

    /// What is left out, in the order of the keys.
    var refusals: [Refusal] {
        guard !refused.isEmpty else { return [] }
        return refused.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// Takes whole batches of changes.
    ///
    /// - Returns: whether anything was new; what is as old as this is has been taken already.
    mutating func apply(_ events: [Etcdserverpb_Event]) -> Bool {
        let fresh = events.filter { $0.kv.modRevision > revision }
        for event in fresh {
            switch event.kind {
            case .put: set(event.kv)
            case .delete: remove(Array(event.kv.key))
            case .UNRECOGNIZED: break
            }
        }
        revision = fresh.map(\.kv.modRevision).max() ?? revision
        return !fresh.isEmpty
    }

    /// What was changed since this was asked before, or since the listing.
    mutating func takeChanges() -> LastKnownLayer.Changes {
        defer { changes = LastKnownLayer.Changes() }
        return changes ?? LastKnownLayer.Changes()
    }

    private mutating func set(_ pair: Etcdserverpb_KeyValue) {
        let key = Array(pair.key)
        switch EtcdEntry(key: key, value: Array(pair.value), in: prefix) {
        case .value(let text, let value):
            hold(value, Name(text: text, isLocked: false), key, key.count + pair.value.count)
        case .locked(let text, let value):
            hold(value, Name(text: text, isLocked: true), key, key.count + pair.value.count)
        case .refused(let error, let isLocked):
            remove(key)
            refused[key] = Refusal(error: error, isLocked: isLocked)
        }
    }

    private mutating func remove(_ key: [UInt8]) {
        switch EtcdEntry(key: key, value: [], in: prefix) {
        case .value(let text, _): hold(nil, Name(text: text, isLocked: false), key)
        case .locked(let text, _): hold(nil, Name(text: text, isLocked: true), key)
        case .refused: refused[key] = nil
        }
    }

    /// Gives a key's name its value, or takes it away.
    ///
    /// - Parameter size: how many bytes both have in etcd.
    private mutating func hold(_ value: DefaultsValue?, _ name: Name, _ key: [UInt8], _ size: Int = 0) {
        refused[key] = nil
        let before = held[name] ?? []
        var after = before.filter { !$0.hasBytes(of: name.text) }
        if let value { after.append(Held(text: name.text, value: value, size: size)) }
        for held in before { bytes -= held.size }
        for held in after { bytes += held.size }
        if after.count > 1 { after.sort { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) } }
        if after.isEmpty { held[name] = nil } else { held[name] = after }
        if let old = before.first, after.first?.hasBytes(of: old.text) != true {
            count(nil, old.text, isLocked: name.isLocked)
        }
        if let new = after.first { count(new.value, new.text, isLocked: name.isLocked) }
        guard before.count > 1 || after.count > 1 else { return }
        for (place, held) in after.enumerated() {
            let key = prefix.key(of: held.text, isLocked: name.isLocked)
            refused[key] = place == 0 ? nil : KeySpace.rival(key, isLocked: name.isLocked)
        }
    }

    private mutating func count(_ value: DefaultsValue?, _ text: String, isLocked: Bool) {
        if isLocked { layer.setLocked(value, forKey: text) } else { layer.set(value, forKey: text) }
        changes?.note(value, text, isLocked: isLocked)
    }

    private static func rival(_ key: [UInt8], isLocked: Bool) -> Refusal {
        let reason = "another key's name is the same text in other bytes"
        return Refusal(error: EtcdEntry.refusal(key, reason), isLocked: isLocked)
    }
}
