public import Synchronization

/// Four hazard pointers.
///
/// A reader publishes the value that it is about to copy, so that no thread releases it.
@usableFromInline
struct HazardPointers: ~Copyable, Sendable {
    @usableFromInline let first = Atomic<UInt>(0)
    @usableFromInline let second = Atomic<UInt>(0)
    @usableFromInline let third = Atomic<UInt>(0)
    @usableFromInline let fourth = Atomic<UInt>(0)

    init() {}

    /// Takes a pointer for an address, unless it is in use.
    @inlinable @inline(__always)
    func take(_ pointer: borrowing Atomic<UInt>, for address: UInt) -> Bool {
        pointer.compareExchange(expected: 0, desired: address, ordering: .sequentiallyConsistent).exchanged
    }

    /// Whether a reader protects an address.
    func has(_ address: UInt) -> Bool {
        first.load(ordering: .sequentiallyConsistent) == address
            || second.load(ordering: .sequentiallyConsistent) == address
            || third.load(ordering: .sequentiallyConsistent) == address
            || fourth.load(ordering: .sequentiallyConsistent) == address
    }
}
