/// When two texts say the same.
extension StoredValue {
    /// Whether both are the same text, or arrays or objects with the same values, however they are laid out and spelled.
    ///
    /// A checkpoint leaves an object's comments, order and spelling as they were, so its text may be another one than the
    /// one that was written, though nothing has changed.
    ///
    /// - Cost: that of passing both texts up to the first difference, if members are in the same order.
    package func isSame(as other: StoredValue) -> Bool {
        if self == other { return true }
        guard isList, bytes.first == other.bytes.first else { return false }
        var pair = TextPair(
            one: JSONScanner(bytes, levels: .max), other: JSONScanner(other.bytes, levels: .max))
        do {
            if let isSame = try pair.areSame(levels: 0) { return isSame }
        } catch {
            preconditionFailure("a stored value was not checked: \(error)")
        }
        return value == other.value
    }
}

/// Two texts that are passed at the same pace, so that nothing is built of them.
private struct TextPair {
    var one: JSONScanner
    var other: JSONScanner
    /// How deeply it looks by itself.
    private static let deepest = 32

    init(one: JSONScanner, other: JSONScanner) { (self.one, self.other) = (one, other) }

    /// Passes a value of both.
    ///
    /// - Returns: nil if the values have to be built to tell: they have members in another order, or of other names.
    mutating func areSame(levels: Int) throws(JSONFault) -> Bool? {
        let open = one.next
        guard open == UInt8(ascii: "{") || open == UInt8(ascii: "["), let open, other.next == open else {
            let own = StoredValue(trusted: one.bytes[try one.skipValue()])
            let others = StoredValue(trusted: other.bytes[try other.skipValue()])
            return own == others || !own.isList && !others.isList && own.value == others.value
        }
        guard levels < TextPair.deepest else { return nil }
        var list = try one.begin(open)
        var otherList = try other.begin(open)
        while true {
            let hasMore = try one.advance(&list)
            guard try other.advance(&otherList) == hasMore else { return list.isOfMembers ? nil : false }
            guard hasMore else { return true }
            guard list.isOfMembers else {
                let isSame = try areSame(levels: levels + 1)
                guard isSame == true else { return isSame }
                continue
            }
            let name = try name(of: &one)
            guard try self.name(of: &other) == name else { return nil }
            var rest = self
            let isSame = try areSame(levels: levels + 1)
            if isSame == true { continue }
            // Of several members of one name the last one counts.
            let isRepeated = try rest.has(name, in: list)
            return isSame == nil || isRepeated ? nil : false
        }
    }

    /// Whether one of both texts has another member of a name behind the value that comes next.
    private mutating func has(_ name: ArraySlice<UInt8>, in list: JSONScanner.List) throws(JSONFault) -> Bool
    {
        var (list, otherList) = (list, list)
        try one.skipValue()
        while try one.advance(&list) {
            if try self.name(of: &one) == name { return true }
            try one.skipValue()
        }
        try other.skipValue()
        while try other.advance(&otherList) {
            if try self.name(of: &other) == name { return true }
            try other.skipValue()
        }
        return false
    }

    private func name(of scanner: inout JSONScanner) throws(JSONFault) -> ArraySlice<UInt8> {
        let start = scanner.position
        try scanner.skipString()
        let name = scanner.bytes[start..<scanner.position]
        scanner.position = start
        try scanner.skipKey()
        return name
    }
}
