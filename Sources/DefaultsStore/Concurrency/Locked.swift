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
///
/// No fork happens while one is locked; see ``Fork``.
// Unchecked is sound because the value is only touched under the mutex, and both keep their addresses for life.
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Creates a lock around a value.
    package init(_ value: consuming sending Value) {
        Fork.arm()
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

    /// Waits for the lock, runs a body on the value and releases the lock.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        Fork.enter()
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            Fork.leave()
        }
        return try body(&value.pointee)
    }
}

extension Locked where Value: Sendable {
    /// Puts a value in place of the present one.
    ///
    /// - Returns: the old one. What it refers to may end with it, and run people's code, so it leaves the lock.
    @discardableResult
    package borrowing func exchange(_ fresh: Value) -> Value {
        withLock { value in
            let old = value
            value = fresh
            return old
        }
    }
}
