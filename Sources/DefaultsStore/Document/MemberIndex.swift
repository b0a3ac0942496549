/// Where the members of a settings file begin, and which of them has a key: eight bytes for each member beside the
/// text, and a table with four bytes per entry that is at most three quarters full.
///
/// Everything else about a member is read from the text on request.
struct MemberIndex: Sendable {
    /// What is kept of one member: the index of its key's quote, and its key's hash except for the lowest bit, which
    /// says whether the key has an escape.
    private struct Slot: Sendable {
        let bits: UInt64

        init(bits: UInt64) { self.bits = bits }

        init(start: Int, hash: UInt32, isEscaped: Bool) {
            bits = UInt64(truncatingIfNeeded: start) << 32 | UInt64(hash & ~1) | (isEscaped ? 1 : 0)
        }

        var start: Int { Int(truncatingIfNeeded: bits >> 32) }
        var isEscaped: Bool { bits & 1 == 1 }
        var hash: UInt32 { UInt32(truncatingIfNeeded: bits) & ~1 }
    }

    /// The longest text that can have an index, in bytes: many times what any file may have.
    static let greatestLength = Int(UInt32.max)
    /// The end of a member longer than this is recorded too, so that finding it takes no walk through the value.
    private static let longMember = 4_096

    /// The slots' bits: an array of `Int64` is precompiled in the standard library, whereas the runtime would
    /// instantiate one of slots, or of `UInt64`, at its first use in each process.
    private var slots: [Int64] = []
    /// The numbers of the last members of their names, counted from 1; 0 for none.
    ///
    /// Its length is a power of two.
    private var table: [UInt32] = []
    private var longMembers: [(start: Int, valueEnd: Int)] = []
    /// The members whose name has occurred in the file before.
    private(set) var repeats: [Int] = []

    /// Duplicates included.
    var count: Int { slots.count }

    @inline(__always)
    private func slot(_ position: Int) -> Slot { Slot(bits: UInt64(bitPattern: slots[position])) }

    func start(of position: Int) -> Int { slot(position).start }

    init() {}

    /// Creates an index with room for the members of a text of that many bytes; what is not used is never touched.
    // Not by `reserveCapacity`, for which the runtime resolves the array's type by name at the first use in each
    // process.
    init(forText length: Int) {
        slots = Array(unsafeUninitializedCapacity: length / 24 + 8) { _, count in count = 0 }
    }

    @inline(__always)
    mutating func append(start: Int, hash: UInt32, isEscaped: Bool, valueEnd: Int) {
        if valueEnd - start > MemberIndex.longMember { longMembers.append((start, valueEnd)) }
        slots.append(Int64(bitPattern: Slot(start: start, hash: hash, isEscaped: isEscaped).bits))
    }

    /// Nil for a short member.
    func valueEnd(of position: Int) -> Int? {
        guard !longMembers.isEmpty else { return nil }
        let start = start(of: position)
        var range = longMembers.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let member = longMembers[middle]
            if member.start == start { return member.valueEnd }
            range = member.start < start ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Enters all members into the table.
    ///
    /// - Parameter key: reads a member's key; only called if two have the same hash.
    mutating func finish(_ key: (_ start: Int) -> KeyName) {
        guard !slots.isEmpty else { return }
        var size = 4
        while size * 3 < slots.count * 4 { size *= 2 }
        table = [UInt32](repeating: 0, count: size)
        for position in slots.indices {
            let slot = slot(position)
            var place = Int(slot.hash >> 1) & (size - 1)
            while table[place] != 0 {
                let other = self.slot(Int(table[place]) - 1)
                if other.hash == slot.hash, key(other.start) == key(slot.start) {
                    repeats.append(position)
                    break
                }
                place = (place + 1) & (size - 1)
            }
            table[place] = UInt32(truncatingIfNeeded: position + 1)
        }
    }

    /// - Parameter escaped: reads the key of a member that has an escape in it.
    func position(of key: KeyName, in text: [UInt8], escaped: (_ start: Int) -> KeyName) -> Int? {
        guard !slots.isEmpty else { return nil }
        var string = key.string
        // A pointer, because comparing by it takes half the time; it is read inside the closure only.
        return string.withUTF8 { bytes in
            let hash = key.hash & ~1
            var place = Int(hash >> 1) & (table.count - 1)
            while table[place] != 0 {
                let position = Int(table[place]) - 1
                let slot = slot(position)
                if slot.hash == hash,
                    slot.isEscaped
                        ? escaped(slot.start) == key : MemberIndex.has(bytes, in: text, from: slot.start + 1)
                {
                    return position
                }
                place = (place + 1) & (table.count - 1)
            }
            return nil
        }
    }

    /// Whether the key without escapes at an index consists of these bytes.
    private static func has(_ key: UnsafeBufferPointer<UInt8>, in text: [UInt8], from start: Int) -> Bool {
        // The first quote ends the key in the text, so bytes with a quote among them are not all of it.
        guard start + key.count < text.count, text[start + key.count] == UInt8(ascii: "\"") else {
            return false
        }
        for offset in 0..<key.count
        where text[start + offset] != key[offset] || key[offset] == UInt8(ascii: "\"") { return false }
        return true
    }
}
