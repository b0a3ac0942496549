import Synchronization

import Synchronization

/// What all handles of one place share: the domains, the catalogue, the failures, and the store once it is open.
package final class SuiteCore: Sendable {
    package let name: String
    /// Where the suite was asked for; nil in memory.
    let location: SuiteLocation?
    package let failures: FailureLog
    package let catalogue = KeyCatalogue()
    /// The keys of other suites that were looked up in this one; they bring no defaults.
    let guests = KeyCatalogue()
    package let domains = Published(SearchList())
    let managed: ManagedSource
    let rules = RuleBook()
    private let opened = AtomicLazyReference<SuiteStore>()
    private let commitGuard = AtomicLazyReference<CommitGuard>()
    private let domainChange = Locked(())  // Lock L4: one change of the domains at a time; may take L5.

    /// - Parameter managed: the administrator's file; nil for none.
    init(name: String, location: SuiteLocation?, managed: ManagedFile? = nil) {
        self.name = name
        self.location = location
        self.managed = ManagedSource(managed)
        failures = FailureLog(suite: name)
    }

    /// The store, if it is open.
    package var openStore: SuiteStore? { opened.load() }

    /// The store, opened at its first use.
    ///
    /// - Throws: `.insecureDirectory`, `.readOnly`, `.diskFull`, `.io`; the next use tries again.
    package func store() throws(DefaultsError) -> SuiteStore {
        if let store = opened.load() { return store }
        // Before the store, so that nobody finds one open whose locked keys are not known yet.
        readManagedFileOnce()
        do {
            let store = try location.map { (location) throws(DefaultsError) in
                try SuiteRegistry.store(at: location)
            }
            let opening = store ?? SuiteStore(files: nil)
            opening.attach(failures)
            opening.guards.add(ownGuard)
            // A change of the domains that finds no store open must not be under way beside the first reads.
            return domainChange.withLock { _ in opened.storeIfNil(opening) }
        } catch {
            throw error.inSuite(name)
        }
    }

    private var ownGuard: CommitGuard {
        if let known = commitGuard.load() { return known }
        return commitGuard.storeIfNil(
            CommitGuard { [weak self] (transaction) throws(DefaultsError) in
                try self?.checkBeforeCommit(transaction)
            })
    }

    /// Replaces the domains and tells the observers whose effective value that changes: before this returns, or where
    /// the caller is in a transaction, when that has given its locks back.
    func changeDomains(_ cause: DefaultsChange.Cause, _ change: (SearchList) -> SearchList) {
        let pending = replaceDomains(cause, change)
        guard let store = openStore, !pending.isEmpty else { return }
        store.tell { pending.forEach { $0.deliver() } }
    }

    /// Replaces the domains.
    ///
    /// - Returns: the observers that have something to deliver.
    func replaceDomains(
        _ cause: DefaultsChange.Cause, _ change: (SearchList) -> SearchList
    ) -> [Subscription] {
        domainChange.withLock { _ -> [Subscription] in
            guard let store = openStore else {
                domains.store(change(domains.load()))
                return []
            }
            let pending = store.hub.replace(
                document: { store.published.load().document },
                swap: {
                    domains.store(change(domains.load()))
                    return cause
                })
            store.raiseEpoch()
            return pending
        }
    }
}
