import Synchronization

/// The stored values of one suite in this process: the present state, the way to it, and who wants to hear of it.
///
/// All handles of one lock file share one store. Reading takes no lock that is held during input or output.
package final class SuiteStore: Sendable {
    /// The bit of the epoch that is set while a transaction of this process has staged changes: caches, which never
    /// hold a state with that bit, then match nothing, and reads inside the transaction find its changes.
    static let stagedBit: UInt64 = 1 << 63

    /// What orders the states that are published.
    struct Order {
        var lastTicket: UInt64 = 0
        var isCommitting = false
        var unsettled: (begun: UInt64, loads: Int) = (0, 0)
        var looksAgain = false
        var missedNotice = false
        var catchesUp = false
    }

    /// Where the files are; nil in memory.
    let location: SuiteLocation?
    let published: Published<SuiteSnapshot>
    let gate = Gate()  // Lock L2: held through a visit; a visit may take L3 and L5.
    let hub = ChangeHub()
    let visit = Mutex<OpenTransaction?>(nil)  // A leaf: who is inside the gate.
    let order = Mutex(Order())  // A leaf, also taken under L5.
    let tickets = Atomic<UInt64>(0)
    let lastLook = Atomic<UInt64>(0)
    private let epochCounter = Atomic<UInt64>(1)
    private let watcher = Mutex<FileWatcher?>(nil)  // A leaf.
    private let logs = Mutex<[WeakLog]>([])  // A leaf.

    private struct WeakLog {
        weak var log: FailureLog?
    }

    /// Makes the store over open files, or over nothing.
    init(files: SuiteFiles?) {
        location = files?.location
        published = Published(.unread(files: files))
        if let files { watch(files) }
    }

    /// The number that changes whenever something in this process or a notice from outside may have changed a value.
    package var epoch: UInt64 { epochCounter.load(ordering: .acquiring) & ~SuiteStore.stagedBit }

    /// Makes every cached value be looked at again.
    package func raiseEpoch() { epochCounter.add(1, ordering: .acquiringAndReleasing) }

    /// Sends reads past the caches, or lets them back.
    func setStaged(_ isStaged: Bool) {
        if isStaged {
            epochCounter.bitwiseOr(SuiteStore.stagedBit, ordering: .acquiringAndReleasing)
        } else {
            epochCounter.bitwiseAnd(~SuiteStore.stagedBit, ordering: .acquiringAndReleasing)
        }
    }

    /// Whether a state is the present one for a reader that is in no transaction.
    ///
    /// - Cost: two atomic loads and no system call, where the lock file is mapped.
    func isCurrent(_ snapshot: SuiteSnapshot) -> Bool {
        let stamp = snapshot.stamp
        return stamp.epoch == epoch && isCurrentOnDisk(stamp)
    }

    /// Whether what a cache holds is the present state; false for everybody while this process has a transaction
    /// with staged changes.
    ///
    /// - Cost: two atomic loads and no system call, where the lock file is mapped.
    package func matches(_ stamp: SuiteStamp) -> Bool {
        stamp.epoch == epochCounter.load(ordering: .acquiring) && isCurrentOnDisk(stamp)
    }

    private func isCurrentOnDisk(_ stamp: SuiteStamp) -> Bool {
        if let page = stamp.page { return page.number == stamp.generation }
        guard location != nil else { return true }
        // Nothing to map: somebody has to look, but not at every read.
        return SystemCalls.monotonicNanoseconds &- lastLook.load(ordering: .relaxed) < 3_000_000
    }

    /// Watches another folder or lock file from now on.
    func watch(_ files: SuiteFiles) {
        let fresh = FileWatcher(files) { [weak self] sight in self?.noticed(sight) }
        let old = watcher.withLock { watcher in
            defer { watcher = fresh }
            return watcher
        }
        withExtendedLifetime(old) {}
    }

    /// Has failures told to one more log.
    func attach(_ log: FailureLog) {
        logs.withLock { logs in
            logs.removeAll { $0.log == nil }
            logs.append(WeakLog(log: log))
        }
    }

    /// The logs that hear this store's failures.
    var listeningLogs: [FailureLog] { logs.withLock { $0.compactMap(\.log) } }
}
