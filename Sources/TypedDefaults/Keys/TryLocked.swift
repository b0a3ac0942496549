import Synchronization

/// A value that is only touched by a thread that finds no other one using it: nobody waits.
///
/// For a cache, where a thread that does not get in only fails to keep something. It takes one atomic operation that
/// keeps other processors waiting, instead of a mutex's two.
///
/// Proof that there is one user at a time. The thread that has changed `isUsed` from false to true is in, and changes it
/// back by a releasing store; the change acquires.
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
