/// The ends of lines among bytes.
enum LineEnd {
    /// Returns the position of the first line feed from a start on, which is at most the number of bytes.
    ///
    /// Eight bytes at a time: after subtracting one from each, a byte that was zero has its highest bit set, which it
    /// had not before. No byte below the first such byte is changed by a borrow, so the lowest bit found is exact.
    static func firstIndex(in bytes: [UInt8], from start: Int) -> Int? {
        // A pointer, because another process's observers wait for this; what is read lies before `bytes.count`.
        bytes.withUnsafeBytes { bytes in
            var place = start
            while place + 8 <= bytes.count {
                let eight = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let word = UInt64(littleEndian: eight) ^ ones &* UInt64(UInt8(ascii: "\n"))
                let found = (word &- ones) & ~word & (ones &* 0x80)
                if found != 0 { return place + found.trailingZeroBitCount / 8 }
                place += 8
            }
            while place < bytes.count {
                if bytes[place] == UInt8(ascii: "\n") { return place }
                place += 1
            }
            return nil
        }
    }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
}
