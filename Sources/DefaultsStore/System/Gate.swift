#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A gate one visitor passes at a time, and that any thread may open again.
///
/// A mutex would be owned by the thread that locked it; an access in place that suspends ends on another one.
// Unchecked because what varies is only touched under `mutex`, and both C objects keep their addresses for life.
final class Gate: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let opened: UnsafeMutablePointer<pthread_cond_t>
    private var isTaken = false
    private var waiting = 0
    private var handedOver = 0
    /// In a forked child a gate of its parent opens for nobody: whoever was inside is not there to open it again.
    private let fork = Fork.count
    private var isInherited: Bool { fork != Fork.count }

    init() {
        mutex = .allocate(capacity: 1)
        opened = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            pthread_cond_init(opened, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(opened, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        // A condition that threads of the parent wait for would be waited for here until they have left it.
        guard !isInherited else { return }
        pthread_cond_destroy(opened)
        pthread_mutex_destroy(mutex)
        opened.deallocate()
        mutex.deallocate()
    }

    /// Waits for the gate until a deadline.
    ///
    /// - Returns: whether the caller has passed and has to ``open()`` it again.
    func close(until deadline: Deadline) -> Bool {
        guard !isInherited else { return false }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard isTaken else {
            isTaken = true
            return true
        }
        waiting += 1
        defer { waiting -= 1 }
        while handedOver == 0 {
            guard wait(until: deadline) || handedOver > 0 else { return false }
        }
        handedOver -= 1
        return true
    }

    /// Passes the gate where nobody is inside.
    ///
    /// - Returns: whether the caller has passed and has to ``open()`` it again.
    func closeAtOnce() -> Bool {
        guard !isInherited else { return false }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// Lets the next visitor in; from any thread.
    ///
    /// It is handed to one that waits, so that the one who leaves cannot take it again and again before them.
    func open() {
        guard !isInherited else { return }
        pthread_mutex_lock(mutex)
        if waiting > handedOver { handedOver += 1 } else { isTaken = false }
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(opened)
    }

    /// Waits for a signal; false once the deadline has passed.
    private func wait(until deadline: Deadline) -> Bool {
        #if canImport(Darwin)
            let now = SystemCalls.monotonicNanoseconds
            guard deadline.nanoseconds > now else { return false }
            var rest = timespec(nanoseconds: deadline.nanoseconds - now)
            return pthread_cond_timedwait_relative_np(opened, mutex, &rest) == 0 || !deadline.hasPassed
        #else
            var moment = timespec(nanoseconds: deadline.nanoseconds)
            return pthread_cond_timedwait(opened, mutex, &moment) == 0 || !deadline.hasPassed
        #endif
    }
}

extension timespec {
    /// So many nanoseconds as the C library wants them.
    fileprivate init(nanoseconds: UInt64) {
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
