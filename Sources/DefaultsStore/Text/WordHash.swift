/// A hash that takes in two words a step, the same in every process: no secret, and fast.
///
/// Products of 128 bits folded in two, as in wyhash. Somebody may make two inputs on purpose that have one hash; so
/// nothing that is unsafe may rest on it.
struct WordHash {
    /// The hash of what was taken in.
    let state: UInt64

    init(seed: UInt64) { state = seed }

    @inline(__always)
    func adding(_ first: UInt64, _ second: UInt64) -> WordHash {
        let product = (first ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: second ^ state)
        // What was taken in before stays in it, even where the product is zero.
        let turned = state << 23 | state >> 41
        return WordHash(seed: product.high ^ product.low ^ turned)
    }
}

extension UnsafeRawBufferPointer {
    /// The eight bytes from a place, which is at most eight before the end, the first one lowest.
    @inline(__always)
    func word(at place: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}
