import DefaultsStore
import Synchronization

/// A value that is only touched by a thread that finds no other one using it: nobody waits.
///
/// For a cache, where a thread that does not get in only fails to keep something. It takes one atomic operation that
/// keeps other processors waiting, instead of a mutex's two and two more that hold off a fork.
///
/// Proof that there is one user at a time. The thread that has changed `holder` from 0 to this process's number is
/// in, and changes it back by a releasing store; the change acquires. In a forked child there may be an ancestor's
/// number, of a thread that is not there and that may have been in the middle of a change. A thread that finds one
/// changes it to the child's number, and starts with a new value over the old one, which is neither read nor
/// released: its memory is lost to that child.
// Unchecked is sound because of that proof, and because the value keeps its address for life.
struct TryLocked<Value>: ~Copyable, @unchecked Sendable {
    /// The number of the process whose thread is in; 0 for none.
    private let holder: Atomic<UInt32>
    private let value: UnsafeMutablePointer<Value>
    private let make: @Sendable () -> Value

    /// Creates a guard around a value.
    ///
    /// - Parameter process: the process whose thread is in already, as a fork may leave it.
    init(heldBy process: UInt32 = 0, _ make: @escaping @Sendable () -> Value) {
        self.make = make
        holder = Atomic(process)
        value = .allocate(capacity: 1)
        value.initialize(to: make())
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs a body on the value; nil if another thread is using it.
    @inline(__always)
    func withLockIfAvailable<Result>(_ body: (inout Value) -> Result) -> Result? {
        let own = Fork.count &+ 1
        let (isFree, found) = holder.compareExchange(expected: 0, desired: own, ordering: .acquiring)
        if !isFree, !isTakenOver(from: found, by: own) { return nil }
        defer { holder.store(0, ordering: .releasing) }
        return body(&value.pointee)
    }

    @inline(never)
    private func isTakenOver(from other: UInt32, by own: UInt32) -> Bool {
        guard other != own,
            holder.compareExchange(expected: other, desired: own, ordering: .acquiring).exchanged
        else { return false }
        value.initialize(to: make())
        return true
    }
}
