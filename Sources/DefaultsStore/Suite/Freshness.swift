import Synchronization

/// What tells whether a state of a store is still the present one, apart from the generation on disk.
///
/// An object of its own, and never referred to weakly, so that caches can hold it at the price of a plain reference.
package final class Freshness: Sendable {
    /// The bit of the epoch that is set while a transaction of this process has staged changes: caches, which never
    /// hold a state with that bit, then match nothing, and reads inside the transaction find its changes.
    private static let stagedBit: UInt64 = 1 << 63

    private let counter = Atomic<UInt64>(1)
    private let lastLook = Atomic<UInt64>(0)
    private let begunInMemory = Atomic<UInt64>(0)
    /// Whether there is a file at all; without one the generation is counted here.
    private let hasFile: Bool
    /// In a forked child nothing of a parent's store is fresh: nobody tells it of changes any more.
    private let fork = Fork.count

    init(hasFile: Bool) { self.hasFile = hasFile }

    /// The number that changes whenever something in this process, or a notice from outside, may have changed a value.
    var epoch: UInt64 { counter.load(ordering: .acquiring) & ~Freshness.stagedBit }

    /// Makes every state be looked at again.
    func raise() { counter.add(1, ordering: .acquiringAndReleasing) }

    /// Sends reads past the caches, or lets them back.
    func setStaged(_ isStaged: Bool) {
        if isStaged {
            counter.bitwiseOr(Freshness.stagedBit, ordering: .acquiringAndReleasing)
        } else {
            counter.bitwiseAnd(~Freshness.stagedBit, ordering: .acquiringAndReleasing)
        }
    }

    /// Makes every state of an earlier generation old; for a suite without a file, or without a mapped page, as the page
    /// is for one with.
    func beginInMemory(_ generation: UInt64) { begunInMemory.store(generation, ordering: .releasing) }

    /// Notes that the published state is what somebody found who looked at the files at a moment.
    func noteLook(at moment: UInt64) { lastLook.store(moment, ordering: .relaxed) }

    /// Whether a cache may use a state of an epoch; false for everybody while changes are staged.
    fileprivate func matches(_ stamp: SuiteStamp) -> Bool {
        counter.load(ordering: .acquiring) == stamp.epoch && fork == Fork.count && isCurrentOnDisk(stamp)
    }

    /// Whether a state is the present one for a reader that is in no transaction.
    func isCurrent(_ stamp: SuiteStamp) -> Bool {
        epoch == stamp.epoch && fork == Fork.count && isCurrentOnDisk(stamp)
    }

    private func isCurrentOnDisk(_ stamp: SuiteStamp) -> Bool {
        if let page = stamp.page { return page.number == stamp.generation }
        guard begunInMemory.load(ordering: .acquiring) == stamp.generation else { return false }
        // Nothing to map: somebody has to look, but not at every read.
        return !hasFile || SystemCalls.monotonicNanoseconds &- lastLook.load(ordering: .relaxed) < 3_000_000
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
    let freshness: Freshness?

    /// The stamp of nothing: matches no state.
    package static let none = SuiteStamp(generation: 0, epoch: 0, page: nil, freshness: nil)

    /// Whether what was kept under this stamp is the present state.
    ///
    /// - Cost: two atomic loads and no system call, where the lock file is mapped.
    package var isPresent: Bool { freshness?.matches(self) ?? false }

    /// Whether both are of one store.
    package func isOfSameStore(as other: SuiteStamp) -> Bool { freshness === other.freshness }
}
