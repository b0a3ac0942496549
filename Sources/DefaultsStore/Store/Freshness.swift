import Synchronization

/// What tells whether a state of a store is still the current one.
///
/// An object of its own, and never referred to weakly, so that caches can hold it for the price of a plain reference.
package final class Freshness: Sendable {
    // Unsafe is sound because a cell is never freed, and contains only atomic numbers.
    /// The epoch, and the address of the generation.
    package nonisolated(unsafe) let cell: FreshnessCell.Place
    private let lastCheck = Atomic<UInt64>(0)
    /// Whether there is a file at all; otherwise the generation is counted here.
    private let hasFile: Bool
    private let watched: Atomic<Bool>

    init(hasFile: Bool) {
        self.hasFile = hasFile
        watched = Atomic(!hasFile)
        cell = FreshnessCell.take(hasFile: hasFile)
    }

    deinit { FreshnessCell.giveBack(cell) }

    /// The number that changes whenever something in this process, or a notification, may have changed a value.
    var epoch: UInt64 { cell.pointee.epoch }

    /// Outdates every state.
    func raise() { cell.pointee.raise() }

    func raise(over steps: UInt64) { cell.pointee.raise(over: steps) }

    /// Sends reads past the caches, or back to them: while a transaction of this process has staged changes, reads
    /// inside it have to find them.
    func setStaged(_ isStaged: Bool) { cell.pointee.set(.staged, isStaged) }

    /// Whether the generation is read from that lock file; nil for one that cannot be mapped.
    ///
    /// No other page can be at the followed address: the published state keeps the followed page alive.
    func isFollowing(_ page: MappedPage?) -> Bool { cell.pointee.isFollowing(page) }

    /// The address is not 0.
    func isFollowing(pageAt address: UInt) -> Bool { cell.pointee.counterAddress == address }

    /// Nil for a lock file that cannot be mapped.
    func follow(_ page: MappedPage?) { cell.pointee.follow(page, isWatched: isWatched) }

    /// Whether the kernel notifies of changes from outside, so that a state stays current until the epoch rises.
    var isWatched: Bool { watched.load(ordering: .acquiring) }

    /// What was loaded before is checked again.
    func beginWatched(by page: MappedPage?) {
        raise()
        watched.store(true, ordering: .releasing)
        // A thread that has loaded between the two has left to later reads what is left to a watch from now on.
        raise()
        cell.pointee.set(.unmapped, page == nil)
    }

    /// Makes every state of an earlier generation outdated, as a mapped page does; for a suite without a file.
    func beginInMemory(_ generation: UInt64) { cell.pointee.generationInMemory = generation }

    /// Records that the published state is what a check of the files at a time has found.
    func recordCheck(at nanoseconds: UInt64) { lastCheck.store(nanoseconds, ordering: .relaxed) }

    /// Whether the files were checked so recently that a save by hand need not have been noticed yet.
    var hasChecked: Bool {
        SystemCalls.monotonicNanoseconds &- lastCheck.load(ordering: .relaxed)
            < Freshness.recencyInNanoseconds
    }

    private static let recencyInNanoseconds: UInt64 = 3_000_000

    /// False for all states while changes are staged.
    fileprivate func matches(_ stamp: SuiteStamp) -> Bool {
        !cell.pointee.has(.staged) && !cell.pointee.has(.changing) && isCurrent(stamp)
    }

    /// For a reader outside any transaction.
    func isCurrent(_ stamp: SuiteStamp) -> Bool {
        epoch == stamp.epoch && !cell.pointee.has(.ended) && isCurrentOnDisk(stamp)
    }

    /// The sum of its generation and epoch; nil unless it is current and one number can tell.
    func version(of state: StoreSnapshot) -> UInt64? {
        guard !state.isUnread, epoch == state.epoch, cell.pointee.tells else { return nil }
        // By its address, so that no reference to the page has to be counted.
        let address = cell.pointee.counterAddress
        guard state.counterAddress == 0 ? !hasFile : state.counterAddress == address,
            FreshnessCell.generation(at: address) == state.generation
        else { return nil }
        return state.generation &+ state.epoch
    }

    private func isCurrentOnDisk(_ stamp: SuiteStamp) -> Bool {
        guard isWatched else { return false }
        if let page = stamp.page { return page.number == stamp.generation }
        // Where nothing is mapped, the files have to be checked.
        return !hasFile && cell.pointee.generationInMemory == stamp.generation
    }

    /// Whether a stamp belongs to the lock file that the cell follows, so that a version tells its age.
    ///
    /// After power loss the journal may be ahead of the lock file. Then the versions of that state are still to come,
    /// and tell nothing. Neither does an epoch that has passed: with a later generation its version would be one that
    /// never was, or that of another state.
    fileprivate func isFollowed(_ stamp: SuiteStamp) -> Bool {
        guard epoch == stamp.epoch else { return false }
        guard let page = stamp.page else { return !hasFile }
        return cell.pointee.isFollowing(page) && page.number >= stamp.generation
    }

    /// Runs a change of the domains that no cache hides: a reader that has seen part of it sees it from then on.
    func changing(_ body: () -> Void) {
        cell.pointee.set(.changing, true)
        body()
        raise()
        cell.pointee.set(.changing, false)
    }
}

/// What a cache keeps of a state to know whether it is still current, without keeping the state itself.
package struct SuiteStamp: Sendable {
    let generation: UInt64
    /// The store's epoch, noted before the state was loaded.
    let epoch: UInt64
    /// The mapped counter to compare the generation with; nil if there is none.
    let page: MappedPage?
    /// Holds the current epoch; nil in a stamp of nothing.
    package let freshness: Freshness?

    /// Matches no state.
    package static let none = SuiteStamp(generation: 0, epoch: 0, page: nil, freshness: nil)

    /// Whether what was kept under this stamp is the current state.
    ///
    /// False where no page is mapped: then the store has to check the files.
    ///
    /// - Cost: a few atomic loads.
    package var isPresent: Bool { freshness?.matches(self) ?? false }

    /// To be compared with the cell's; nil if no one number can tell.
    package var version: UInt64? {
        guard let freshness, freshness.isFollowed(self) else { return nil }
        return generation &+ epoch
    }

    package func isOfSameState(as other: SuiteStamp) -> Bool {
        isOfSameStore(as: other) && generation == other.generation && epoch == other.epoch
    }

    package func isOfSameStore(as other: SuiteStamp) -> Bool { freshness === other.freshness }
}
