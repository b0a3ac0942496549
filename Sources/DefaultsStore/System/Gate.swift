import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A gate that one visitor passes at a time, and that any thread may open again.
///
/// A mutex would be owned by the thread that locked it; an access in place that suspends ends on another thread. A
/// visitor that passes while nobody is inside, and leaves while nobody waits, changes one number. Everything else is
/// under the mutex: `state` is `awaited` from before the first thread begins to wait until after the last one has
/// passed or left. So the visitor finds out by its own step, from `taken` to `free`, that it need not wake anybody.
// Unchecked because what varies and is not atomic is only touched under `mutex`, and both C objects keep their
// addresses for life.
final class Gate: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Nil until a thread waits, which never happens at most gates, and which a program's first read need not pay
    /// for.
    private var opened: UnsafeMutablePointer<pthread_cond_t>?
    private let state = Atomic<UInt8>(Gate.free)
    private static let free: UInt8 = 0
    private static let taken: UInt8 = 1
    /// Somebody is inside, and others may be waiting.
    private static let awaited: UInt8 = 2
    private var waiting = 0
    /// How many of those leave without passing once their work has been done for them.
    private var hoping = 0
    private var handedOver = 0
    /// In a forked child a gate of the parent lets nobody pass: the visitor inside is not there to open it again.
    private let fork = Fork.count
    private var isInherited: Bool { fork != Fork.count }

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        // Destroying a condition that threads of the parent wait for would wait here until they have left it.
        guard !isInherited else { return }
        if let opened {
            pthread_cond_destroy(opened)
            opened.deallocate()
        }
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Waits for the gate until a deadline.
    ///
    /// - Returns: whether the caller has passed and has to ``open()`` it again.
    func close(until deadline: Deadline) -> Bool { pass(until: deadline, hopes: false) { false } == .passed }

    /// How waiting for the gate has ended.
    enum Passage: Hashable {
        /// The caller has passed and has to ``open()`` the gate again.
        case passed
        /// Nothing needs to be done any more.
        case needless
        /// The deadline has passed.
        case late
    }

    /// Waits for the gate, unless what the caller wants to do inside is done by an earlier visitor.
    ///
    /// All threads whose work is done leave at once, and not one after the other through the gate.
    ///
    /// - Parameter isDone: asked whenever the gate is opened; under a lock, so it may take only leaf locks.
    func pass(until deadline: Deadline, unless isDone: () -> Bool) -> Passage {
        pass(until: deadline, hopes: true, isDone)
    }

    private func pass(until deadline: Deadline, hopes: Bool, _ isDone: () -> Bool) -> Passage {
        guard !isInherited else { return .late }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isDone() { return .needless }
        if state.exchange(Gate.awaited, ordering: .acquiring) == Gate.free { return .passed }
        let opened = condition()
        waiting += 1
        hoping += hopes ? 1 : 0
        defer {
            waiting -= 1
            hoping -= hopes ? 1 : 0
        }
        while handedOver == 0 {
            let isInTime = wait(for: opened, until: deadline)
            if isDone() { return leave() }
            guard isInTime || handedOver > 0 else { return .late }
        }
        handedOver -= 1
        return .passed
    }

    /// Leaves without passing; the caller is still counted among the waiting threads.
    private func leave() -> Passage {
        // What was handed over to one of the waiting threads, with none left to take it, is free for the next to
        // come.
        if handedOver == waiting {
            handedOver -= 1
            state.store(Gate.free, ordering: .releasing)
        }
        return .needless
    }

    /// Passes the gate if nobody is inside.
    ///
    /// - Returns: whether the caller has passed and has to ``open()`` it again.
    func closeAtOnce() -> Bool {
        guard !isInherited else { return false }
        return state.compareExchange(expected: Gate.free, desired: Gate.taken, ordering: .acquiring).exchanged
    }

    /// Lets the next visitor in; from any thread.
    ///
    /// The gate is handed to a waiting thread, so that the visitor that leaves cannot take it again and again before
    /// the others.
    func open() {
        guard !isInherited else { return }
        if state.compareExchange(expected: Gate.taken, desired: Gate.free, ordering: .releasing).exchanged {
            return
        }
        pthread_mutex_lock(mutex)
        if waiting > handedOver { handedOver += 1 } else { state.store(Gate.free, ordering: .releasing) }
        let (isHoped, condition) = (hoping > 0, opened)
        pthread_mutex_unlock(mutex)
        guard let condition else { return }
        if isHoped { pthread_cond_broadcast(condition) } else { pthread_cond_signal(condition) }
    }

    /// Returns the condition that threads which cannot pass wait for; under the mutex.
    private func condition() -> UnsafeMutablePointer<pthread_cond_t> {
        if let opened { return opened }
        let fresh = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        #if canImport(Darwin)
            pthread_cond_init(fresh, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(fresh, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
        opened = fresh
        return fresh
    }

    /// How many threads are waiting now.
    var waiters: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return waiting
    }

    /// Waits for a signal; false once the deadline has passed.
    private func wait(for opened: UnsafeMutablePointer<pthread_cond_t>, until deadline: Deadline) -> Bool {
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
    /// Creates the C library's value for some nanoseconds.
    fileprivate init(nanoseconds: UInt64) {
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
