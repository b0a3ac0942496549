/// What all handles of one place share: the domains, the catalogue, the failures, and the store once it is open.
package final class SuiteCore: Sendable {
    package let name: String
    /// Where the suite was asked for; nil in memory.
    let location: SuiteLocation?
    package let failures: FailureLog
    package let catalogue = KeyCatalogue()
    package let domains = Published(SearchList())
    private let opened = Published(Opening(store: nil))
    private let domainChange = Locked(())  // Lock L4: one change of the domains at a time; may take L5.

    /// The store that was opened last, if any.
    private final class Opening: Sendable {
        let store: SuiteStore?
        init(store: SuiteStore?) { self.store = store }
    }

    init(name: String, location: SuiteLocation?) {
        self.name = name
        self.location = location
        failures = FailureLog(suite: name)
    }

    /// The store, if it is open; one that a parent of this process had open is not.
    package var openStore: SuiteStore? { lastStore.flatMap { $0.isInherited ? nil : $0 } }

    /// The store that was opened last, which may be a parent's.
    var lastStore: SuiteStore? { opened.load().store }

    /// The store, opened at its first use.
    ///
    /// - Throws: `.insecureDirectory`, `.readOnly`, `.diskFull`, `.io`; the next use tries again.
    package func store() throws(DefaultsError) -> SuiteStore {
        if let store = openStore { return store }
        do {
            let store = try location.map { (location) throws(DefaultsError) in
                try SuiteRegistry.store(at: location)
            }
            // A suite in memory goes on, in a forked child, with the values that it had.
            let opening =
                store ?? SuiteStore(files: nil, values: lastStore?.published.load().values ?? .empty)
            // A change of the domains that finds no store open must not be under way beside the first reads.
            let first = domainChange.withLock { _ in
                if let present = openStore { return present }
                opened.store(Opening(store: opening))
                return opening
            }
            first.attach(failures)
            return first
        } catch {
            throw error.inSuite(name)
        }
    }

    /// Replaces the domains and tells the observers whose effective value that changes.
    func changeDomains(_ cause: DefaultsChange.Cause, _ change: (SearchList) -> SearchList) {
        let pending = domainChange.withLock { _ -> [Subscription] in
            guard let store = openStore else {
                domains.store(change(domains.load()))
                return []
            }
            let pending = store.hub.replace(
                values: { store.published.load().values },
                swap: {
                    domains.store(change(domains.load()))
                    return cause
                })
            store.raiseEpoch()
            return pending
        }
        pending.forEach { $0.deliver() }
    }
}
