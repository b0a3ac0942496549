import Synchronization

/// A value under a try-lock: a thread that does not get it goes on without.
///
/// For a cache, where such a thread only fails to keep something. It takes one atomic operation that stalls
/// other processors, instead of a mutex's two.
///
/// Proof of mutual exclusion: the thread that has changed `isUsed` from false to true has the value. It
/// changes the flag back by a releasing store; the change to true acquires.
// Unchecked is sound because of that proof, and because the value keeps its address for life.
struct TryLocked<Value>: ~Copyable, @unchecked Sendable {
    private let isUsed = Atomic<Bool>(false)
    private let value: UnsafeMutablePointer<Value>

    /// Creates a guard around a value.
    init(_ value: Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs a body on the value; nil if another thread is using it.
    @inline(__always)
    func withLockIfAvailable<Result>(_ body: (inout Value) -> Result) -> Result? {
        guard !isUsed.exchange(true, ordering: .acquiring) else { return nil }
        defer { isUsed.store(false, ordering: .releasing) }
        return body(&value.pointee)
    }
}
