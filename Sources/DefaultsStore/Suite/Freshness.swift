import Synchronization

/// What tells whether a state of a store is still the present one.
///
/// An object of its own, and never referred to weakly, so that caches can hold it at the price of a plain reference.
package final class Freshness: Sendable {
    // Unsafe is sound because a cell is never freed, and has nothing but atomic numbers.
    /// The epoch, and where the generation stands.
    package nonisolated(unsafe) let cell: FreshnessCell.Place
    private let lastLook = Atomic<UInt64>(0)
    /// Whether there is a file at all; without one the generation is counted here.
    private let hasFile: Bool
    private let watched: Atomic<Bool>

    init(hasFile: Bool) {
        self.hasFile = hasFile
        watched = Atomic(!hasFile)
        cell = FreshnessCell.take(hasFile: hasFile)
    }

    deinit { FreshnessCell.giveBack(cell) }

    /// The number that changes whenever something in this process, or a notice from outside, may have changed a value.
    var epoch: UInt64 { cell.pointee.epoch }

    /// Makes every state be looked at again.
    func raise() { cell.pointee.raise() }

    /// The same where the generation has gone back by so many.
    func raise(over steps: UInt64) { cell.pointee.raise(over: steps) }

    /// Sends reads past the caches, or lets them back: a transaction of this process has staged changes, and reads
    /// inside it have to find them.
    func setStaged(_ isStaged: Bool) { cell.pointee.set(.staged, isStaged) }

    /// Whether that lock file tells the generation; nil for one that cannot be mapped.
    ///
    /// Where the followed page stands, no other can: the published state holds it.
    func isFollowing(_ page: MappedPage?) -> Bool { cell.pointee.isFollowing(page) }

    /// Whether the page at an address, which is somewhere, tells the generation.
    func isFollowing(pageAt address: UInt) -> Bool { cell.pointee.counterAddress == address }

    /// Has another lock file tell the generation; nil for one that cannot be mapped.
    func follow(_ page: MappedPage?) { cell.pointee.follow(page, isWatched: isWatched) }

    /// Whether notices tell of changes from outside, so that a state stays the present one until the epoch rises.
    var isWatched: Bool { watched.load(ordering: .acquiring) }

    /// Notes that notices tell of changes from now on; what was loaded before is looked at again.
    func beginWatched(by page: MappedPage?) {
        raise()
        watched.store(true, ordering: .releasing)
        // Whoever has loaded between the two has left to the next reads what is left to a watch now.
        raise()
        cell.pointee.set(.unmapped, page == nil)
    }

    /// Makes every state of an earlier generation old; for a suite without a file, or without a mapped page, as the page
    /// is for one with.
    func beginInMemory(_ generation: UInt64) { cell.pointee.generationInMemory = generation }

    /// Notes that the published state is what somebody found who looked at the files at a moment.
    func noteLook(at moment: UInt64) { lastLook.store(moment, ordering: .relaxed) }

    /// Whether a cache may use a state; false for everybody while changes are staged.
    fileprivate func matches(_ stamp: SuiteStamp) -> Bool {
        !cell.pointee.has(.staged) && !cell.pointee.has(.changing) && isCurrent(stamp)
    }

    /// Whether a state is the present one for a reader that is in no transaction.
    func isCurrent(_ stamp: SuiteStamp) -> Bool {
        epoch == stamp.epoch && !cell.pointee.has(.ended) && isCurrentOnDisk(stamp)
    }

    /// The moment of a state, where it is the present one and one number tells.
    func moment(of state: SuiteSnapshot) -> UInt64? {
        guard !state.isUnread, epoch == state.epoch, cell.pointee.tells else { return nil }
        // By its address, since the page need not be counted to be looked at.
        let address = cell.pointee.counterAddress
        guard state.counterAddress == 0 ? !hasFile : state.counterAddress == address,
            FreshnessCell.generation(at: address) == state.generation
        else { return nil }
        return state.generation &+ state.epoch
    }

    private func isCurrentOnDisk(_ stamp: SuiteStamp) -> Bool {
        guard isWatched else { return false }
        if let page = stamp.page { return page.number == stamp.generation }
        guard cell.pointee.generationInMemory == stamp.generation else { return false }
        // Nothing to map: somebody has to look, but not at every read.
        return !hasFile || SystemCalls.monotonicNanoseconds &- lastLook.load(ordering: .relaxed) < 3_000_000
    }

    /// Whether a stamp is of the lock file that the cell follows, so that a moment tells its age.
    ///
    /// After power loss the journal may be ahead of the lock file. Then the moments of that state are still to come, and
    /// tell nothing. Neither does an epoch that has passed: with a later generation it would be a sum that never was, or
    /// that of another state.
    fileprivate func isFollowed(_ stamp: SuiteStamp) -> Bool {
        guard epoch == stamp.epoch else { return false }
        guard let page = stamp.page else { return !hasFile }
        return cell.pointee.isFollowing(page) && page.number >= stamp.generation
    }

    /// Runs a change of the domains, which no cache gets in the way of: who has seen it in part sees it from then on.
    func changing(_ body: () -> Void) {
        cell.pointee.set(.changing, true)
        body()
        raise()
        cell.pointee.set(.changing, false)
    }
}

/// What a cache keeps of a state to know whether it is still the present one, without keeping the state itself.
package struct SuiteStamp: Sendable {
    /// The journal's last generation.
    let generation: UInt64
    /// The store's epoch noted before the state was loaded.
    let epoch: UInt64
    /// The mapped counter to compare the generation with; nil where there is none.
    let page: MappedPage?
    /// Where the present epoch is; nil in a stamp of nothing.
    package let freshness: Freshness?

    /// The stamp of nothing: matches no state.
    package static let none = SuiteStamp(generation: 0, epoch: 0, page: nil, freshness: nil)

    /// Whether what was kept under this stamp is the present state.
    ///
    /// - Cost: a few atomic loads and no system call, where the lock file is mapped.
    package var isPresent: Bool { freshness?.matches(self) ?? false }

    /// The one number to compare with the cell's; nil where no such number tells.
    package var moment: UInt64? {
        guard let freshness, freshness.isFollowed(self) else { return nil }
        return generation &+ epoch
    }

    /// Whether both are of one store.
    package func isOfSameStore(as other: SuiteStamp) -> Bool { freshness === other.freshness }
}
