import Synchronization

/// The stored values of one suite in this process: the current state, how it is loaded and replaced, and its
/// observers.
///
/// All handles of one lock file share one store. Reading takes no lock that is held during input or output.
package final class SettingsStore: Sendable {
    /// What puts the published states in order.
    private struct Order {
        var lastTicket: UInt64 = 0
        var isCommitting = false
    }

    /// Where the files are; nil for a suite in memory.
    ///
    /// Not private, because it never changes: it is what the store is of.
    let location: SuiteLocation?
    private let published: Published<StoreSnapshot>
    // What the parts remember: opaque here and to each other, because all that is inside is private to the part's file.
    let writerState = WriterState()
    let monitorState = ChangeMonitorState()
    let loaderState = LoaderState()
    let checkpointerState = CheckpointerState()
    let durabilityState = DurabilityState()
    let knownValues = KnownValues()
    private let hub = ChangeHub()
    private let order = Locked(Order())  // A leaf, also taken under L5.
    private let tickets = Atomic<UInt64>(0)
    private let freshness: Freshness
    private let lastGeneration = Atomic<UInt64>(0)
    private let logs = WeakList<FailureLog>()

    var isInMemory: Bool { location == nil }

    /// The path of the settings file, for errors.
    var path: String? { location?.path }

    /// Creates the store over open files, or in memory.
    init(files: SuiteFiles?) {
        location = files?.location
        freshness = Freshness(hasFile: files != nil)
        published = Published(.unread(files: files))
        if let files {
            freshness.follow(files.page)
            monitor.turn(to: files)
        }
    }

    /// Prevents caches from treating what they have as current after somebody has set the generation back.
    func recordGeneration(_ generation: UInt64) {
        let before = lastGeneration.load(ordering: .relaxed)
        guard generation != before else { return }
        lastGeneration.store(generation, ordering: .relaxed)
        if generation < before { freshness.raise(over: before - generation) }
    }

    /// The number that changes whenever something in this process, or a notification, may have changed a value.
    var epoch: UInt64 { freshness.epoch }

    func raiseEpoch() { freshness.raise() }

    func setStaged(_ isStaged: Bool) { freshness.setStaged(isStaged) }

    func beginInMemory(_ generation: UInt64) { freshness.beginInMemory(generation) }

    /// Whether the kernel notifies of changes from outside; in memory there are none.
    package var isWatched: Bool { freshness.isWatched }

    var hasChecked: Bool { freshness.hasChecked }

    /// Records that a check of the files at a time has found a state, if that is the one published last; of another one the
    /// check says nothing.
    func recordCheck(at nanoseconds: UInt64, finding state: StoreSnapshot) {
        if isLatest(state) { freshness.recordCheck(at: nanoseconds) }
    }

    var resource: WorkerPool.Resource { latest.files?.resource ?? .userCode }

    @inline(__always)
    func version(of state: StoreSnapshot) -> UInt64? { freshness.version(of: state) }

    var versionCell: FreshnessCell.Place { freshness.cell }

    func isCurrent(_ snapshot: StoreSnapshot) -> Bool {
        freshness.version(of: snapshot) != nil || freshness.isCurrent(stamp(of: snapshot))
    }

    /// - Cost: a few atomic operations while nothing changes; otherwise a load from the files, which waits for no
    ///   writer.
    /// - Throws: `.ioFailure`, `.insecureDirectory` if nothing could be read.
    package func state() throws(DefaultsError) -> StoreSnapshot {
        let present = published.load()
        return monitor.checkIsPresent(present) ? present : try loader.reload()
    }

    /// The state published last; it may be outdated.
    package var latest: StoreSnapshot { published.load() }

    /// Counts no reference; the body must be short and not run user code.
    @inline(__always)
    func withLatest<Result>(_ body: (StoreSnapshot) -> Result) -> Result { published.withPresent(body) }

    func isLatest(_ state: StoreSnapshot) -> Bool { published.isPresent(state) }

    /// Returns what a cache keeps to recognise a state.
    package func stamp(of snapshot: StoreSnapshot) -> SuiteStamp {
        guard !snapshot.isUnread else { return .none }
        return SuiteStamp(
            generation: snapshot.generation, epoch: snapshot.epoch, page: snapshot.files?.page,
            freshness: freshness)
    }

    func attach(_ log: FailureLog) {
        logs.first {
            $0 === log
        } orAdd: {
            log
        }
    }

    @inline(never)
    var listeningLogs: [FailureLog] { logs.objects }
}

/// Reports of failures.
extension SettingsStore {
    /// Runs user code, such as handlers of failures: after the caller's session, and after the library's own work that it
    /// may be part of.
    package func runUserCode(_ body: @escaping @Sendable () -> Void) {
        writer.afterSession { WorkerPool.shared.runUserCode(body) }
    }

    func report(_ error: DefaultsError) {
        let logs = listeningLogs
        runUserCode { logs.forEach { $0.report(error) } }
    }

