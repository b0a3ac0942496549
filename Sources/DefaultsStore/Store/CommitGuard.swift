/// What a suite has to say before a transaction is committed to the store that it shares with other suites.
///
/// It keeps nothing of its owner alive except what most commits have to check.
final class CommitGuard: Sendable {
    /// Throws if changes may not be made to the values that they are based on.
    typealias Check = @Sendable (StagedChanges, StoredValues) throws(DefaultsError) -> Void

    private let domains: PublishedDomains
    private let rules: RuleBook
    private let check: Check

    /// Creates a guard.
    ///
    /// - Parameter check: called if a domain may lock keys, or if there is a rule.
    init(domains: PublishedDomains, rules: RuleBook, check: @escaping Check) {
        self.domains = domains
        self.rules = rules
        self.check = check
    }

    /// Whether the check depends on stored values, as rules do, so that these have to be current.
    var readsValues: Bool { !rules.isEmpty }

    /// Refuses changes that may not be made to the values that they are based on.
    func check(_ changes: StagedChanges, on values: StoredValues) throws(DefaultsError) {
        if rules.isEmpty, domains.areBare || domains.load().locksNothing { return }
        try check(changes, values)
    }
}

/// The guards of a store at one moment: most stores have one, and each commit goes through them.
final class CommitGuardList: Sendable {
    private let all: [CommitGuard]

    init(_ all: [CommitGuard] = []) { self.all = all }

    /// Whether one of them depends on stored values.
    var readsValues: Bool { all.contains { $0.readsValues } }

    /// Has each guard, in the order in which they were added, refuse changes that may not be made to the values that they
    /// are based on.
    func check(_ changes: StagedChanges, on values: StoredValues) throws(DefaultsError) {
        for commitGuard in all { try commitGuard.check(changes, on: values) }
    }

    fileprivate func adding(_ commitGuard: CommitGuard) -> CommitGuardList {
        all.contains { $0 === commitGuard } ? self : CommitGuardList(all + [commitGuard])
    }

    fileprivate func without(_ commitGuard: CommitGuard) -> CommitGuardList {
        CommitGuardList(all.filter { $0 !== commitGuard })
    }
}

/// The guards of a store, which their owners add and remove.
final class CommitGuards: Sendable {
    private let present = Published(CommitGuardList())
    private let changing = Locked(())  // One change of the list at a time; a leaf but for the list's own.

    /// All guards.
    var all: CommitGuardList { present.load() }

    /// Whether one of them depends on stored values; every commit asks, so no reference is counted for it.
    var readValues: Bool { present.withPresent { $0.readsValues } }

    /// Adds a guard.
    func add(_ commitGuard: CommitGuard) { change { $0.adding(commitGuard) } }

    /// Removes a guard.
    func remove(_ commitGuard: CommitGuard) { change { $0.without(commitGuard) } }

    private func change(_ body: (CommitGuardList) -> CommitGuardList) {
        // A list keeps people's rules alive, so what was replaced, now or earlier, leaves the lock.
        let displaced = changing.withLock { _ in
            let old = all
            return (old, present.store(body(old)))
        }
        withExtendedLifetime(displaced) {}
    }
}
