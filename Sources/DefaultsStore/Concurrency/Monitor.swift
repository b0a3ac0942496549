#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A mutex of the C library, held for a few instructions at a time, and a condition that threads wait for meanwhile.
// Unchecked is sound because the C objects keep their addresses for life, and nothing else varies.
final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        // To destroy a condition that threads of a parent process wait for would wait here until they have left it.
        guard !Fork.isRefused else { return }
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// The longest wait with a deadline before the condition is checked again.
    private static let boundedPollInNanoseconds: UInt64 = 1_000_000_000
    /// The same without a deadline: idle threads hardly ever wake for nothing.
    private static let unboundedPollInNanoseconds: UInt64 = 60_000_000_000

    @inline(__always)
    func sync<Result>(_ body: () -> Result) -> Result {
        mutex.lock()
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Gives the mutex up until the condition is announced, and takes it again; it may end earlier.
    ///
    /// - Returns: false once the deadline has passed, or the task that waits is cancelled; in a refused child at once,
    ///   because nobody is there to announce anything.
    func wait(until deadline: Deadline) -> Bool {
        if Fork.isRefused || deadline.hasPassed { return false }
        #if canImport(Darwin)
            let now = SystemCalls.monotonicNanoseconds
            guard deadline.nanoseconds > now else { return false }
            var rest = timespec(nanoseconds: deadline.nanoseconds - now)
            return pthread_cond_timedwait_relative_np(condition, mutex, &rest) == 0
                || !deadline.hasPassed
        #else
            // A signal may get lost in glibc before 2.41 (its bug 25847), so whoever waits looks again now and then.
            let isBounded = deadline.nanoseconds < Deadline.never.nanoseconds
            let look =
                SystemCalls.monotonicNanoseconds
                + (isBounded ? Monitor.boundedPollInNanoseconds : Monitor.unboundedPollInNanoseconds)
            var time = timespec(nanoseconds: min(deadline.nanoseconds, look))
            return pthread_cond_timedwait(condition, mutex, &time) == 0 || !deadline.hasPassed
        #endif
    }

    func wakeOne() { pthread_cond_signal(condition) }

    /// Wakes all threads that wait; under the mutex.
    func wakeAll() { pthread_cond_broadcast(condition) }
}

extension timespec {
    init(nanoseconds: UInt64) {
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
