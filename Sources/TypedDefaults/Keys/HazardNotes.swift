public import Synchronization

/// Four hazard pointers, in which readers note the value that they are about to copy, so that nobody releases it.
@usableFromInline
struct HazardNotes: ~Copyable, Sendable {
    @usableFromInline let first = Atomic<UInt>(0)
    @usableFromInline let second = Atomic<UInt>(0)
    @usableFromInline let third = Atomic<UInt>(0)
    @usableFromInline let fourth = Atomic<UInt>(0)

    init() {}

    /// Makes a note, unless there is another one already.
    @inlinable @inline(__always)
    func take(_ note: borrowing Atomic<UInt>, for place: UInt) -> Bool {
        note.compareExchange(expected: 0, desired: place, ordering: .sequentiallyConsistent).exchanged
    }

    /// Whether a reader has noted an address.
    func has(_ place: UInt) -> Bool {
        first.load(ordering: .sequentiallyConsistent) == place
            || second.load(ordering: .sequentiallyConsistent) == place
            || third.load(ordering: .sequentiallyConsistent) == place
            || fourth.load(ordering: .sequentiallyConsistent) == place
    }
}
