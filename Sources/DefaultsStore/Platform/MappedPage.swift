import Synchronization

/// The first page of a file, mapped for reading, whose first eight bytes other processes count up.
///
/// - Guarantee: a load sees what any process's finished write call put there.
/// - Cost: one aligned load; no system call.
// Unchecked is sound because the address is set once, stays mapped, and is only read, by atomic loads.
package final class MappedPage: @unchecked Sendable {
    /// The size of the mapping, and of what each lock file has.
    static let size = 4096

    private let address: UnsafeRawPointer
    /// The first eight bytes as a number that the processes share.
    ///
    /// `Atomic<UInt64>` has the size, alignment and representation of `UInt64`, and a page is aligned for it.
    private let counter: UnsafePointer<Atomic<UInt64>>

    /// Maps a file that is at least one page long and is never truncated.
    init(of file: borrowing Descriptor) throws(SystemError) {
        // A failure gives up the address that was to be reused: the kernel may have unmapped it, and given it away.
        let free = MappedPage.free.withLock { $0.popLast() }
        address = try Fork.inheritance.withLock { (inheritance) throws(SystemError) in
            let address = try SystemCalls.map(
                file, count: MappedPage.size, at: free.map { UInt(bitPattern: $0) })
            inheritance.pages.append(Int(bitPattern: address))
            return address
        }
        counter = address.assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    deinit {
        let mapped = Int(bitPattern: address)
        Fork.inheritance.withLock { inheritance in
            _ = inheritance.pages.removeOne(mapped)
            // The file is released, and the address stays: a reader may have loaded it and be about to use it.
            MappedPage.blank([mapped])
        }
        MappedPage.free.withLock { $0.append(mapped) }
    }

    /// The addresses of released pages, for the next ones.
    private static let free = Locked<[Int]>([])  // A leaf: nothing is taken or called under it.

    /// Puts zeros in place of mapped pages, as a forked child does with what its parent has mapped.
    ///
    /// A mapping keeps the open file that it was made of, and with it the parent's lock after the parent's death. A
    /// reader may still be looking at the page, so the address stays.
    static func blank(_ pages: [Int]) {
        for page in pages { SystemCalls.mapZeros(at: UInt(bitPattern: page), count: MappedPage.size) }
    }

    /// The address of the number; ``FreshnessCell`` reads it there.
    var counterAddress: UInt { UInt(bitPattern: address) }

    /// Converted from the file's byte order.
    package var number: UInt64 { UInt64(littleEndian: counter.pointee.load(ordering: .acquiring)) }

    var mark: UInt64 { number(at: 8) }

    /// The process that wrote the number last.
    var process: Int32 { Int32(truncatingIfNeeded: number(at: 16)) }

    /// In the processor's byte order.
    func number(at place: Int) -> UInt64 {
        precondition(place >= 0 && place < MappedPage.size && place % 8 == 0, "no place of a number")
        let number = (address + place).assumingMemoryBound(to: Atomic<UInt64>.self)
        return UInt64(littleEndian: number.pointee.load(ordering: .relaxed))
    }

    /// The note of the process that has waited longest for the lock; nil if there is none.
    var waiter: Waiter? {
        let (since, said) = (number(at: 24), number(at: 32))
        return since == 0 ? nil : Waiter(since: since, said: said)
    }

    /// A process that waits for the lock.
    struct Waiter: Hashable, Sendable {
        let since: UInt64
        /// When it last confirmed that it still waits.
        let said: UInt64

        /// How long its confirmation is valid: many times longer than the time between two tries.
        private static let validityInNanoseconds: UInt64 = 50_000_000

        /// Whether it still waits, as far as can be told, and has waited since before a time.
        func comesBefore(_ time: UInt64) -> Bool {
            since < time && SystemCalls.monotonicNanoseconds &- said < Waiter.validityInNanoseconds
        }
    }
}
