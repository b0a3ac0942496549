#if os(Linux)
    import CTypedDefaults
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Calls that move, sync and lock bytes.
extension SystemCalls {
    /// Writes all bytes at a position, continuing after a short write.
    static func write(_ bytes: [UInt8], to file: borrowing Descriptor, at offset: Int) throws(SystemError) {
        if let error = writeWhatFits(bytes, to: file, at: offset).error { throw error }
    }

    /// Writes numbers at a position, each in the processor's byte order, continuing after a short write.
    static func write<Numbers: BitwiseCopyable>(
        numbers: Numbers, to file: borrowing Descriptor, at offset: Int
    ) throws(SystemError) {
        let raw = file.raw
        // A pointer to the numbers themselves, because each set writes some; it stays inside the closure.
        let refusal = withUnsafeBytes(of: numbers) { writeWhatFits($0, to: raw, at: offset).error }
        if let refusal { throw refusal }
        try handOver(file)
    }

    /// Writes bytes at a position, continuing after a short write.
    ///
    /// - Returns: how many were written, and the failure that prevented the rest. Where a file system that is not local
    ///   refuses what was written only when it is handed over, none counts, and any may be there.
    static func writeWhatFits(
        _ bytes: [UInt8], to file: borrowing Descriptor, at offset: Int
    ) -> (written: Int, error: SystemError?) {
        let raw = file.raw
        return handingOver(file, bytes.withUnsafeBytes { writeWhatFits($0, to: raw, at: offset) })
    }

    /// Writes bytes in the caller's memory in the same way.
    static func writeWhatFits(
        _ bytes: UnsafeRawBufferPointer, to file: borrowing Descriptor, at offset: Int
    ) -> (written: Int, error: SystemError?) {
        handingOver(file, writeWhatFits(bytes, to: file.raw, at: offset))
    }

    @inline(__always)
    private static func handingOver(
        _ file: borrowing Descriptor, _ outcome: (written: Int, error: SystemError?)
    ) -> (written: Int, error: SystemError?) {
        guard file.isRemote, outcome.written > 0 else { return outcome }
        do { try handOver(file) } catch { return (0, outcome.error ?? error) }
        return outcome
    }

    private static func writeWhatFits(
        _ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int
    ) -> (written: Int, error: SystemError?) {
        var done = 0
        while done < bytes.count {
            let start = bytes.baseAddress?.advanced(by: done)
            do throws(SystemError) {
                done += try check("pwrite") { pwrite(file, start, bytes.count - done, off_t(offset + done)) }
            } catch {
                return (done, error)
            }
        }
        return (done, nil)
    }

    /// Truncates a file to a length.
    static func truncate(_ file: borrowing Descriptor, to length: Int) throws(SystemError) {
        let raw = file.raw
        _ = try check("ftruncate") { ftruncate(raw, off_t(length)) }
    }

    /// Has the kernel start writing a file's bytes, so that the sync that has to follow is shorter.
    ///
    /// It waits for nothing and promises nothing; a failure is left to the sync to report.
    static func beginToSynchronize(_ file: borrowing Descriptor) {
        #if os(Linux)
            _ = typed_defaults_begin_to_write(file.raw)
        #endif
    }

    /// Waits until a file's bytes and length are durable; its times may not be.
    static func synchronizeData(_ file: borrowing Descriptor) throws(SystemError) {
        #if canImport(Darwin)
            try synchronize(file)
        #else
            let raw = file.raw
            _ = try check("fdatasync") { fdatasync(raw) }
        #endif
    }

    /// Waits until a file's or folder's contents are durable.
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

    /// Waits until a folder's names are durable.
    ///
    /// Through a descriptor of its own each time: on one that has failed, a second try could succeed although names
    /// are lost.
    static func synchronizeFolder(_ folder: borrowing Descriptor) throws(SystemError) {
        try synchronize(try open(".", in: folder, .directory))
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

    /// Releases the lock.
    ///
    /// It is also released when the descriptor's last copy is closed.
    static func unlock(_ file: borrowing Descriptor) throws(SystemError) {
        let raw = file.raw
        _ = try check("flock") { flock(raw, LOCK_UN) }
    }

    /// Maps the first bytes of a file for reading.
    static func map(
        _ file: borrowing Descriptor, count: Int, at place: UInt? = nil
    ) throws(SystemError) -> UnsafeRawPointer {
        let raw = file.raw
        if let planned = Faults.strike("mmap") { throw SystemError(call: "mmap", errno: planned) }
        let fixed = place == nil ? 0 : MAP_FIXED
        let address = mmap(
            place.flatMap(UnsafeMutableRawPointer.init(bitPattern:)), count, PROT_READ, MAP_SHARED | fixed,
            raw, 0)
        let code = lastError
        // `MAP_FAILED`, which is a function of another library here.
        guard let address, UInt(bitPattern: address) != .max else {
            throw SystemError(call: "mmap", errno: code)
        }
        return UnsafeRawPointer(address)
    }

    /// Puts zeros in place of what is mapped at an address.
    static func mapZeros(at address: UInt, count: Int) {
        #if canImport(Darwin)
            let anonymous = MAP_ANON
        #else
            let anonymous = MAP_ANONYMOUS
        #endif
        // If this fails, the old mapping stays, which is just as good to read.
        _ = mmap(
            UnsafeMutableRawPointer(bitPattern: address), count, PROT_READ,
            MAP_PRIVATE | MAP_FIXED | anonymous, -1, 0)
    }
}
