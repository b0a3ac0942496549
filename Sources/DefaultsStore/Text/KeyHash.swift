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

    /// The hash of all bytes added.
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

    /// Returns the hash of a key.
    static func of(_ key: String) -> UInt32 {
        var key = key
        return key.withUTF8(of(_:))
    }

    /// Returns the hash of a key's bytes.
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
