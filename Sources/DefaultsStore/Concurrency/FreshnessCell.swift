public import Synchronization

// Unchecked is sound because its pointers lead to atomic numbers that are never freed.
/// The two numbers that tell whether what is cached of a store is still its current state, at an address that stays
/// valid for the life of the process.
///
/// One is the generation, which every process raises before it writes; the other is the epoch, which this process
/// raises for whatever else may change a value. The sum of both, the version, never has the same value twice while the
/// store lives. So a cache keeps one number, and compares it with one sum.
///
/// If ``version`` equals one that was recorded before the call, it is the current one at some time during the call. A
/// reader may come upon a cell of a store that is just ending: cells are reused for later stores, and never freed.
/// Proofs.md says why all this holds.
@usableFromInline package struct FreshnessCell: ~Copyable, @unchecked Sendable {
    /// The bits of the epoch that make it match nothing while they are set.
    package enum Bypass: UInt64 {
        /// A transaction of this process has staged changes: reads inside it have to find them.
        case staged = 0x8000_0000_0000_0000
        /// It is being recorded which keys are read, or a suite stands in for another in some task.
        case bypassed = 0x4000_0000_0000_0000
        /// The store has ended, or this is a forked child of the process that opened it.
        case ended = 0x2000_0000_0000_0000
        /// There is no number to read, or none that reveals every change: readers have to check the files.
        case unmapped = 0x1000_0000_0000_0000
        /// The domains are being replaced.
        case changing = 0x0800_0000_0000_0000
    }

    private static let bypasses: UInt64 = 0xF800_0000_0000_0000
    /// What the epoch rises by when another lock file comes into use.
    private static let era: UInt64 = 1 << 40

    @usableFromInline let epochNumber = Atomic<UInt64>(1)
    /// The address of the generation: in the mapped page of the lock file, or `inMemory`.
    ///
    /// A number, because a pointer would be checked at each load.
    @usableFromInline let counter: Atomic<UInt>
    /// The generation of a store without a file; never freed.
    private let inMemory: UnsafePointer<Atomic<UInt64>>

    init() {
        let place = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1)
        place.initialize(to: Atomic(0))
        inMemory = UnsafePointer(place)
        counter = Atomic(UInt(bitPattern: place))
    }

    /// The generation and the epoch in one number.
    @inlinable @inline(__always)
    package var version: UInt64 {
        let generation = FreshnessCell.generation(at: counter.load(ordering: .acquiring))
        return generation &+ epochNumber.load(ordering: .acquiring)
    }

    var counterAddress: UInt { counter.load(ordering: .acquiring) }

    /// Returns the generation at what was once a ``counterAddress``.
    @inlinable @inline(__always)
    static func generation(at address: UInt) -> UInt64 {
        // Unsafe is sound because there is always an address, and what is there stays mapped.
        let place = UnsafePointer<Atomic<UInt64>>(bitPattern: address).unsafelyUnwrapped
        return UInt64(littleEndian: place.pointee.load(ordering: .acquiring))
    }

    /// Without the bypass bits.
    var epoch: UInt64 { epochNumber.load(ordering: .acquiring) & ~FreshnessCell.bypasses }

    func has(_ bypass: Bypass) -> Bool { epochNumber.load(ordering: .acquiring) & bypass.rawValue != 0 }

    /// Whether the version tells which state is the current one.
    var tells: Bool {
        epochNumber.load(ordering: .acquiring) & (Bypass.ended.rawValue | Bypass.unmapped.rawValue) == 0
    }

    /// Outdates all cached values.
    func raise() { epochNumber.add(1, ordering: .acquiringAndReleasing) }

    /// Outdates all cached values after the generation has gone back by `steps`: no earlier sum recurs.
    func raise(over steps: UInt64) {
        epochNumber.add(min(steps, FreshnessCell.era) + 1, ordering: .acquiringAndReleasing)
    }

    /// Sends reads past the caches, or back to them.
    func set(_ bypass: Bypass, _ isSet: Bool) {
        if isSet {
            epochNumber.bitwiseOr(bypass.rawValue, ordering: .acquiringAndReleasing)
        } else {
            epochNumber.bitwiseAnd(~bypass.rawValue, ordering: .acquiringAndReleasing)
        }
    }

    /// Has the generation read from another page; nil if there is none to map.
    ///
    /// - Parameter isWatched: whether the generation reveals every change, because notifications announce what does
    ///   not raise it.
    func follow(_ page: MappedPage?, isWatched: Bool) {
        epochNumber.add(FreshnessCell.era, ordering: .sequentiallyConsistent)
        counter.store(page?.counterAddress ?? UInt(bitPattern: inMemory), ordering: .sequentiallyConsistent)
        set(.unmapped, page == nil || !isWatched)
    }

    func isFollowing(_ page: MappedPage?) -> Bool {
        counterAddress == page?.counterAddress ?? UInt(bitPattern: inMemory)
    }

    var generationInMemory: UInt64 {
        get { UInt64(littleEndian: inMemory.pointee.load(ordering: .acquiring)) }
        nonmutating set { inMemory.pointee.store(newValue.littleEndian, ordering: .releasing) }
    }

    /// Makes the cell a new store's: later than everything that an earlier store's caches have recorded.
    func begin(isUnmapped: Bool, isBypassed: Bool) {
        epochNumber.add(FreshnessCell.era, ordering: .sequentiallyConsistent)
        generationInMemory = 0
        counter.store(UInt(bitPattern: inMemory), ordering: .sequentiallyConsistent)
        set(.staged, false)
        set(.changing, false)
        set(.unmapped, isUnmapped)
        set(.bypassed, isBypassed)
        set(.ended, false)
    }
}