    /// Reported once until ``recordSuccess(of:)``.
    func reportLasting(_ error: DefaultsError, in matter: DeduplicatedFailures.Matter? = nil) {
        // Recorded right here: it may be resolved before anything is reported.
        let logs = listeningLogs.filter { $0.recordLasting(error, in: matter) }
        if !logs.isEmpty { runUserCode { logs.forEach { $0.report(error) } } }
    }

    /// Prints a lasting failure that nobody has been told, to whoever has asked for none: when the program ends, people's
    /// code is not run any more.
    func printLasting(_ error: DefaultsError, in matter: DeduplicatedFailures.Matter) {
        for log in listeningLogs where !log.isHeard && log.recordLasting(error, in: matter) {
            log.report(error)
        }
    }

    /// Reports all lasting failures of a matter that was checked as a whole, each once; others of it are
    /// over.
    func reportLasting(only errors: [DefaultsError], in matter: DeduplicatedFailures.Matter) {
        guard !errors.isEmpty || FailureLog.isAnyLasting else { return }
        for log in listeningLogs {
            let fresh = log.recordLasting(only: errors, in: matter)
            if !fresh.isEmpty { runUserCode { fresh.forEach { log.report($0) } } }
        }
    }

    /// Forgets the lasting failures of what has succeeded now, so that the next ones are reported.
    @inline(never)
    func recordSuccess(of matter: DeduplicatedFailures.Matter) {
        guard FailureLog.isAnyLasting else { return }
        for log in listeningLogs { log.forgetLasting(in: matter) }
    }
}

/// The observers, and what replaces something before their eyes.
extension SettingsStore {
    var hasObservers: Bool { hub.hasSubscriptions }

    /// It knows the current state from then on.
    func add(_ subscription: ObserverSubscription, sendsInitial: Bool) {
        hub.add(subscription, sendsInitial: sendsInitial) { latest.values }
    }

    /// Adds an observer that knew another state, and posts what is different now.
    ///
    /// - Returns: whether it has something to deliver.
    func takeUp(_ subscription: ObserverSubscription) -> Bool { hub.takeUp(subscription) { latest.values } }

    func remove(_ subscription: ObserverSubscription) { hub.remove(subscription) }

    /// Runs a change of the domains, which every read of the values goes through, and posts what differs for whom.
    ///
    /// - Parameters:
    ///   - unobserved: the keys whose change no observer is notified of.
    ///   - touched: the only keys whose effective value the change may affect; nil if it may affect all.
    /// - Returns: the observers that have something to deliver.
    func changeDomains(
        _ cause: DefaultsChange.Cause, unobserved: Set<KeyName>, touched: @autoclosure () -> [KeyName]?,
        _ change: () -> Void
    ) -> [ObserverSubscription] {
        hub.replace(
            unobserved: unobserved, touched: touched(), ofDomains: true, values: { latest.values },
            swap: {
                // Before the mailboxes are filled, because another thread may be emptying one: what its handler
                // reads then is no older than its event.
                freshness.changing(change)
                return cause
            })
    }

    /// Publishes the state after a commit of this process, and posts to the observers what it has changed; that is the
    /// commit's outcome.
    func publish(_ state: StoreSnapshot, after request: WriteRequest) {
        var displaced = DisplacedVersions()
        hub.inTurn { hub in
            let pending = hub.replace(
                unobserved: request.changes.unobserved ?? [], touched: request.planned.map(\.key),
                values: { latest.values },
                swap: {
                    displaced = publish(state)
                    return .thisProcess
                })
            request.outcome = .success(pending)
        }
        withExtendedLifetime(displaced) {}
    }

    /// Publishes a state that has what another program has saved, and posts that to the observers.
    ///
    /// - Returns: the observers that have something to deliver.
    func publish(edited state: StoreSnapshot) -> [ObserverSubscription] {
        var displaced = DisplacedVersions()
        let pending = hub.replace(
            values: { latest.values },
            swap: {
                displaced = publish(state)
                return .fileEdited
            })
        withExtendedLifetime(displaced) {}
        return pending
    }
}

/// The order of the published states.
///
/// A commit is published by the thread that makes it. What a load has found is published unless something newer may
/// have been published meanwhile; tickets tell which of two loads began later.
extension SettingsStore {
    /// What a load has found and published, and the observers that have to be notified of it.
    struct Loaded {
        let snapshot: StoreSnapshot
        var pending: [ObserverSubscription] = []
        /// Whether it was not published, because another load may have looked later.
        var isOvertaken = false
    }

    /// The only keys in which a loaded state differs from another one, each once.
    struct Difference {
        let base: StoreSnapshot
        let touched: [KeyName]
    }

    func nextTicket() -> UInt64 { tickets.add(1, ordering: .acquiringAndReleasing).newValue }

    /// Keeps loads from publishing anything, or lets them again; for ``Commit`` alone.
    func setCommitting(_ isCommitting: Bool) { order.withLock { $0.isCommitting = isCommitting } }

    /// Publishes a state that the lock holder has made; loads may publish again from here on.
    ///
    /// - Returns: what is to be released when the caller has left the hub.
    @discardableResult
    func publish(_ state: StoreSnapshot) -> DisplacedVersions {
        order.withLock { order in
            order.lastTicket = nextTicket()
            order.isCommitting = false
            return put(state)
        }
    }

