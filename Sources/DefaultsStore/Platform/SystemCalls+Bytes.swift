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
    /// Continues after a short write.
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
            do {
                _ = try check("fsync") { fcntl(raw, F_FULLFSYNC) }
                return
            } catch {
                // Then `fsync` gives as much as there is.
                guard error.hasNoFullSynchronization else { throw error }
            }
        #endif
        _ = try check("fsync") { fsync(raw) }
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

    /// Reads a file's first byte: the kernel notifies those who watch the file for that.
    static func show(_ file: borrowing Descriptor) throws(SystemError) {
        let raw = file.raw
        var byte: UInt8 = 0
        _ = try check("pread") { pread(raw, &byte, 1, 0) }
    }

    /// Maps the first bytes of a file for reading.
    static func map(
        _ file: borrowing Descriptor, count: Int, at place: UInt? = nil
    ) throws(SystemError) -> UnsafeRawPointer {
        let raw = file.raw
        if let planned = FaultInjection.strike("mmap") { throw SystemError(call: "mmap", errno: planned) }
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

    #if canImport(Darwin)
        private static let anonymous = MAP_ANON
    #else
        private static let anonymous = MAP_ANONYMOUS
    #endif

    /// Puts zeros in place of what is mapped at an address.
    static func mapZeros(at address: UInt, count: Int) {
        // If this fails, the old mapping stays, which is just as good to read.
        _ = mmap(
            UnsafeMutableRawPointer(bitPattern: address), count, PROT_READ,
            MAP_PRIVATE | MAP_FIXED | anonymous, -1, 0)
    }

    /// Runs a body with room for some bytes: on the stack if they are few, in pages of their own if they are very many.
    ///
    /// Of pieces that are released in its heap, glibc keeps up to twice the size of the largest one.
    static func withRoom<Result>(
        forBytes count: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard count >= greatestRoomInHeap, let pages = pages(forBytes: count) else {
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count, body)
        }
        defer { munmap(pages, count) }
        return body(
            UnsafeMutableBufferPointer(start: pages.bindMemory(to: UInt8.self, capacity: count), count: count)
        )
    }

    private static let greatestRoomInHeap = 1 << 20

    /// Nil if the kernel has none to give.
    @inline(never)
    private static func pages(forBytes count: Int) -> UnsafeMutableRawPointer? {
        if FaultInjection.strike("mmap") != nil { return nil }
        let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
        return UInt(bitPattern: pages) == .max ? nil : pages
    }
}

/// Calls that read and compare bytes.
extension SystemCalls {
    static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
        return start == otherStart || memcmp(start, otherStart, one.count) == 0
    }

    /// Whether all bytes are zero: the first one is, and each is like the one before it.
    static func areZeros(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            // Mostly there are none.
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
            return bytes[0] == 0 && memcmp(start + 1, start, bytes.count - 1) == 0
        }
    }

    static func firstIndex(of byte: UInt8, in bytes: [UInt8], from place: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            return memchr(start + place, Int32(byte), bytes.count - place).map {
                UnsafeRawPointer($0) - start
            }
        }
    }

    /// Piece by piece.
    static func copy(_ file: borrowing Descriptor, to target: borrowing Descriptor) throws(SystemError) {
        var done = 0
        while true {
            let piece = try read(file, count: 256 << 10, at: done)
            if piece.isEmpty { return }
            try write(piece, to: target, at: done)
            done += piece.count
        }
    }

    /// Compares piece by piece, so that little memory is needed.
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
    @inline(never)  // Next to the call of the system, one more costs nothing.
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

/// F20: how the system is made to ask a file system that is not local, and to tell it what was written.
///
/// Of network and user-space file systems the kernel remembers, often for seconds, which file a name stands for, how
/// long a file is and when it was changed, and what is in it. Meanwhile others may have changed all of it. So wherever a
/// ``Descriptor`` is marked as one of these, every lookup goes to the file system itself, and every write has arrived
/// there when its call returns. The rest of the store need not know.
///
/// - **Names.** Nothing can be given a name that is taken, and for that no memory is good enough: the kernel has to
///   ask (its `LOOKUP_EXCL`). So it is told to give the name to the folder itself, which is always refused, since no
///   folder has a second name; what it has found out meanwhile is what the next call goes by.
/// - **Lengths and times.** `statx` with `AT_STATX_FORCE_SYNC`.
/// - **Bytes.** Network file systems promise *close-to-open*: who opens a file finds what was written by those who
///   have closed it. So a file that stays open is opened once more before it is read, and a copy of the descriptor is
///   closed after it was written to.
///
/// What the file system itself remembers, as a user-space one may, nobody can make it forget. Other systems than Linux
/// have no such calls: there, only what was written is handed over.
extension SystemCalls {
    /// Has the system ask what a name in a folder stands for, and what that is like now.
    ///
    /// - Throws: `ESTALE` if it goes on with a file that no longer has the name, as a kernel before 5.15 does for some
    ///   time: what is there is not known then.
    static func refresh(_ name: String, in folder: borrowing Descriptor) throws(SystemError) {
        #if os(Linux)
            guard folder.isRemote else { return }
            let raw = folder.raw
            for _ in 0..<mostAttempts {
                if FaultInjection.strike("linkat(.)") == nil {
                    _ = name.withCString { linkat(raw, ".", raw, $0, 0) }
                }
                guard try links(raw, name, .name) == 0 else { return }
                pause(nanoseconds: 50_000_000)
            }
            throw SystemError(call: "statx", errno: ESTALE)
        #endif
    }

    /// Has the system ask how long an open file is and what is in it.
    static func refresh(_ file: borrowing Descriptor) throws(SystemError) {
        #if os(Linux)
            guard file.isRemote else { return }
            if file.staysOpen { try openAgain(file) }
            _ = try links(file.raw, "", .descriptor)
        #endif
    }

    #if os(Linux)
        /// How often a name is looked up until it stands for a file that has a name: for two seconds.
        private static let mostAttempts = 40

        /// How many names a file has, according to the file system; nil if it does not say, or there is no such file.
        private static func links(
            _ place: Int32, _ name: String, _ mode: LinuxCalls.StatMode
        ) throws(SystemError) -> Int? {
            var found = LinuxCalls.ExtendedStatus()
            do {
                _ = try check("statx") {
                    name.withCString { LinuxCalls.readExtendedStatus(place, $0, mode, &found, asks: true) }
                }
            } catch {
                // What is missing, the call that follows says. A sandbox may know only older calls.
                guard error.isMissing || error.errno == ENOSYS || error.errno == EPERM else { throw error }
            }
            return found.inode?.linkCount
        }

        private static func openAgain(_ file: borrowing Descriptor) throws(SystemError) {
            do { _ = try openFile("/proc/self/fd/\(file.raw)") } catch {
                // The file is gone, which reading it tells.
                if error.isStale { return }
                // Not the file is missing, but the folder of processes.
                throw error.isMissing ? SystemError(call: "open(/proc)", errno: EOPNOTSUPP) : error
            }
        }
    #endif

    /// Hands what was written to a file over to the file system.
    static func handOver(_ file: borrowing Descriptor) throws(SystemError) {
        guard file.isRemote else { return }
        let raw = file.raw
        let copy = Descriptor(
            taking: try check("fcntl") { fcntl(raw, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) })
        let refusal = copy.closed()
        let code = FaultInjection.strike("close") ?? refusal
        if code != 0 { throw SystemError(call: "close", errno: code) }
    }
}