/// Where the cells are, and what is done to all of them at once.
///
/// A cell that is given back is reused for a later store, and never freed: a reader may still be looking at it.
extension FreshnessCell {
    /// The address of a cell, which stays valid for ever.
    package typealias Place = UnsafePointer<FreshnessCell>

    struct Pool: ~Copyable {
        fileprivate var used: [Int] = []
        fileprivate var free: [Int] = []
        fileprivate var bypasses = 0

        /// Outdates everything cached under any of them.
        func end() { used.forEach { place($0).pointee.set(.ended, true) } }
    }

    // Unsafe is sound because it is never freed, and written by nobody.
    /// The initial cell of a cache that has found nothing yet: no cache ever recorded its version.
    package nonisolated(unsafe) static let never: Place = {
        let place = make()
        place.pointee.set(.ended, true)
        return place
    }()

    /// Returns a cell of the caller's own, until it is given back.
    ///
    /// - Parameter hasFile: whether the generation is that of a lock file, to be named by ``follow(_:isWatched:)``.
    static func take(hasFile: Bool) -> Place {
        let number = Fork.inheritance.withLock { inheritance in
            let number = inheritance.cells.free.popLast() ?? Int(bitPattern: make())
            inheritance.cells.used.append(number)
            place(number).pointee.begin(
                isUnmapped: hasFile, isBypassed: inheritance.cells.bypasses > 0)
            return number
        }
        return place(number)
    }

    /// Gives a cell back: what is cached under it is outdated for ever.
    static func giveBack(_ place: Place) {
        let number = Int(bitPattern: place)
        Fork.inheritance.withLock { inheritance in
            guard inheritance.cells.used.removeOne(number) else { return }
            FreshnessCell.place(number).pointee.set(.ended, true)
            inheritance.cells.free.append(number)
        }
    }

    private static func place(_ number: Int) -> Place {
        guard let place = Place(bitPattern: number) else { preconditionFailure("a cell has a place") }
        return place
    }

    /// In a cache line of its own, so that stores do not slow each other down.
    private static func make() -> Place {
        let raw = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
        let place = raw.bindMemory(to: FreshnessCell.self, capacity: 1)
        place.initialize(to: FreshnessCell())
        return Place(place)
    }

    /// Sends all reads of this process past the caches until ``endBypass()``.
    package static func beginBypass() { changeBypasses(by: 1) }

    /// Lets reads use the caches again when the last such time is over.
    package static func endBypass() { changeBypasses(by: -1) }

    private static func changeBypasses(by change: Int) {
        Fork.inheritance.withLock { inheritance in
            inheritance.cells.bypasses += change
            let isBypassed = inheritance.cells.bypasses > 0
            inheritance.cells.used.forEach { place($0).pointee.set(.bypassed, isBypassed) }
        }
    }
}
