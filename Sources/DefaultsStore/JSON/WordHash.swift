/// A hash that consumes two words at a time, the same in every process: not secret, and fast.
///
/// Products of 128 bits folded in two, as in wyhash. Somebody may make two inputs with one hash on purpose, so
/// nothing unsafe may depend on it.
struct WordHash {
    let state: UInt64

    init(seed: UInt64) { state = seed }

    @inline(__always)
    func adding(_ first: UInt64, _ second: UInt64) -> WordHash {
        let product = (first ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: second ^ state)
        // What was consumed before stays in it, even if the product is zero.
        let turned = state << 23 | state >> 41
        return WordHash(seed: product.high ^ product.low ^ turned)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the eight bytes from an offset, which is at most eight before the end, the first one lowest.
    @inline(__always)
    func word(at place: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}
