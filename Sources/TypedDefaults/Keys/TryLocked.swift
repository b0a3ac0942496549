import DefaultsStore
import Synchronization

/// A value that is only touched by whoever finds nobody else at it: nobody waits.
///
/// For a cache, where who does not get in loses nothing but the keeping. It takes one atomic step that keeps other
/// processors waiting, in place of a mutex's two and two more that hold off a fork.
///
/// Proof that there is one at a time. Whoever has turned `holder` from 0 to this process's number is in, and turns it
/// back by a store that releases; the turn acquires. In a forked child an ancestor's number may stand there, of a thread
/// that is not there and that may have been in the middle of a change. Whoever finds one turns it to the child's number,
/// and begins a new value over what stands there, which is neither looked at nor let go of: its memory is lost to that
/// child.
// Unchecked is sound because of that proof, and because the value keeps its address for life.
struct TryLocked<Value>: ~Copyable, @unchecked Sendable {
    /// The number of the process whose thread is in; 0 for nobody.
    private let holder: Atomic<UInt32>
    private let value: UnsafeMutablePointer<Value>
    private let make: @Sendable () -> Value

    /// Guards a value.
    ///
    /// - Parameter process: whose thread is at it already, as a fork may leave it.
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

    /// Runs a body on the value; nil where somebody else is at it.
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
