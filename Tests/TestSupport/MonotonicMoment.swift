import Libc

/// The present moment of the clock that all processes share, in nanoseconds, as the peers note it.
package func monotonicMoment() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
