/// A dictionary whose copies share what they have in common, so that setting one key costs the depth of a tree and not
/// the number of keys: each change of the domains publishes a map of its own.
///
/// The idea is Bagwell's hash array mapped trie: five bits of the hash choose the way at each level.
///
/// The type itself asks nothing of its keys, so that a process need not look through all conformances for its first map.
struct PersistentMap<Key: Sendable, Value: Sendable>: Sendable {
    struct Entry: Sendable {
        let key: Key
        let value: Value
    }

    indirect enum Node: Sendable {
        /// The whole of an empty map, and what stands in a node's place while that is changed.
        case empty
        case leaf(hash: UInt, Entry)
        /// Two or more entries of one hash.
        case leaves(hash: UInt, [Entry])
        /// The children that are there, in the order of the bits set.
        case branch(UInt32, [Node])
    }

    private(set) var root = Node.empty
    /// How many keys there are.
    private(set) var count = 0

    /// Whether there is no key.
    var isEmpty: Bool { count == 0 }
}

extension PersistentMap where Key: Hashable {
    /// The value of a key.
    func value(forKey key: Key) -> Value? {
        guard count > 0 else { return nil }
        return PersistentMap.value(forKey: key, UInt(bitPattern: key.hashValue), in: root, 0)
    }

    /// Calls itself, because a variable for the node would be given a reference of its own at each level.
    private static func value(forKey key: Key, _ hash: UInt, in node: Node, _ shift: Int) -> Value? {
        switch node {
        case .empty: return nil
        case .leaf(let own, let entry):
            return own == hash && entry.key == key ? entry.value : nil
        case .leaves(let own, let entries):
            return own == hash ? entries.first { $0.key == key }?.value : nil
        case .branch(let bits, let children):
            let bit = bit(of: hash, shift)
            guard bits & bit != 0 else { return nil }
            return value(forKey: key, hash, in: children[index(of: bit, in: bits)], shift + 5)
        }
    }

    /// Sets a key's value.
    ///
    /// - Cost: the depth of the tree; where no copy of the map shares a node, that is changed in its place.
    mutating func set(_ value: Value, forKey key: Key) {
        let hash = UInt(bitPattern: key.hashValue)
        if PersistentMap.set(Entry(key: key, value: value), hash, in: &root, 0) { count += 1 }
    }

    /// Takes a key's value away.
    mutating func remove(_ key: Key) {
        if PersistentMap.remove(key, UInt(bitPattern: key.hashValue), from: &root, 0) { count -= 1 }
    }

    /// All keys with their values, in no order.
    var elements: [(key: Key, value: Value)] {
        var elements: [(key: Key, value: Value)] = []
        elements.reserveCapacity(count)
        PersistentMap.collect(root, into: &elements)
        return elements
    }

    /// - Returns: whether the key is new.
    private static func set(_ entry: Entry, _ hash: UInt, in node: inout Node, _ shift: Int) -> Bool {
        switch node {
        case .empty:
            node = .leaf(hash: hash, entry)
            return true
        case .leaf(let own, let other) where own == hash:
            let isNew = other.key != entry.key
            node = isNew ? .leaves(hash: hash, [other, entry]) : .leaf(hash: hash, entry)
            return isNew
        case .leaves(let own, var entries) where own == hash:
            let place = entries.firstIndex { $0.key == entry.key }
            if let place { entries[place] = entry } else { entries.append(entry) }
            node = .leaves(hash: hash, entries)
            return place == nil
        case .leaf(let own, _), .leaves(let own, _):
            // Two hashes that went the same way so far part at this level or further down.
            node = .branch(bit(of: own, shift), [node])
            return set(entry, hash, in: &node, shift)
        case .branch(let bits, var children):
            // Given up by the node, or the children would be copied though nobody else has them.
            node = .empty
            let bit = bit(of: hash, shift)
            let place = index(of: bit, in: bits)
            guard bits & bit != 0 else {
                children.insert(.leaf(hash: hash, entry), at: place)
                node = .branch(bits | bit, children)
                return true
            }
            let isNew = set(entry, hash, in: &children[place], shift + 5)
            node = .branch(bits, children)
            return isNew
        }
    }

    /// - Returns: whether the key was there.
    private static func remove(_ key: Key, _ hash: UInt, from node: inout Node, _ shift: Int) -> Bool {
        switch node {
        case .empty: return false
        case .leaf(let own, let entry):
            guard own == hash, entry.key == key else { return false }
            node = .empty
            return true
        case .leaves(let own, var entries):
            guard own == hash, let place = entries.firstIndex(where: { $0.key == key }) else { return false }
            entries.remove(at: place)
            node = entries.count == 1 ? .leaf(hash: own, entries[0]) : .leaves(hash: own, entries)
            return true
        case .branch(let bits, var children):
            let bit = bit(of: hash, shift)
            guard bits & bit != 0 else { return false }
            node = .empty
            let place = index(of: bit, in: bits)
            let isGone = remove(key, hash, from: &children[place], shift + 5)
            guard case .empty = children[place] else {
                node = .branch(bits, children)
                return isGone
            }
            children.remove(at: place)
            if !children.isEmpty { node = .branch(bits & ~bit, children) }
            return true
        }
    }

    static func collect(_ node: Node, into elements: inout [(key: Key, value: Value)]) {
        switch node {
        case .empty: break
        case .leaf(_, let entry): elements.append((entry.key, entry.value))
        case .leaves(_, let entries): elements += entries.map { ($0.key, $0.value) }
        case .branch(_, let children): for child in children { collect(child, into: &elements) }
        }
    }

    private static func bit(of hash: UInt, _ shift: Int) -> UInt32 { 1 << UInt32((hash >> UInt(shift)) & 31) }

    static func index(of bit: UInt32, in bits: UInt32) -> Int { (bits & (bit - 1)).nonzeroBitCount }
}
