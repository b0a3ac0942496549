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

/// Some guards, in a linked list: most stores have one, and each commit goes through them.
// A list of objects and not an array, because a new process pays for the first array of a type.
final class CommitGuardList: Sendable {
    let first: CommitGuard
    let others: CommitGuardList?

    init(_ first: CommitGuard, before others: CommitGuardList?) {
        (self.first, self.others) = (first, others)
    }

    /// Whether one of them depends on stored values.
    var readsValues: Bool { first.readsValues || others?.readsValues == true }

    /// Has each guard refuse changes that may not be made to the values that they are based on.
    func check(_ changes: StagedChanges, on values: StoredValues) throws(DefaultsError) {
        try first.check(changes, on: values)
        try others?.check(changes, on: values)
    }

    func contains(_ commitGuard: CommitGuard) -> Bool {
        first === commitGuard || others?.contains(commitGuard) == true
    }

    /// Returns the list with one more guard, which is asked last.
    func adding(_ commitGuard: CommitGuard) -> CommitGuardList {
        let rest = others?.adding(commitGuard) ?? CommitGuardList(commitGuard, before: nil)
        return CommitGuardList(first, before: rest)
    }

    /// Returns the list without a guard; nil if that was the only one.
    func without(_ commitGuard: CommitGuard) -> CommitGuardList? {
        let rest = others?.without(commitGuard)
        return first === commitGuard ? rest : CommitGuardList(first, before: rest)
    }
}

/// The guards of a store, which their owners add and remove.
final class CommitGuards: Sendable {
    private final class Present: Sendable {
        let list: CommitGuardList?
        init(_ list: CommitGuardList?) { self.list = list }
    }

    private let present = Published(Present(nil))
    private let changing = Locked(())  // One change of the list at a time; a leaf but for the list's own.

    /// All guards; nil if there is none.
    var all: CommitGuardList? { present.load().list }

    /// Adds a guard.
    func add(_ commitGuard: CommitGuard) {
        // A list keeps people's rules alive, so what was replaced, now or earlier, leaves the lock.
        let displaced = changing.withLock { _ -> DisplacedVersions? in
            let old = all
            guard old?.contains(commitGuard) != true else { return nil }
            return present.store(
                Present(old?.adding(commitGuard) ?? CommitGuardList(commitGuard, before: nil)))
        }
        withExtendedLifetime(displaced) {}
    }

    /// Removes a guard.
    func remove(_ commitGuard: CommitGuard) {
        let displaced = changing.withLock { _ in
            let old = all
            return (old, present.store(Present(old?.without(commitGuard))))
        }
        withExtendedLifetime(displaced) {}
    }
}
