#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Calls that read and compare bytes.
extension SystemCalls {
    /// Whether two pieces of memory have the same bytes.
    static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
        return start == otherStart || memcmp(start, otherStart, one.count) == 0
    }

    /// Copies a file's bytes to the beginning of another, piece by piece.
    static func copy(_ file: borrowing Descriptor, to target: borrowing Descriptor) throws(SystemError) {
        var done = 0
        while true {
            let piece = try read(file, count: 256 << 10, at: done)
            if piece.isEmpty { return }
            try write(piece, to: target, at: done)
            done += piece.count
        }
    }

    /// Whether a file has exactly some bytes; they are compared piece by piece, so that little memory is needed.
    static func holds(_ file: borrowing Descriptor, _ bytes: [UInt8]) throws(SystemError) -> Bool {
        try refresh(file)
        let raw = file.raw
        let outcome = withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 8) {
            room -> Result<Bool, SystemError> in
            do throws(SystemError) {
                var done = 0
                while true {
                    let got = try check("pread") { pread(raw, room.baseAddress, room.count, off_t(done)) }
                    if got == 0 { return .success(done == bytes.count) }
                    guard got <= bytes.count - done else { return .success(false) }
                    let isSame = bytes.withUnsafeBytes {
                        areEqual(
                            UnsafeRawBufferPointer(rebasing: room[..<got]),
                            UnsafeRawBufferPointer(rebasing: $0[done..<done + got]))
                    }
                    guard isSame else { return .success(false) }
                    done += got
                }
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Reads up to `count` bytes at a position; fewer only if the file ends.
    ///
    /// - Parameter once: whether fewer bytes than requested are taken to mean the end without another call, as is
    ///   right for regular files on a disk.
    static func read(
        _ file: borrowing Descriptor, count: Int, at offset: Int, once: Bool = false
    ) throws(SystemError) -> [UInt8] {
        try refresh(file)
        if once { return try readOnce(file.raw, count, offset) }
        let raw = file.raw
        var refusal: SystemError?
        // A pointer, because zeros need not be written where the file's bytes go: a fresh page costs as much as
        // reading it. The kernel writes within `count` bytes of the start, and `done` counts what it has written.
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            if count >= largeRead { populate(UnsafeMutableRawBufferPointer(buffer)) }
            do throws(SystemError) {
                while done < count {
                    let rest = UnsafeMutableBufferPointer(rebasing: buffer[done..<count])
                    let got = try check("pread") {
                        pread(raw, rest.baseAddress, rest.count, off_t(offset + done))
                    }
                    done += got
                    if got == 0 { break }
                }
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        return bytes
    }

    /// From this many bytes on, the buffer usually consists of memory that the process did not have yet.
    private static let largeRead = 128 << 10

    /// Has the kernel provide all pages of a buffer that is about to be written at once, and not at each one's first
    /// use.
    private static func populate(_ room: UnsafeMutableRawBufferPointer) {
        #if os(Linux)
            let page = Int(getpagesize())
            guard let start = room.baseAddress?.alignedUp(toMultipleOf: page) else { return }
            let length = (room.baseAddress.map { $0 + room.count - start } ?? 0) / page * page
            // `MADV_POPULATE_WRITE`, which the headers hide from Swift. A kernel before 5.14 does not know it, and
            // provides the pages one by one, as it also does if it refuses.
            if length > 0 { _ = madvise(start, length, 23) }
        #endif
    }

    /// Reads once, and keeps no more room than was read.
    private static func readOnce(_ file: Int32, _ count: Int, _ offset: Int) throws(SystemError) -> [UInt8] {
        let outcome = withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) {
            room -> Result<[UInt8], SystemError> in
            do throws(SystemError) {
                let got = try check("pread") { pread(file, room.baseAddress, count, off_t(offset)) }
                return .success([UInt8](UnsafeRawBufferPointer(rebasing: room[..<got])))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Reads from a position to the end of the file, as far as there is one while others append.
    static func readToEnd(_ file: borrowing Descriptor, from offset: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try readPieces(file, from: offset) { piece in
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            return true
        }
        return bytes
    }

    /// Reads from a position on, in pieces of at most one mebibyte, to the end of the file (as far as there is one
    /// while others append), or until a body wants no more.
    ///
    /// - Returns: whether the last piece reached the end of the file.
    static func readPieces(
        _ file: borrowing Descriptor, from offset: Int, _ body: ([UInt8]) -> Bool
    ) throws(SystemError) -> Bool {
        var (size, position) = (4_096, offset)
        while true {
            let piece = try read(file, count: size, at: position, once: true)
            position += piece.count
            let isEnd = piece.count < size
            guard body(piece), !isEnd else { return isEnd }
            size = min(size * 4, 1 << 20)
        }
    }
}
