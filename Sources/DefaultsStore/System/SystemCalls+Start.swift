import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is true of the process, or of the system since it booted.
extension SystemCalls {
    /// A number that distinguishes this boot of the system from every other; nil if the system does not tell.
    ///
    /// Not a constant: a fork may happen while another thread is about to initialise one, and the child would wait
    /// for it.
    static var bootNumber: UInt64? {
        #if os(Linux)
            let known = knownStart.load(ordering: .relaxed)
            if known != 0 { return known }
            do {
                let id = try read(openFile("/proc/sys/kernel/random/boot_id"), count: 64, at: 0, once: true)
                guard let number = number(ofStart: id) else { return nil }
                knownStart.store(number, ordering: .relaxed)
                return number
            } catch {
                // A system without /proc, or one that is short of something now.
                return nil
            }
        #else
            return nil
        #endif
    }

    private static let knownStart = Atomic<UInt64>(0)

    /// Returns a number for the system's boot id: of its 122 random bits, most of 64 are kept; nil for what is not
    /// such an id.
    static func number(ofStart id: [UInt8]) -> UInt64? {
        guard id.count >= 32 else { return nil }
        return id.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Returns how many bytes are free for this user on a file's file system; none if it does not tell.
    static func freeBytes(beside file: borrowing Descriptor) -> Int {
        let raw = file.raw
        var result = statvfs()
        do { _ = try check("fstatvfs") { fstatvfs(raw, &result) } } catch { return 0 }
        let (bytes, isMore) = UInt64(result.f_bavail).multipliedReportingOverflow(by: UInt64(result.f_frsize))
        return isMore ? .max : Int(clamping: bytes)
    }

    /// The size up to which the process may extend a file: beyond it, the kernel kills the process.
    static var mostBytesOfFile: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let kind = RLIMIT_FSIZE
        #endif
        guard getrlimit(kind, &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }
}
