import Glibc

/// The system's monotonic clock, which all processes share.
public enum Clock {
    /// The time in nanoseconds.
    public static func now() -> Int { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The nanoseconds that a body takes.
    public static func time(_ body: () throws -> Void) rethrows -> Double {
        let begin = now()
        try body()
        return Double(now() - begin)
    }

    /// Gives the processor away for some microseconds.
    public static func pause(microseconds: Int) {
        var time = timespec(
            tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1000)
        nanosleep(&time, nil)
    }
}
