public import Synchronization

// Unchecked is sound because its pointers lead to atomic numbers that are never freed.
/// The two numbers that tell whether what is cached of a store is still its present state; at an address that stays
/// good for the life of the process.
///
/// The sum of both, the moment, never has a value twice while the store lives: the generation, which any process raises
/// before it writes, and the epoch, which this process raises for whatever else may change a value. So a cache keeps
/// one number, and compares it with one sum.
///
/// Proof that equal sums mean equal states. For one lock file both numbers only rise, so a sum that is reached again
/// has both parts as they were. Should somebody set the generation back, as restoring a backup in place does, the epoch is raised
/// by more than that as soon as it is noticed (``SuiteStore/noteGeneration(_:)``). Where another lock file comes to count, ``follow(_:)`` raises the epoch by 2^40 first:
/// as long as no suite is written 2^40 times, no sum of then comes again.
///
/// Proof that ``moment`` is the present one at some time during the call, if it equals a moment that was noted before
/// the call. It reads where the generation stands, then the generation, then the epoch. Had the lock file been
/// another one at the second step, the third would find the epoch raised, and the sum would equal none noted before. So
/// the generation was the store's at the second step; and the epoch, which is what it was when the sum was noted, was
/// that at the second step too.
///
/// A reader may come upon a cell of a store that ends at that moment, and upon a page that was taken away. Both stay:
/// cells are handed on to later stores and never freed, and ``MappedPage`` does the same with its addresses.
@usableFromInline package struct FreshnessCell: ~Copyable, @unchecked Sendable {
    /// The bits of the epoch that make it match nothing for as long as they are set.
    package enum Bar: UInt64 {
        /// A transaction of this process has staged changes: reads inside it have to find them.
        case staged = 0x8000_0000_0000_0000
        /// Somebody records which keys are read.
        case recorded = 0x4000_0000_0000_0000
        /// The store is that of a parent process, or has ended.
        case ended = 0x2000_0000_0000_0000
        /// There is no number to look at, or none that tells all: somebody has to look at the files.
        case unmapped = 0x1000_0000_0000_0000
        /// The domains are being replaced.
        case changing = 0x0800_0000_0000_0000
    }

    private static let bars: UInt64 = 0xF800_0000_0000_0000
    /// What the epoch rises by where another lock file comes to count.
    private static let era: UInt64 = 1 << 40

    @usableFromInline let epochNumber = Atomic<UInt64>(1)
    /// Where the generation stands: in the mapped page of the lock file, or in `inMemory`.
    ///
    /// A number, since a pointer would be checked at each load.
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
    package var moment: UInt64 {
        let generation = FreshnessCell.generation(at: counter.load(ordering: .acquiring))
        return generation &+ epochNumber.load(ordering: .acquiring)
    }

    /// Where the generation stands now.
    var counterAddress: UInt { counter.load(ordering: .acquiring) }

    /// The generation that stands at what has been a ``counterAddress``.
    @inlinable @inline(__always)
    static func generation(at address: UInt) -> UInt64 {
        // Unsafe is sound because there always is a place, and what stands there stays mapped.
        let place = UnsafePointer<Atomic<UInt64>>(bitPattern: address).unsafelyUnwrapped
        return UInt64(littleEndian: place.pointee.load(ordering: .acquiring))
    }

    /// The epoch without its bars.
    var epoch: UInt64 { epochNumber.load(ordering: .acquiring) & ~FreshnessCell.bars }

    /// Whether a bar is set.
    func has(_ bar: Bar) -> Bool { epochNumber.load(ordering: .acquiring) & bar.rawValue != 0 }

    /// Whether the moment tells which state is the present one.
    var tells: Bool {
        epochNumber.load(ordering: .acquiring) & (Bar.ended.rawValue | Bar.unmapped.rawValue) == 0
    }

    /// Makes all that is cached old.
    func raise() { epochNumber.add(1, ordering: .acquiringAndReleasing) }

    /// The same where the generation has gone back by so many: no sum of before comes again.
    func raise(over steps: UInt64) {
        epochNumber.add(min(steps, FreshnessCell.era) + 1, ordering: .acquiringAndReleasing)
    }

    /// Sends reads past the caches, or lets them back.
    func set(_ bar: Bar, _ isSet: Bool) {
        if isSet {
            epochNumber.bitwiseOr(bar.rawValue, ordering: .acquiringAndReleasing)
        } else {
            epochNumber.bitwiseAnd(~bar.rawValue, ordering: .acquiringAndReleasing)
        }
    }

    /// Has another page tell the generation; nil where there is none to map.
    ///
    /// - Parameter isWatched: whether the generation tells all, because notices tell of what does not raise it.
    func follow(_ page: MappedPage?, isWatched: Bool) {
        epochNumber.add(FreshnessCell.era, ordering: .sequentiallyConsistent)
        counter.store(page?.counterAddress ?? UInt(bitPattern: inMemory), ordering: .sequentiallyConsistent)
        set(.unmapped, page == nil || !isWatched)
    }

    /// Whether a page is the one that tells the generation; nil for none.
    func isFollowing(_ page: MappedPage?) -> Bool {
        counterAddress == page?.counterAddress ?? UInt(bitPattern: inMemory)
    }

    /// The generation of a store without a file.
    var generationInMemory: UInt64 {
        get { UInt64(littleEndian: inMemory.pointee.load(ordering: .acquiring)) }
        nonmutating set { inMemory.pointee.store(newValue.littleEndian, ordering: .releasing) }
    }

    /// Makes the cell a new store's: later than everything that an earlier store's caches have noted, and than an epoch
    /// that caches of other cells may have noted.
    func begin(isUnmapped: Bool, isRecorded: Bool, after floor: UInt64) {
        let behind = floor > epoch ? floor - epoch : 0
        epochNumber.add(behind + FreshnessCell.era, ordering: .sequentiallyConsistent)
        generationInMemory = 0
        counter.store(UInt(bitPattern: inMemory), ordering: .sequentiallyConsistent)
        set(.staged, false)
        set(.changing, false)
        set(.unmapped, isUnmapped)
        set(.recorded, isRecorded)
        set(.ended, false)
    }
}
