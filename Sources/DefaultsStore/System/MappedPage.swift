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
    /// The first eight bytes as the number the processors share.
    ///
    /// `Atomic<UInt64>` has the size, alignment and representation of `UInt64`, and a page is aligned for it.
    private let counter: UnsafePointer<Atomic<UInt64>>
    /// Bytes 8 to 15, likewise.
    private let marked: UnsafePointer<Atomic<UInt64>>
    /// Bytes 16 to 19, likewise, and the two numbers at 24 and 32.
    private let raiser: UnsafePointer<Atomic<UInt32>>
    private let waitingSince: UnsafePointer<Atomic<UInt64>>
    private let waitingSaid: UnsafePointer<Atomic<UInt64>>

    /// Maps a file that is at least one page long and is never cut shorter.
    init(of file: borrowing Descriptor) throws(SystemError) {
        // In one step for a fork, or the child would not know of the page.
        Fork.enter()
        defer { Fork.leave() }
        address = try SystemCalls.map(
            file, count: MappedPage.size, at: MappedPage.free.withLock { $0.popLast() }.map(UInt.init))
        let mapped = UInt64(UInt(bitPattern: address))
        MappedPage.mapped.withLock { $0.append(mapped) }
        counter = address.assumingMemoryBound(to: Atomic<UInt64>.self)
        marked = (address + 8).assumingMemoryBound(to: Atomic<UInt64>.self)
        raiser = (address + 16).assumingMemoryBound(to: Atomic<UInt32>.self)
        waitingSince = (address + 24).assumingMemoryBound(to: Atomic<UInt64>.self)
        waitingSaid = (address + 32).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    deinit {
        Fork.enter()
        defer { Fork.leave() }
        let mapped = UInt(bitPattern: address)
        MappedPage.mapped.withLock { pages in
            _ = pages.remove(UInt64(mapped))
        }
        // The file goes, and the address stays: a reader may have come upon it and be about to look at it.
        SystemCalls.mapZeros(at: mapped, count: MappedPage.size)
        MappedPage.free.withLock { $0.append(UInt64(mapped)) }
    }

    /// The addresses of pages that have gone, for the next ones.
    private static let free = Locked(NumberList())  // A leaf: nothing is taken or called under it.

    /// The addresses that a forked child has to let go of.
    private static let mapped = Locked(NumberList())  // A leaf: nothing is taken or called under it.

    /// Puts zeros in place of the child's copies of the pages that its parent has mapped.
    ///
    /// A mapping keeps the open file it was made of, and with it the parent's lock after the parent's death. Somebody
    /// may still look at the page, so the address stays.
    static func blankInherited() {
        let inherited = mapped.withLock { $0.take() }
        inherited.forEach { SystemCalls.mapZeros(at: UInt($0), count: MappedPage.size) }
    }

    /// Where the number stands; ``FreshnessCell`` looks there.
    var counterAddress: UInt { UInt(bitPattern: address) }

    /// The number as it is now, in the file's byte order made the processor's.
    package var number: UInt64 { UInt64(littleEndian: counter.pointee.load(ordering: .acquiring)) }

    /// What says of which format the file is.
    var mark: UInt64 { UInt64(littleEndian: marked.pointee.load(ordering: .relaxed)) }

    /// The id of the process that wrote the number last.
    var process: Int32 { Int32(bitPattern: UInt32(littleEndian: raiser.pointee.load(ordering: .relaxed))) }

    /// A number of eight bytes at a place of the page that such numbers have, in the processor's order.
    func number(at place: Int) -> UInt64 {
        precondition(place >= 0 && place < MappedPage.size && place % 8 == 0, "no place of a number")
        let number = (address + place).assumingMemoryBound(to: Atomic<UInt64>.self)
        return UInt64(littleEndian: number.pointee.load(ordering: .relaxed))
    }

    /// The note of whoever waits longest for the lock; nil where nobody has left one.
    var waiter: Waiter? {
        let since = UInt64(littleEndian: waitingSince.pointee.load(ordering: .relaxed))
        let said = UInt64(littleEndian: waitingSaid.pointee.load(ordering: .relaxed))
        return since == 0 ? nil : Waiter(since: since, said: said)
    }

    /// Somebody who waits for the lock.
    struct Waiter: Hashable, Sendable {
        /// When it began to wait.
        let since: UInt64
        /// When it last said that it still waits.
        let said: UInt64

        /// How long its word is good for: many times longer than two looks are apart.
        private static let patience: UInt64 = 50_000_000

        /// Whether it is still there, as far as can be told, and has waited longer than since a moment.
        func comesBefore(_ moment: UInt64) -> Bool {
            since < moment && SystemCalls.monotonicNanoseconds &- said < Waiter.patience
        }
    }
}
