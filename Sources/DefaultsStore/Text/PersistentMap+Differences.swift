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

    /// Whether two arrays share their storage, and so have the same elements.
    private static func areOne(_ one: [Node], _ other: [Node]) -> Bool {
        // Pointers are sound because they are compared and never read, and both arrays live during the comparison.
        one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress && one.count == $0.count }
        }
    }
}
