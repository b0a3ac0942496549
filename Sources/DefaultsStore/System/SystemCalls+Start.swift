import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What holds for the process, or for the system since its start.
extension SystemCalls {
    /// A number that tells this start of the system from every other; nil where the system does not say.
    ///
    /// Not a constant: a fork may come while another thread is about to set one, and the child would wait for it.
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

    /// A number of the system's id of its start: of 122 drawn bits, of which most of 64 stay; nil for what is no such id.
    static func number(ofStart id: [UInt8]) -> UInt64? {
        guard id.count >= 32 else { return nil }
        return id.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// How many bytes a file's file system has room for, as far as it is this user's; none where it does not say.
    static func freeBytes(beside file: borrowing Descriptor) -> Int {
        let raw = file.raw
        var result = statvfs()
        do { _ = try check("fstatvfs") { fstatvfs(raw, &result) } } catch { return 0 }
        let (bytes, isMore) = UInt64(result.f_bavail).multipliedReportingOverflow(by: UInt64(result.f_frsize))
        return isMore ? .max : Int(clamping: bytes)
    }

    /// The size up to which the process may make a file grow: beyond it, the kernel ends the process.
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
