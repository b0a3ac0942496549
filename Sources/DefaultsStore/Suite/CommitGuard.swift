/// What a suite has to say before a transaction is committed to the store it shares with others.
///
/// It keeps nothing of its owner alive but what most commits have to look at.
final class CommitGuard: Sendable {
    /// Throws where changes may not be made to the values they rest on.
    typealias Check = @Sendable (StagedChanges, StoredValues) throws(DefaultsError) -> Void

    private let domains: PublishedDomains
    private let rules: RuleBook
    private let check: Check

    /// - Parameter check: is asked where a domain may lock keys, or a rule is there.
    init(domains: PublishedDomains, rules: RuleBook, check: @escaping Check) {
        self.domains = domains
        self.rules = rules
        self.check = check
    }

    /// Whether the check rests on stored values, as rules do, so that these have to be the present ones.
    var readsValues: Bool { !rules.isEmpty }

    /// Refuses changes that may not be made to the values they rest on.
    func check(_ changes: StagedChanges, on values: StoredValues) throws(DefaultsError) {
        if rules.isEmpty, domains.areBare || domains.load().locksNothing { return }
        try check(changes, values)
    }
}

/// The guards of a store, which their owners add and take away.
final class CommitGuards: Sendable {
    private final class List: Sendable {
        let guards: [CommitGuard]
        init(_ guards: [CommitGuard]) { self.guards = guards }
    }

    private let list = Published(List([]))
    private let changing = Locked(())  // One change of the list at a time; a leaf but for the list's own.

    /// All of them.
    var all: [CommitGuard] { list.load().guards }

    /// Has one more asked.
    func add(_ commitGuard: CommitGuard) {
        changing.withLock { _ in
            if !all.contains(where: { $0 === commitGuard }) { list.store(List(all + [commitGuard])) }
        }
    }

    /// Has one asked no more.
    func remove(_ commitGuard: CommitGuard) {
        // What goes with the old list goes when the lock is given back.
        let old = changing.withLock { _ in
            let old = all
            list.store(List(old.filter { $0 !== commitGuard }))
            return old
        }
        withExtendedLifetime(old) {}
    }
}
