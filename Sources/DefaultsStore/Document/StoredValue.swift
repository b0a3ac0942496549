/// The JSON text of one value, known to be valid.
///
/// Two are equal if their bytes are, so a value in another spelling is another stored value.
package struct StoredValue: Hashable, Sendable {
    /// The most bytes that a value may have to be written: 16 MiB.
    package static let greatestLength = 16 << 20

    /// The text without white space around it; a slice of the whole file if it comes from one.
    package let bytes: ArraySlice<UInt8>

    /// Validates a text from outside and removes the white space around it.
    ///
    /// A text with line ends, comments or trailing commas is rewritten, so that a member stays on one line.
    package init(validating bytes: [UInt8]) throws(JSONFault) {
        var scanner = JSONScanner(bytes[...])
        try scanner.skipStart()
        scanner.isPlain = true
        let range = try scanner.skipValue()
        let isPlain = scanner.isPlain
        try scanner.skipEnd()
        let written = StoredValue(trusted: bytes[range])
        self = isPlain ? written : written.compacted
    }

    /// Encodes a value.
    ///
    /// A file takes it only if its ``DefaultsValue/depth`` is at most 128; the code that stores it has to check that.
    package init(_ value: DefaultsValue) {
        bytes = JSONWriter.text(of: value)[...]
    }

    /// Takes a slice that the scanner has passed as one value, as the user wrote it.
    package init(trusted bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// In memory of its own; a slice would keep the whole file alive.
    package var detached: StoredValue {
        // Not by copying the slice, for which the runtime checks whether that is a whole array.
        let own = Array(unsafeUninitializedCapacity: bytes.count) { room, count in
            count = bytes.withUnsafeBufferPointer { room.initialize(fromContentsOf: $0) }
        }
        return StoredValue(trusted: own[...])
    }

    package static func == (left: StoredValue, right: StoredValue) -> Bool {
        // Pointers, because each write compares two texts; they are read inside the closures only.
        left.bytes.withUnsafeBytes { left in
            right.bytes.withUnsafeBytes { SystemCalls.areEqual(left, $0) }
        }
    }

    package var isList: Bool { bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") }

    var isObject: Bool { bytes.first == UInt8(ascii: "{") }

    package static let null = StoredValue(.null)

    /// Traps if ``init(trusted:)`` was given anything but one valid value.
    @inline(never)
    package var value: DefaultsValue {
        // Any depth: what is inside too many levels is kept as its text.
        var scanner = JSONScanner(bytes, levels: .max)
        do {
            return try scanner.value()
        } catch {
            preconditionFailure("a stored value was not checked: \(error)")
        }
    }

    var onOneLine: StoredValue { hasLineEnds ? compacted : self }

    /// On one line, without comments and trailing commas.
    private var compacted: StoredValue { StoredValue(trusted: JSONWriter.onOneLine(bytes).bytes[...]) }

    var hasLineEnds: Bool {
        // Only a value that contains others can.
        guard isList else { return false }
        // Pointers, because every write checks this; they are read inside the closure only.
        return bytes.withUnsafeBufferPointer { $0.contains(where: \.isLineEnd) }
    }
}

extension StoredValue? {
    /// True if both are nil.
    func isSame(as other: StoredValue?) -> Bool {
        // Not by a pattern of both: the runtime would put a tuple's type together, at a process's first write.
        guard let self else { return other == nil }
        return other.map { self.isSame(as: $0) } ?? false
    }

    /// Runs a body with the bytes of the text, nil if there is none.
    func withText(_ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
        guard let text = self else { return body(nil) }
        text.bytes.withUnsafeBufferPointer { body($0) }
    }
}

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
    private static let deepest = 32

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
            // Of several members of one name the last one applies.
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
