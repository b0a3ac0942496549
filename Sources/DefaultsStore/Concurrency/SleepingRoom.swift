#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where threads wait until something has changed, on systems whose kernel cannot compare and sleep in one step for
/// us: a mutex and a condition.
// Unchecked because both C objects keep their addresses for life, and nothing else varies.
final class SleepingRoom: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    /// Destroying a condition that threads of a parent process wait for would wait here until they have left it.
    private let fork = Fork.count

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        changed = .allocate(capacity: 1)
        #if canImport(Darwin)
            pthread_cond_init(changed, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(changed, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        guard fork == Fork.count else { return }
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Wakes those who wait; what they wait for has changed already.
    func wake(_ audience: WaitWord.Audience) {
        // Who has found it unchanged is asleep once the mutex is to be had.
        pthread_mutex_lock(mutex)
        pthread_mutex_unlock(mutex)
        switch audience {
        case .one: pthread_cond_signal(changed)
        case .all: pthread_cond_broadcast(changed)
        }
    }

    /// Waits to be woken, unless something has changed already.
    ///
    /// - Returns: false once the deadline has passed.
    func wait(until deadline: Deadline, while isUnchanged: () -> Bool) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard isUnchanged() else { return true }
        #if canImport(Darwin)
            let now = SystemCalls.monotonicNanoseconds
            guard deadline.nanoseconds > now else { return false }
            var rest = timespec(nanoseconds: deadline.nanoseconds - now)
            return pthread_cond_timedwait_relative_np(changed, mutex, &rest) == 0 || !deadline.hasPassed
        #else
            var moment = timespec(nanoseconds: deadline.nanoseconds)
            return pthread_cond_timedwait(changed, mutex, &moment) == 0 || !deadline.hasPassed
        #endif
    }
}

extension timespec {
    /// Creates the C library's value for some nanoseconds.
    init(nanoseconds: UInt64) {
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
