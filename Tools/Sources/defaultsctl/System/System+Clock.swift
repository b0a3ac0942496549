#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time of day as it is printed.
extension System {
    /// This moment for a person: `18:25:48.123`, local.
    static var timeOfDay: String {
        let (seconds, milliseconds) = now
        var seconds_ = seconds
        var parts = tm()
        localtime_r(&seconds_, &parts)
        return format(parts, "%H:%M:%S") + ".\(milliseconds)"
    }

    /// This moment for a program: `2026-11-21T18:25:48.123Z`.
    static var timestamp: String {
        let (seconds, milliseconds) = now
        return date(seconds, "%Y-%m-%dT%H:%M:%S") + ".\(milliseconds)Z"
    }

    /// A file's time for a person: `2026-11-21 18:25`, local.
    static func minute(_ seconds: Int) -> String { local(seconds, "%Y-%m-%d %H:%M") }

    /// A version's time for a person: `2026-11-21 18:25:48`, local.
    static func second(_ seconds: Int) -> String { local(seconds, "%Y-%m-%d %H:%M:%S") }

    private static func local(_ seconds: Int, _ pattern: String) -> String {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        return format(parts, pattern)
    }

    /// A time in UTC.
    static func date(_ seconds: Int, _ pattern: String = "%Y-%m-%dT%H:%M:%SZ") -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        return format(parts, pattern)
    }

    private static var now: (seconds: Int, milliseconds: String) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let milliseconds = String(time.tv_nsec / 1_000_000)
        return (Int(time.tv_sec), String(repeating: "0", count: 3 - milliseconds.count) + milliseconds)
    }

    private static func format(_ parts: tm, _ pattern: String) -> String {
        var parts = parts
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
