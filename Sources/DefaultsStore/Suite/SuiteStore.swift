import Synchronization

/// The stored values of one suite in this process: the present state, the way to it, and who wants to hear of it.
///
/// All handles of one lock file share one store. Reading takes no lock that is held during input or output.
package final class SuiteStore: Sendable {
    /// What orders the states that are published.
    struct Order {
        var lastTicket: UInt64 = 0
        var isCommitting = false
        var unsettled: (begun: UInt64, loads: Int) = (0, 0)
        var secondLook = SecondLook.none
        var catchingUp = CatchingUp.idle
    }

    /// What a second look is on its way for.
    enum SecondLook: Sendable {
        case none
        /// A settings file whose times may not have told of a change.
        case atRecentFile
        case atAll
    }

    /// How far it is with loading, for the observers, what notices were about.
    enum CatchingUp: Sendable {
        case idle, due, loading
        /// Something was noticed since that began.
        case loadingInVain
    }

    /// Where the files are; nil in memory.
    let location: SuiteLocation?
    let published: Published<SuiteSnapshot>
    let gate = Gate()  // Lock L2: held through a visit; a visit may take L3 and L5.
    let hub = ChangeHub()
    let visit = Locked<Visit?>(nil)  // A leaf: who is inside the gate.
    /// Whether anybody may be inside, for those who need not know who.
    let isVisited = Atomic<Bool>(false)
    let order = Locked(Order())  // A leaf, also taken under L5.
    /// Whether a notice came while a commit of this process was under way; set under `order`, which a commit takes last.
    let missedNotice = Atomic<Bool>(false)
    let tickets = Atomic<UInt64>(0)
    let freshness: Freshness
    let waiting = Locked<[WriteRequest]>([])  // A leaf: writes that wait for the gate.
    /// Whether there may be one.
    let hasWaiting = Atomic<Bool>(false)
    let synchronizing = Gate()  // Lock L1b: one wait for the journal's disk at a time; may take L2.
    let durability = Locked(Durability())  // A leaf.
    let checkpointing = Locked(CheckpointSchedule())  // A leaf.
    /// Whether a checkpoint is on its way.
    let isCheckpointDue = Atomic<Bool>(false)
    /// The generation of this process's last commit; 0 for none.
    let lastCommit = Atomic<UInt64>(0)
    /// The generation that was published or seen last.
    private let lastGeneration = Atomic<UInt64>(0)
    /// Whether nothing may be appended to some file of the journal any more.
    let hasPoisoned = Atomic<Bool>(false)
    /// Whether somebody has waited for the disk, which is worth a reserve (F17).
    let waitsForDisk = Atomic<Bool>(false)
    let journalWatch = Locked<JournalWatch?>(nil)  // Lock L6b: may take L7.
    let watching = Locked(Watching())  // A leaf.
    /// How often somebody has looked at the files because nothing tells of their changes yet.
    let looks = Atomic<Int>(0)
    private let logs = Locked<[WeakLog]>([])  // A leaf.
    let guards = CommitGuards()
    private let fork = Fork.count

    /// Whether it was open in a parent of this process: its threads, files and gates are not here, so that nothing is
    /// to be done with it.
    package var isInherited: Bool { fork != Fork.count }

    // Unchecked is sound because nobody sets the reference but the initialiser, and the runtime clears it atomically.
    private final class WeakLog: @unchecked Sendable {
        private(set) weak var log: FailureLog?

        init(_ log: FailureLog) { self.log = log }
    }

    /// Makes the store over open files, or over nothing.
    ///
    /// - Parameter values: what a store over nothing begins with.
    init(files: SuiteFiles?, values: StoredValues = .empty) {
        location = files?.location
        freshness = Freshness(hasFile: files != nil)
        published = Published(.unread(files: files, values: values))
        if let files {
            freshness.follow(files.page)
            turn(to: files)
        }
    }

    /// Makes a state the present one; for whoever orders the states.
    func put(_ snapshot: SuiteSnapshot) {
        // Mostly over the page that is followed already: by its address, since nothing need be counted for that.
        let page = snapshot.counterAddress
        if page == 0 || !freshness.isFollowing(pageAt: page), let files = snapshot.files {
            if !freshness.isFollowing(files.page) { freshness.follow(files.page) }
            // Where no page does, this tells caches that what they have is of an earlier state.
            if files.page == nil { freshness.beginInMemory(snapshot.generation) }
        }
        noteGeneration(snapshot.generation)
        published.store(snapshot)
    }

    /// Has no cache take what it has for what is there now where somebody has set the generation back.
    func noteGeneration(_ generation: UInt64) {
        let before = lastGeneration.load(ordering: .relaxed)
        guard generation != before else { return }
        lastGeneration.store(generation, ordering: .relaxed)
        if generation < before { freshness.raise(over: before - generation) }
    }

    /// The number that changes whenever something in this process, or a notice from outside, may have changed a value.
    var epoch: UInt64 { freshness.epoch }

    /// Changes what every read of the store's values goes through.
    func changing(_ body: () -> Void) { freshness.changing(body) }

    /// Makes every cached value be looked at again.
    func raiseEpoch() { freshness.raise() }

    /// Whether a state is the present one for a reader that is in no transaction.
    func isCurrent(_ snapshot: SuiteSnapshot) -> Bool {
        freshness.moment(of: snapshot) != nil || freshness.isCurrent(stamp(of: snapshot))
    }

    /// The state published last, whether or not it is still the present one.
    package var latest: SuiteSnapshot { published.load() }

    /// What a cache keeps to recognise a state.
    package func stamp(of snapshot: SuiteSnapshot) -> SuiteStamp {
        guard !snapshot.isUnread else { return .none }
        return SuiteStamp(
            generation: snapshot.generation, epoch: snapshot.epoch, page: snapshot.files?.page,
            freshness: freshness)
    }

    /// Has failures told to one more log.
    func attach(_ log: FailureLog) {
        logs.withLock { logs in
            logs.removeAll { $0.log == nil || $0.log === log }
            logs.append(WeakLog(log))
        }
    }

    /// The logs that hear this store's failures.
    var listeningLogs: [FailureLog] { logs.withLock { $0.compactMap(\.log) } }
}
