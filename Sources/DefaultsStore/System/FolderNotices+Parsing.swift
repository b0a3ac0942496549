#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The kernel's own records of events: watch, mask, cookie, length of the name, the name padded with zeros.
    extension FolderNotices {
        /// The most bytes of one record: its name has up to `NAME_MAX`.
        static let longest = 16 + 256

        /// Parses some records.
        // A pointer, because an observer waits for this; what is loaded is compared with the end first.
        static func parse(_ bytes: UnsafeRawBufferPointer, into notices: inout [Notice]) {
            var place = 0
            while place + 16 <= bytes.count {
                let watch = bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)
                let mask = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                let end = min(bytes.count, place + 16 + length)
                let name = bytes[(place + 16)..<end].prefix { $0 != 0 }
                place = end
                let lost = mask & UInt32(IN_Q_OVERFLOW) != 0
                notices.append(
                    Notice(
                        watch: lost ? nil : watch, name: String(decoding: name, as: UTF8.self),
                        isWriteInPlace: mask & UInt32(IN_CLOSE_WRITE) != 0,
                        isEnd: mask & UInt32(IN_IGNORED) != 0))
            }
        }
    }
#endif
