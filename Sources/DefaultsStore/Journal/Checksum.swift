/// CRC-32C, the checksum of journal lines.
enum Checksum {
    /// The remainder of each byte by the reflected polynomial 0x82F63B78; then of each byte followed by one, two and
    /// three zero bytes, so that four bytes are processed in a step.
    private static let table = [UInt32](unsafeUninitializedCapacity: 4 * 256) { table, count in
        table[0] = 0
        // Those of single bits; each other one is the sum of two known ones.
        var (bit, remainder) = (128, 0x82F6_3B78 as UInt32)
        while bit > 0 {
            for place in stride(from: 0, to: 256, by: 2 * bit) {
                table[place + bit] = table[place] ^ remainder
            }
            remainder = remainder & 1 == 1 ? 0x82F6_3B78 ^ (remainder >> 1) : remainder >> 1
            bit >>= 1
        }
        for place in 256..<1024 {
            let value = table[place - 256]
            table[place] = table[Int(value & 255)] ^ (value >> 8)
        }
        count = 1024
    }

    static func crc32c(_ bytes: some Collection<UInt8>) -> UInt32 {
        // Pointers, because every write computes a checksum; everything used here is contiguous, and is only read
        // inside.
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
