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
    static let bootNumber: UInt64? = {
        #if os(Linux)
            do {
                let text = try read(openFile("/proc/sys/kernel/random/boot_id"), count: 64, at: 0, once: true)
                // An id of 122 drawn bits, of which most of 64 stay.
                return text.count >= 32
                    ? text.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } : nil
            } catch {
                // A system without /proc.
                return nil
            }
        #else
            return nil
        #endif
    }()

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
