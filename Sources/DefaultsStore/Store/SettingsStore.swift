import Synchronization

/// The stored values of one suite in this process: the current state, how it is loaded and replaced, and its
/// observers.
///
/// All handles of one lock file share one store. Reading takes no lock that is held during input or output.
package final class SettingsStore: Sendable {
    /// What puts the published states in order.
    struct Order {
        var lastTicket: UInt64 = 0
        var isCommitting = false
        var abandoned: (begun: UInt64, loads: Int) = (0, 0)
        var secondLook = SecondLook.none
    }

    /// What a scheduled second look at the files is for.
    enum SecondLook: Sendable {
        case none
        /// A settings file whose times may not have revealed a change.
        case atRecentFile
        case atAll
    }

    /// Where the files are; nil for a suite in memory.
    let location: SuiteLocation?
    let published: Published<StoreSnapshot>
    let gate = Gate()  // Lock L2: held through a session; a session may take L3 and L5.
    let hub = ChangeHub()
    let openSession = Locked<OpenSession?>(nil)  // A leaf: who is inside the gate.
    /// Whether a thread may be inside the gate, for those who need not know which.
    let hasOpenSession = Atomic<Bool>(false)
    let order = Locked(Order())  // A leaf, also taken under L5.
    /// Whether a notification arrived during a commit of this process; set under `order`, the last lock that a commit
    /// takes.
    let missedNotice = Atomic<Bool>(false)
    let tickets = Atomic<UInt64>(0)
    let freshness: Freshness
    let waiting = Locked<[WriteRequest]>([])  // A leaf: writes that wait for the gate.
    /// Whether `waiting` may have a write.
    let hasWaiting = Atomic<Bool>(false)
    let synchronizing = Gate()  // Lock L1b: one wait for the journal's disk at a time; may take L2.
    let durability = Locked(Durability())  // A leaf.
    let checkpointing = Locked(CheckpointSchedule())  // A leaf.
    let checkpointListeners = CheckpointListeners()
    /// Whether a checkpoint is scheduled.
    let isCheckpointDue = Atomic<Bool>(false)
    /// The generation of this process's last commit; 0 if there was none.
    let lastCommit = Atomic<UInt64>(0)
    /// The generation that was last published or seen.
    private let lastGeneration = Atomic<UInt64>(0)
    /// Whether there is a journal file that nothing may be appended to any more.
    let hasPoisoned = Atomic<Bool>(false)
    /// Whether a thread has waited for the disk, which makes a reserve worth its cost (F17).
    let waitsForDisk = Atomic<Bool>(false)
    let journalWatch = Locked<JournalWatch?>(nil)  // A leaf.
    let settingsWatch = Locked<SettingsWatch?>(nil)  // A leaf.
    /// What has happened to the files and has not been seen to.
    let sights = Sights()
    let seeing = LazyReference<Errand>()
    let watching = Locked(Watching())  // A leaf.
    /// How often the files were checked because the kernel does not notify of changes yet.
    let looks = Atomic<Int>(0)
    private let logs = WeakList<FailureLog>()
    let guards = CommitGuards()
    private let fork = Fork.count

    /// Whether the store was opened by a parent of this process.
    ///
    /// Its threads, descriptors and gates are not here, so it must not be used.
    package var isInherited: Bool { fork != Fork.count }

    /// Creates the store over open files, or in memory.
    ///
    /// - Parameter values: the first values of a store in memory.
    init(files: SuiteFiles?, values: StoredValues = .empty) {
        location = files?.location
        freshness = Freshness(hasFile: files != nil)
        published = Published(.unread(files: files, values: values))
        if let files {
            freshness.follow(files.page)
            turn(to: files)
        }
    }

    /// Makes a state the current one; for the code that puts the states in order.
    ///
    /// - Returns: what is to be released when that code has left its locks: a state keeps files open, and closing one
    ///   may take its time.
    func put(_ snapshot: StoreSnapshot) -> VersionCell.Displaced {
        // Usually over the page that is followed already, which is found by its address, without counting a
        // reference.
        let page = snapshot.counterAddress
        if page == 0 || !freshness.isFollowing(pageAt: page), let files = snapshot.files {
            if !freshness.isFollowing(files.page) { freshness.follow(files.page) }
        }
        noteGeneration(snapshot.generation)
        sights.generation.store(snapshot.generation, ordering: .relaxed)
        return published.store(snapshot)
    }

    /// Prevents caches from treating what they have as current after somebody has set the generation back.
    func noteGeneration(_ generation: UInt64) {
        let before = lastGeneration.load(ordering: .relaxed)
        guard generation != before else { return }
        lastGeneration.store(generation, ordering: .relaxed)
        if generation < before { freshness.raise(over: before - generation) }
    }

    /// The number that changes whenever something in this process, or a notification, may have changed a value.
    var epoch: UInt64 { freshness.epoch }

    /// Runs a change of something that every read of the store's values goes through.
    func changing(_ body: () -> Void) { freshness.changing(body) }

    /// Makes every cached value be checked again.
    func raiseEpoch() { freshness.raise() }

    /// Whether a state is current for a reader outside any transaction.
    func isCurrent(_ snapshot: StoreSnapshot) -> Bool {
        freshness.moment(of: snapshot) != nil || freshness.isCurrent(stamp(of: snapshot))
    }

    /// The state published last, whether or not it is still current.
    package var latest: StoreSnapshot { published.load() }

    /// Returns what a cache keeps to recognise a state.
    package func stamp(of snapshot: StoreSnapshot) -> SuiteStamp {
        guard !snapshot.isUnread else { return .none }
        return SuiteStamp(
            generation: snapshot.generation, epoch: snapshot.epoch, page: snapshot.files?.page,
            freshness: freshness)
    }

    /// Adds a log that failures are reported to.
    func attach(_ log: FailureLog) {
        logs.first {
            $0 === log
        } orAdd: {
            log
        }
    }

    /// The logs that this store's failures are reported to.
    var listeningLogs: [FailureLog] { logs.objects }
}
