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

/// Some guards, in a list of one object for each: most stores have one, and each commit goes through them.
// A list of objects and not an array, since a new process pays for the first array of a type.
final class CommitGuardList: Sendable {
    let first: CommitGuard
    let others: CommitGuardList?

    init(_ first: CommitGuard, before others: CommitGuardList?) {
        (self.first, self.others) = (first, others)
    }

    /// Whether one of them rests on stored values.
    var readsValues: Bool { first.readsValues || others?.readsValues == true }

    /// Has each of them refuse changes that may not be made to the values they rest on.
    func check(_ changes: StagedChanges, on values: StoredValues) throws(DefaultsError) {
        try first.check(changes, on: values)
        try others?.check(changes, on: values)
    }

    func contains(_ commitGuard: CommitGuard) -> Bool {
        first === commitGuard || others?.contains(commitGuard) == true
    }

    /// The list with one more guard, which is asked last.
    func adding(_ commitGuard: CommitGuard) -> CommitGuardList {
        let rest = others?.adding(commitGuard) ?? CommitGuardList(commitGuard, before: nil)
        return CommitGuardList(first, before: rest)
    }

    /// The list without a guard; nil where that was all.
    func without(_ commitGuard: CommitGuard) -> CommitGuardList? {
        let rest = others?.without(commitGuard)
        return first === commitGuard ? rest : CommitGuardList(first, before: rest)
    }
}

/// The guards of a store, which their owners add and take away.
final class CommitGuards: Sendable {
    private final class Present: Sendable {
        let list: CommitGuardList?
        init(_ list: CommitGuardList?) { self.list = list }
    }

    private let present = Published(Present(nil))
    private let changing = Locked(())  // One change of the list at a time; a leaf but for the list's own.

    /// All of them; nil for none.
    var all: CommitGuardList? { present.load().list }

    /// Whether one of them rests on stored values; every commit asks, so that nothing is counted for it.
    var readValues: Bool { present.withPresent { $0.list?.readsValues == true } }

    /// Has one more asked.
    func add(_ commitGuard: CommitGuard) {
        changing.withLock { _ in
            let old = all
            if old?.contains(commitGuard) != true {
                let all = old?.adding(commitGuard) ?? CommitGuardList(commitGuard, before: nil)
                present.store(Present(all))
            }
        }
    }

    /// Has one asked no more.
    func remove(_ commitGuard: CommitGuard) {
        // What goes with the old list goes when the lock is given back.
        let old = changing.withLock { _ in
            let old = all
            present.store(Present(old?.without(commitGuard)))
            return old
        }
        withExtendedLifetime(old) {}
    }
}
