/// CRC-32C, the checksum of journal lines.
enum Checksum {
    /// The remainder of each byte, by the reflected polynomial 0x82F63B78.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0x82F6_3B78 ^ (value >> 1) : value >> 1 }
    }

    /// The checksum of some bytes.
    static func crc32c(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        var value = ~UInt32(0)
        for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8) }
        return ~value
    }
}
