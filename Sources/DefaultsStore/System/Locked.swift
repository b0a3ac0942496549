import Synchronization

/// A value that is only touched under its lock: the standard library's `Mutex`, with its order made visible.
///
/// When the lock is contended, `Mutex` orders its holders inside the library, where the ThreadSanitizer does not look,
/// so it reports races that are none. The flag tells it: each holder reads what the one before has written.
/// That costs a plain load and a plain store on the processors we know.
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let wasHeld = Atomic<Bool>(false)

    /// Guards a value.
    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Waits for the lock, runs a body on the value and gives the lock back.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { (value) throws(Failure) -> sending Result in
            _ = wasHeld.load(ordering: .acquiring)
            defer { wasHeld.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }
}
