/// The name of a stored member, equal to another exactly if their UTF-8 bytes are.
///
/// Order and hash use the bytes too, so two names that differ in Unicode form remain two members of the file.
package struct KeyName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The most bytes a key may have: 64 KiB.
    package static let greatestLength = 65_536

    /// The member that names a JSON Schema for editors: part of the file, but not a setting.
    package static let schema = KeyName("$schema")
    /// The member that lists the completed steps of a migration: part of the file, but not a setting.
    package static let migrations = KeyName("$migrations")
    /// The member that has those of each list with a name.
    package static let migrationLists = KeyName("$migrationLists")
    /// The member that says how many versions of the file are kept: part of the file, but not a setting.
    package static let history = KeyName("$history")

    /// The name; one that no `String` can have as it is written between quotes.
    package let string: String
    /// Of the bytes, computed once: names are looked up far more often than created.
    let hash: UInt32
    /// Whether it is a name that no `String` can have, with half of a surrogate pair.
    package let hasHalves: Bool

    /// Wraps a name as it is, even one that ``validated(_:)`` would refuse.
    package init(_ string: String) {
        self.string = string
        hash = KeyHash.of(string)
        hasHalves = false
    }

    /// Wraps a name whose hash is known: the one that ``KeyHash`` has for its bytes in this process.
    init(_ string: String, hash: UInt32, hasHalves: Bool = false) {
        (self.string, self.hash, self.hasHalves) = (string, hash, hasHalves)
    }

    init(_ text: JSONString) {
        switch text {
        case .whole(let string): self.init(string)
        case .withHalves(let written): self.init(written, hash: KeyHash.of(written), hasHalves: true)
        }
    }

    /// As JSON, quotes included.
    var quoted: [UInt8] { (hasHalves ? JSONString.withHalves(string) : .whole(string)).quoted }

    /// Returns the name, if a value may be written under it.
    ///
    /// - Throws: `.invalidKey` for an empty name and for one longer than 64 KiB.
    package static func validated(_ string: String) throws(DefaultsError) -> KeyName {
        let length = string.utf8.count
        guard length > 0 else {
            throw DefaultsError(.invalidKey, key: string, underlyingDescription: "it is empty")
        }
        guard length <= greatestLength else {
            throw DefaultsError(.invalidKey, underlyingDescription: "it is \(length) bytes long")
        }
        return KeyName(string)
    }

    /// The names before each dot: of objects in which it may name a member, the longest first.
    var objectNames: [KeyName] {
        var names: [KeyName] = []
        var rest = string[...]
        while let dot = rest.lastIndex(of: ".") {
            rest = rest[..<dot]
            names.append(KeyName(String(rest)))
        }
        return names
    }

    /// Whether a value may be written under a name.
    package static func isValid(_ string: String) -> Bool { 1...greatestLength ~= string.utf8.count }

    /// Whether it names a setting, and not a member that says something about the file.
    package var isSetting: Bool {
        self != .schema && self != .migrations && self != .migrationLists && self != .history
    }

    package static func == (left: KeyName, right: KeyName) -> Bool {
        left.hash == right.hash && left.string.hasBytes(of: right.string) && left.hasHalves == right.hasHalves
    }

    /// Distributes names as ``hash(into:)`` does, without the cost of its set-up and finalisation.
    package var hashValue: Int { Int(hash) }

    package static func < (left: KeyName, right: KeyName) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    package var description: String { string }
}

extension Sequence {
    /// Returns the elements in the order of their names.
    ///
    /// What sorts is compiled once, for the names, and not again for each type of element.
    func sorted(byName name: (Element) -> KeyName) -> [Element] {
        let elements = Array(self)
        guard elements.count > 1 else { return elements }
        return KeyName.order(of: elements.map(name)).map { elements[$0] }
    }
}

extension KeyName {
    /// Returns the positions of names in their order; equal names keep theirs.
    @inline(never)
    package static func order(of names: [KeyName]) -> [Int] {
        names.indices.sorted { names[$0] < names[$1] }
    }
}

/// The hash of a key's bytes in the index of a settings file, computed eight bytes at a time.
///
/// Not the standard library's, whose set-up and finalisation cost more than hashing a short key. It is based on
/// products of 128 bits folded in two, like wyhash; the start is this process's own, so that no file can be prepared
/// whose keys all collide.
struct KeyHash {
    /// Where every key's hash starts in this process.
    static let start = UInt64(truncatingIfNeeded: 0x7379_4B65_7948_6173.hashValue)

    private var state: UInt64

    init(from start: UInt64) { state = start }

    /// Adds the next eight bytes; for the last ones, which may be none, the remainder padded with zeros.
    @inline(__always)
    mutating func mix(_ word: UInt64) { state = KeyHash.fold(state ^ word, 0xA076_1D64_78BD_642F) }

    @inline(__always)
    func value(count: Int) -> UInt32 {
        let folded = KeyHash.fold(state ^ UInt64(truncatingIfNeeded: count), 0xE703_7ED1_A0B4_28DB)
        return UInt32(truncatingIfNeeded: folded >> 32)
    }

    @inline(__always)
    private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low
    }

    static func of(_ key: String) -> UInt32 {
        var key = key
        return key.withUTF8(of(_:))
    }

    static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var hash = KeyHash(from: start)
        var index = 0
        while index + 8 <= bytes.count {
            let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            hash.mix(UInt64(littleEndian: word))
            index += 8
        }
        hash.mix(word(bytes, from: index, count: bytes.count - index))
        return hash.value(count: bytes.count)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int, count: Int) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<count { word |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
        return word
    }
}