    /// Publishes what a load has found, unless something newer has been published.
    ///
    /// - Parameters:
    ///   - ticket: drawn when the load began.
    ///   - difference: what the load has changed, if that is known.
    func publish(loaded snapshot: StoreSnapshot, _ ticket: UInt64, _ difference: Difference? = nil) -> Loaded
    {
        forgetFailures(ofValuesReplacedBy: snapshot)
        var loaded = Loaded(snapshot: snapshot)
        // Released when this returns, after the locks.
        var displaced = DisplacedVersions()
        // Another state may have been published meanwhile, which differs in other keys too.
        loaded.pending = hub.replace(
            touched: difference.flatMap { isLatest($0.base) ? $0.touched : nil },
            values: { latest.values }
        ) {
            order.withLock { order in
                // A load that is overtaken by a commit of this process does not publish what it found: the thread
                // that makes the commit publishes it, with the right cause.
                guard !tryDeferNotice(order) else { return nil }
                let old = latest
                guard !snapshot.isOlder(than: old) else { return nil }
                // Of two loads at the same time the one that began later may have read the files earlier. Only what
                // is loaded from now on is known to be newer than this.
                guard ticket > order.lastTicket || snapshot.hasAll(of: old) else {
                    loaded.isOvertaken = true
                    return nil
                }
                order.lastTicket = nextTicket()
                // Without this, a state that no notification has announced would share its version with the previous
                // one in the caches.
                if snapshot.isUntold(since: old) { freshness.raise() }
                displaced = put(snapshot)
                return snapshot.cause(since: old)
            }
        }
        withExtendedLifetime(displaced) {}
        return loaded
    }

    /// Publishes the same state under the current epoch: in memory only a commit can change anything.
    func republish() -> StoreSnapshot {
        let recorded = epoch
        // Loaded and stored in one step, or a commit in between would be undone.
        return order.withLock { _ in
            let previous = latest
            let snapshot = StoreSnapshot(
                values: previous.values, generation: previous.generation, epoch: recorded, identity: nil,
                files: nil, journal: nil, begun: previous.begun)
            return (snapshot, published.store(snapshot))
        }.0
    }

    /// Publishes that the settings file of a state is what was read of it, even if its times do not tell.
    ///
    /// - Parameters:
    ///   - identity: the version of the file that was compared.
    ///   - time: when the comparison began.
    /// - Returns: whether that is settled; otherwise it has to be compared again.
    func publish(
        verified state: StoreSnapshot, _ identity: FileStatus.Identity, _ files: SuiteFiles,
        readSince time: Int64
    ) -> Bool {
        let (isSettled, displaced) = order.withLock { order in
            let present = latest
            guard present.isRecent else { return (true, DisplacedVersions()) }
            guard !order.isCommitting, !files.isRecent(identity, readSince: time),
                present.identity == identity, present.values.document.isSame(as: state.values.document)
            else { return (false, DisplacedVersions()) }
            return (true, put(present.verified))
        }
        withExtendedLifetime(displaced) {}
        return isSettled
    }

    /// Defers what was noticed to the end of a commit of this process, if one is under way.
    ///
    /// - Returns: whether one is; otherwise it is seen to now.
    func tryDeferNotice() -> Bool { order.withLock { tryDeferNotice($0) } }

    /// The same, for the holder of the lock: the last one that a commit takes, so that none ends in between.
    private func tryDeferNotice(_ order: Order) -> Bool {
        if order.isCommitting { monitor.deferNotice() }
        return order.isCommitting
    }

    func beginWatched() {
        order.withLock { _ in
            if !isWatched { freshness.beginWatched(by: latest.files?.page) }
        }
    }

    /// Has the next loads start over, as if each had been overtaken by another one; for tests.
    func overtake(nextLoads count: UInt64) {
        order.withLock { $0.lastTicket = tickets.load(ordering: .acquiring) + count }
    }

    /// Makes a state the current one; for the code that puts the states in order.
    ///
    /// - Returns: what is to be released when that code has left its locks: a state keeps files open, and closing one
    ///   may take its time.
    private func put(_ snapshot: StoreSnapshot) -> DisplacedVersions {
        // Usually over the page that is followed already, which is found by its address, without counting a
        // reference.
        let page = snapshot.counterAddress
        if page == 0 || !freshness.isFollowing(pageAt: page), let files = snapshot.files {
            if !freshness.isFollowing(files.page) { freshness.follow(files.page) }
        }
        recordGeneration(snapshot.generation)
        monitor.recordPublished(snapshot.generation)
        return published.store(snapshot)
    }

    /// Forgets failures of replaced values; their readers report again.
    private func forgetFailures(ofValuesReplacedBy next: StoreSnapshot) {
        guard FailureLog.isAnyLasting else { return }
        let present = latest
        for log in listeningLogs {
            log.forgetLastingOfValues { key in
                let key = KeyName(key)
                return next.values.value(forKey: key) != present.values.value(forKey: key)
            }
        }
    }
}
