/// A dictionary whose copies share what they have in common, so that setting one key costs the depth of a tree and
/// not the number of keys: each change of the domains publishes a map of its own.
///
/// The data structure is Bagwell's hash array mapped trie: five bits of the hash choose the branch at each level.
///
/// The type itself requires nothing of its keys, so that a process need not search all conformances for its first
/// map.
struct PersistentMap<Key: Sendable, Value: Sendable>: Sendable {
    struct Entry: Sendable {
        let key: Key
        let value: Value
    }

    indirect enum Node: Sendable {
        case leaf(hash: UInt, Entry)
        /// Two or more entries with the same hash.
        case leaves(hash: UInt, [Entry])
        /// The existing children, in the order of the bits that are set.
        case branch(UInt32, [Node])
    }

    private(set) var root = Node.branch(0, [])
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
}

extension PersistentMap where Key: Hashable {
    func value(forKey key: Key) -> Value? {
        guard count > 0 else { return nil }
        return PersistentMap.value(forKey: key, UInt(bitPattern: key.hashValue), in: root, 0)
    }

    /// Recursive, because a variable for the node would take a reference of its own at each level.
    private static func value(forKey key: Key, _ hash: UInt, in node: Node, _ shift: Int) -> Value? {
        switch node {
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

    mutating func set(_ value: Value, forKey key: Key) {
        let hash = UInt(bitPattern: key.hashValue)
        // Without an array of nodes, because a new process pays for the first one of each type, and often has one
        // key.
        if count == 0 {
            (root, count) = (.leaf(hash: hash, Entry(key: key, value: value)), 1)
            return
        }
        var isNew = false
        root = PersistentMap.setting(Entry(key: key, value: value), hash, in: root, 0, &isNew)
        if isNew { count += 1 }
    }

    mutating func remove(_ key: Key) {
        var isGone = false
        let rest = PersistentMap.removing(key, UInt(bitPattern: key.hashValue), from: root, 0, &isGone)
        guard isGone else { return }
        root = rest ?? .branch(0, [])
        count -= 1
    }

    /// In no particular order.
    var elements: [(key: Key, value: Value)] {
        var elements: [(key: Key, value: Value)] = []
        elements.reserveCapacity(count)
        PersistentMap.collect(root, into: &elements)
        return elements
    }

    /// In no particular order.
    func forEachValue(_ body: (Value) -> Void) { PersistentMap.visit(root, body) }

    private static func visit(_ node: Node, _ body: (Value) -> Void) {
        switch node {
        case .leaf(_, let entry): body(entry.value)
        case .leaves(_, let entries): for entry in entries { body(entry.value) }
        case .branch(_, let children): for child in children { visit(child, body) }
        }
    }

    private static func setting(
        _ entry: Entry, _ hash: UInt, in node: Node, _ shift: Int, _ isNew: inout Bool
    ) -> Node {
        switch node {
        case .leaf(let own, let other) where own == hash:
            if other.key == entry.key { return .leaf(hash: hash, entry) }
            isNew = true
            return .leaves(hash: hash, [other, entry])
        case .leaves(let own, var entries) where own == hash:
            if let place = entries.firstIndex(where: { $0.key == entry.key }) {
                entries[place] = entry
            } else {
                entries.append(entry)
                isNew = true
            }
            return .leaves(hash: hash, entries)
        case .leaf(let own, _), .leaves(let own, _):
            // Two hashes that have been the same so far differ at this level or further down.
            let alone = Node.branch(bit(of: own, shift), [node])
            return setting(entry, hash, in: alone, shift, &isNew)
        case .branch(let bits, var children):
            let bit = bit(of: hash, shift)
            let place = index(of: bit, in: bits)
            guard bits & bit != 0 else {
                isNew = true
                children.insert(.leaf(hash: hash, entry), at: place)
                return .branch(bits | bit, children)
            }
            children[place] = setting(entry, hash, in: children[place], shift + 5, &isNew)
            return .branch(bits, children)
        }
    }

    /// Nil if nothing is left.
    private static func removing(
        _ key: Key, _ hash: UInt, from node: Node, _ shift: Int, _ isGone: inout Bool
    ) -> Node? {
        switch node {
        case .leaf(let own, let entry):
            isGone = own == hash && entry.key == key
            return isGone ? nil : node
        case .leaves(let own, var entries):
            guard own == hash, let place = entries.firstIndex(where: { $0.key == key }) else { return node }
            isGone = true
            entries.remove(at: place)
            return entries.count == 1 ? .leaf(hash: own, entries[0]) : .leaves(hash: own, entries)
        case .branch(let bits, var children):
            let bit = bit(of: hash, shift)
            guard bits & bit != 0 else { return node }
            let place = index(of: bit, in: bits)
            if let rest = removing(key, hash, from: children[place], shift + 5, &isGone) {
                children[place] = rest
                return .branch(bits, children)
            }
            children.remove(at: place)
            return children.isEmpty ? nil : .branch(bits & ~bit, children)
        }
    }

    static func collect(_ node: Node, into elements: inout [(key: Key, value: Value)]) {
        switch node {
        case .leaf(_, let entry): elements.append((entry.key, entry.value))
        case .leaves(_, let entries): elements += entries.map { ($0.key, $0.value) }
        case .branch(_, let children): for child in children { collect(child, into: &elements) }
        }
    }

    private static func bit(of hash: UInt, _ shift: Int) -> UInt32 { 1 << UInt32((hash >> UInt(shift)) & 31) }

    static func index(of bit: UInt32, in bits: UInt32) -> Int { (bits & (bit - 1)).nonzeroBitCount }
}

/// The differences between two maps.
extension PersistentMap where Key: Hashable, Value: Equatable {
    /// Returns the keys whose values differ, including those that only one of the two has, in no particular order.
    ///
    /// If one map was made by changing a copy of the other, the cost is that of what was changed, not of what they
    /// contain.
    func differences(from other: PersistentMap) -> [Key] {
        var keys: [Key] = []
        PersistentMap.compare(root, other.root, into: &keys)
        return keys
    }

    private static func compare(_ one: Node, _ other: Node, into keys: inout [Key]) {
        switch (one, other) {
        case (.branch(let bits, let children), .branch(let otherBits, let others)):
            if areOne(children, others) { return }
            for shift in 0..<UInt32(32) where (bits | otherBits) & 1 << shift != 0 {
                let bit: UInt32 = 1 << shift
                compare(
                    bits & bit == 0 ? nil : children[index(of: bit, in: bits)],
                    otherBits & bit == 0 ? nil : others[index(of: bit, in: otherBits)], into: &keys)
            }
        case (.leaf(_, let one), .leaf(_, let other)) where one.key == other.key:
            if one.value != other.value { keys.append(one.key) }
        default:
            compareEntries(one, other, into: &keys)
        }
    }

    private static func compare(_ one: Node?, _ other: Node?, into keys: inout [Key]) {
        switch (one, other) {
        case (let one?, let other?): compare(one, other, into: &keys)
        case (let alone?, nil), (nil, let alone?): keys += elements(of: alone).map(\.key)
        case (nil, nil): break
        }
    }

    /// Compares every entry with every other: one of the two is a leaf, or a few entries with one hash.
    private static func compareEntries(_ one: Node, _ other: Node, into keys: inout [Key]) {
        let (own, others) = (elements(of: one), elements(of: other))
        keys += own.filter { own in !others.contains { $0.key == own.key && $0.value == own.value } }
            .map(\.key)
        keys += others.filter { other in !own.contains { $0.key == other.key } }.map(\.key)
    }

    private static func elements(of node: Node) -> [(key: Key, value: Value)] {
        var elements: [(key: Key, value: Value)] = []
        collect(node, into: &elements)
        return elements
    }

    /// Arrays that share their storage have the same elements.
    private static func areOne(_ one: [Node], _ other: [Node]) -> Bool {
        // Pointers are sound because they are compared and never read, and both arrays live during the comparison.
        one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress && one.count == $0.count }
        }
    }
}
