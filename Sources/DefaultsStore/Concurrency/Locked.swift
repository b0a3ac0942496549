#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A value that is only touched under its lock.
///
/// Not the standard library's `Mutex`, for two reasons. On Linux that one has the kernel lock in the name of a thread
/// id that it has cached since before a fork, and ends a child in which two threads contend. And it synchronises
/// waiting threads in a way that the ThreadSanitizer does not see.
// Unchecked is sound because the value is only touched under the mutex, and both keep their addresses for life.
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        // In one piece of memory, so that a processor that has the mutex in its cache has the value too.
        let mask = MemoryLayout<Value>.alignment - 1
        let place = (MemoryLayout<pthread_mutex_t>.size + mask) & ~mask
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: place + MemoryLayout<Value>.size,
            alignment: max(MemoryLayout<pthread_mutex_t>.alignment, mask + 1))
        mutex = memory.bindMemory(to: pthread_mutex_t.self, capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = (memory + place).bindMemory(to: Value.self, capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        pthread_mutex_destroy(mutex)
        UnsafeMutableRawPointer(mutex).deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock()
        defer { unlock() }
        return try body(&value.pointee)
    }

    /// For what has no body: it is locked before a fork, and unlocked after it.
    @inline(__always)
    borrowing func lock() { mutex.lock() }

    @inline(__always)
    borrowing func unlock() { pthread_mutex_unlock(mutex) }
}

extension UnsafeMutablePointer<pthread_mutex_t> {
    /// Waits for a mutex.
    ///
    /// In a forked child that uses the library all the same, for a second: the thread that has it may be the parent's,
    /// which is not there to unlock it. Then the program ends, with the reason on standard error.
    @inline(never)
    func lock() {
        if Fork.isRefused { lockInChild() } else { pthread_mutex_lock(self) }
    }

    @inline(never)
    private func lockInChild() {
        for _ in 0..<1_000 {
            if pthread_mutex_trylock(self) == 0 { return }
            SystemCalls.pause(nanoseconds: 1_000_000)
        }
        SystemCalls.writeToStandardError(
            "TypedDefaults: a forked child needs a lock that its parent had. \(Fork.recoverySuggestion)")
        abort()
    }
}

extension Locked where Value: Sendable {
    /// Puts a value in place of the present one.
    ///
    /// - Returns: the old one. What it refers to may end with it, and run user code, so it leaves the lock.
    @discardableResult
    package borrowing func exchange(_ fresh: Value) -> Value {
        withLock { value in
            let old = value
            value = fresh
            return old
        }
    }
}
