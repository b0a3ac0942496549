/// CRC-32C, the checksum of journal lines.
enum Checksum {
    /// The remainder of each byte by the reflected polynomial 0x82F63B78; then of each byte with one, two and three zero
    /// bytes behind it, so that four bytes are taken in a step.
    private static let table: [UInt32] = {
        var table: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in
                value & 1 == 1 ? 0x82F6_3B78 ^ (value >> 1) : value >> 1
            }
        }
        for place in 0..<768 {
            let value = table[place]
            table.append(table[Int(value & 255)] ^ (value >> 8))
        }
        return table
    }()

    /// The checksum of some bytes.
    static func crc32c(_ bytes: some Collection<UInt8>) -> UInt32 {
        // Pointers, because every write takes one; all that is used here lies side by side, and is read inside only.
        bytes.withContiguousStorageIfAvailable { crc32c($0) } ?? crc32c([UInt8](bytes))
    }

    private static func crc32c(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var value = ~UInt32(0)
            var place = 0
            while place + 4 <= bytes.count {
                let next = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt32.self)
                value ^= next.littleEndian
                let low = table[768 + Int(value & 255)] ^ table[512 + Int((value >> 8) & 255)]
                value = low ^ table[256 + Int((value >> 16) & 255)] ^ table[Int(value >> 24)]
                place += 4
            }
            while place < bytes.count {
                value = table[Int((value ^ UInt32(bytes[place])) & 255)] ^ (value >> 8)
                place += 1
            }
            return ~value
        }
    }
}
