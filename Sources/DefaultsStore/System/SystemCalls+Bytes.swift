#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Calls that move, keep and lock bytes.
extension SystemCalls {
    /// Reads up to `count` bytes at a position; fewer only where the file ends.
    static func read(_ file: borrowing Descriptor, count: Int, at offset: Int) throws(SystemError) -> [UInt8]
    {
        let raw = file.raw
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(SystemError) -> Int in
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[done...])
                return try check("pread") { pread(raw, rest.baseAddress, rest.count, off_t(offset + done)) }
            }
            if got == 0 { break }
            done += got
        }
        if done < count { bytes.removeLast(count - done) }
        return bytes
    }

    /// Writes all bytes at a position, going on after a short write.
    static func write(_ bytes: [UInt8], to file: borrowing Descriptor, at offset: Int) throws(SystemError) {
        let raw = file.raw
        var done = 0
        while done < bytes.count {
            done += try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) -> Int in
                let rest = UnsafeBufferPointer(rebasing: buffer[done...])
                return try check("pwrite") { pwrite(raw, rest.baseAddress, rest.count, off_t(offset + done)) }
            }
        }
    }

    /// Waits until a file's or folder's contents are on the disk.
    ///
    /// A failure is never followed by a second try on the same descriptor: the kernel has marked the pages clean.
    static func synchronize(_ file: borrowing Descriptor) throws(SystemError) {
        let raw = file.raw
        #if canImport(Darwin)
            _ = try check("fsync") { fcntl(raw, F_FULLFSYNC) }
        #else
            _ = try check("fsync") { fsync(raw) }
        #endif
    }

    /// Tries to lock a file for this descriptor alone, without waiting.
    ///
    /// - Returns: whether the lock is held now.
    static func tryLock(_ file: borrowing Descriptor) throws(SystemError) -> Bool {
        let raw = file.raw
        do {
            // `Glibc.flock` names the structure, so the function is called without its module's name.
            _ = try check("flock") { flock(raw, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            if error.errno == EWOULDBLOCK { return false }
            throw error
        }
    }

    /// Gives the lock back.
    ///
    /// It also goes when the descriptor's last copy closes.
    static func unlock(_ file: borrowing Descriptor) throws(SystemError) {
        let raw = file.raw
        _ = try check("flock") { flock(raw, LOCK_UN) }
    }

    /// Maps the first bytes of a file for reading.
    static func map(_ file: borrowing Descriptor, count: Int) throws(SystemError) -> UnsafeRawPointer {
        let raw = file.raw
        if let planned = Faults.strike("mmap") { throw SystemError(call: "mmap", errno: planned) }
        let address = mmap(nil, count, PROT_READ, MAP_SHARED, raw, 0)
        let code = errno
        guard let address, address != MAP_FAILED else { throw SystemError(call: "mmap", errno: code) }
        return UnsafeRawPointer(address)
    }

    /// Ends a mapping.
    static func unmap(_ address: UnsafeRawPointer, count: Int) {
        munmap(UnsafeMutableRawPointer(mutating: address), count)
    }
}
