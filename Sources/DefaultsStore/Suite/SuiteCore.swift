import Synchronization

/// What all handles of one location share: the domains, the catalogue, the failures, and the store once it is open.
package final class SuiteCore: Sendable {
    package let name: String
    /// The location that was asked for; nil in memory.
    let location: SuiteLocation?
    package let failures: FailureLog
    package let catalogue = KeyCatalogue()
    /// The keys of other suites that were looked up in this one; they bring no defaults.
    let guests = KeyCatalogue()
    /// The defaults in the system's folders, once they are wanted.
    let systemDefaults = LazyReference<SystemDefaults>()
    /// Whether any key has been declared secret, or a source has supplied secrets.
    let hasSecrets = Atomic<Bool>(false)
    package let domains = PublishedDomains()
    let managed: ManagedSource
    let rules = RuleBook()
    package let readings = KnownReadings()
    /// The stores that were opened, the current one last: more than one in a forked child.
    let opened = Lasting<SuiteStore>()
    /// The observers that were begun while the store could not be opened.
    let lateObservers = Locked<[LateObserver]>([])  // A leaf.
    /// The declared keys of each variable that has answered.
    let keysOfVariables = Locked<[String: Set<KeyName>]>([:])  // A leaf.
    /// How long a record may wait for the checkpoint, in milliseconds.
    private let delay = Atomic<UInt64>(CheckpointSchedule.usualDelay)
    /// How many handles there are that count.
    private let handles = Atomic<Int>(0)
    private let kept = LazyReference<SuiteBelongings>()
    private let commitGuard = LazyReference<CommitGuard>()
    private let domainChange = Locked(())  // Lock L4: one change of the domains at a time; may take L5.

    /// Creates the core of a location.
    ///
    /// - Parameter managed: the administrator's file; nil for none.
    init(name: String, location: SuiteLocation?, managed: ManagedFile? = nil) {
        self.name = name
        self.location = location
        self.managed = ManagedSource(managed)
        failures = FailureLog(suite: name)
    }

    deinit {
        if let commitGuard = commitGuard.load() { lastStore?.guards.remove(commitGuard) }
    }

    /// What a layer above keeps for the suite while there is a handle of it.
    package var belongings: SuiteBelongings { kept.load() ?? kept.storeIfNil(SuiteBelongings()) }

    /// Notes a new handle.
    func addHandle() { handles.add(1, ordering: .relaxed) }

    /// Notes the end of a handle; with the last one goes what is kept for them.
    ///
    /// Whoever keeps something has a handle, so that none is forgotten here: another handle that comes meanwhile loses
    /// at most what can be made anew.
    func removeHandle() {
        guard handles.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        kept.load()?.removeAll()
    }

    /// The store, if it is open in this process; one that a parent had open does not count.
    package var openStore: SuiteStore? { lastStore.flatMap { $0.isInherited ? nil : $0 } }

    /// The store that was opened last, which may be a parent's.
    var lastStore: SuiteStore? { opened.last }

    /// Returns the store, which is opened at its first use.
    ///
    /// - Throws: `.insecureDirectory`, `.readOnly`, `.diskFull`, `.io`; the next use tries again.
    package func store() throws(DefaultsError) -> SuiteStore {
        if let store = openStore {
            if !managed.isWatched.load(ordering: .acquiring) { lookAtManagedFile(store) }
            return store
        }
        managed.forgetParent()
        // Before the store is opened, so that nobody finds it open while its locked keys are not known yet.
        readManagedFileOnce()
        do {
            let store = try location.map { (location) throws(DefaultsError) in
                try SuiteRegistry.store(at: location)
            }
            // In a forked child, a suite in memory continues with the values that it had.
            let opening =
                store ?? SuiteStore(files: nil, values: lastStore?.published.load().values ?? .empty)
            opening.attach(failures)
            let delay = checkpointDelay
            if delay != CheckpointSchedule.usualDelay { opening.checkpointing.withLock { $0.delay = delay } }
            opening.guards.add(ownGuard)
            // A change of the domains that finds no store open must not run at the same time as the first reads.
            domainChange.withLock { _ in
                if openStore == nil { opened.set(opening) }
            }
            watchForFailures()
            takeUpLateObservers(openStore ?? opening)
            return openStore ?? opening
        } catch {
            throw error.inSuite(name)
        }
    }

    /// How long a record may wait for the checkpoint, in milliseconds.
    var checkpointDelay: UInt64 {
        get { delay.load(ordering: .relaxed) }
        set {
            delay.store(newValue, ordering: .relaxed)
            openStore?.checkpointing.withLock { $0.delay = newValue }
        }
    }

    private var ownGuard: CommitGuard {
        if let known = commitGuard.load() { return known }
        return commitGuard.storeIfNil(
            CommitGuard(domains: domains, rules: rules) {
                [weak self] (changes, values) throws(DefaultsError) in
                try self?.checkBeforeCommit(changes, on: values)
            })
    }

    /// Replaces the domains and notifies the observers whose effective value changes: before this returns or, if the
    /// caller is in a transaction, after that has released its locks.
    func changeDomains(
        _ cause: DefaultsChange.Cause, unheard: Set<KeyName> = [],
        touched: (SearchList) -> Set<KeyName>? = { _ in nil }, _ change: (SearchList) -> SearchList
    ) {
        let pending = replaceDomains(cause, unheard: unheard, touched: touched, change)
        guard let store = openStore, !pending.isEmpty else { return }
        store.tell { pending.forEach { $0.deliver() } }
    }

    /// Replaces the domains.
    ///
    /// - Parameters:
    ///   - unheard: the keys whose change no observer is notified of.
    ///   - touched: the only keys whose effective value the change may affect; nil if it may affect all.
    /// - Returns: the observers that have something to deliver.
    func replaceDomains(
        _ cause: DefaultsChange.Cause, unheard: Set<KeyName> = [],
        touched: (SearchList) -> Set<KeyName>? = { _ in nil }, _ change: (SearchList) -> SearchList
    ) -> [Subscription] {
        // Released when this returns, after the locks.
        var displaced = VersionCell.Displaced()
        let pending = domainChange.withLock { _ -> [Subscription] in
            guard let store = openStore else {
                displaced = put(change(domains.load()))
                return []
            }
            return store.hub.replace(
                unheard: unheard, touched: touched(domains.load()), values: { store.published.load().values },
                swap: {
                    // Before the mailboxes are filled, because another thread may be emptying one: what its handler
                    // reads then is no older than its event.
                    store.changing { displaced = put(change(domains.load())) }
                    return cause
                })
        }
        withExtendedLifetime(displaced) {}
        return pending
    }

    /// Publishes other domains; what was wrong with values that one of them had and has no more is forgotten.
    private func put(_ next: SearchList) -> VersionCell.Displaced {
        if FailureLog.isAnyStanding {
            let present = domains.load()
            failures.forgetStandingOfValues { key in
                let texts = [present, next].map { Set($0.candidates(KeyName(key), stored: nil).map(\.text)) }
                return !texts[0].isSubset(of: texts[1])
            }
        }
        return domains.store(next)
    }
}
