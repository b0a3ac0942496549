/// Bytes that are zero.
enum Zeros {
    /// Whether all bytes are; eight at a time, because a read after another process's durable set comes past here.
    static func fill(_ bytes: ArraySlice<UInt8>) -> Bool {
        // A pointer, for the same reason; what is read lies before `bytes.count`.
        bytes.withUnsafeBytes { bytes in
            var place = 0
            while place + 8 <= bytes.count {
                if bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) != 0 { return false }
                place += 8
            }
            while place < bytes.count {
                if bytes[place] != 0 { return false }
                place += 1
            }
            return true
        }
    }
}
