/// What a suite has to say before a transaction is committed to the store that it shares with other suites.
///
/// It keeps nothing of its owner alive except what most commits have to check.
final class CommitGuard: Sendable {
    /// Throws if changes may not be made to the values that they are based on.
    typealias Check = @Sendable (StagedChanges, StoredValues) throws(DefaultsError) -> Void

    private let domains: PublishedDomains
    private let validations: ValidationList
    private let check: Check

    /// - Parameter check: called if a domain may lock keys, if values are withheld, or if there is a validation.
    init(domains: PublishedDomains, validations: ValidationList, check: @escaping Check) {
        self.domains = domains
        self.validations = validations
        self.check = check
    }

    /// Whether the check depends on stored values, as validations do, so that these have to be current.
    var readsValues: Bool { !validations.isEmpty }

    /// - Parameter merged: what patches make of the changes' entries.
    func check(
        _ changes: StagedChanges, merged: [StoredChange], on values: StoredValues
    ) throws(DefaultsError) {
        if validations.isEmpty {
            if domains.areBare { return }
            let list = domains.load()
            if list.locksNothing, list.contents.withheld == nil { return }
        }
        try check(changes.with(merged), values)
    }
}

/// The guards of a store, which their owners add and remove.
final class CommitGuards: Sendable {
    private final class Present: Sendable {
        let list: [CommitGuard]
        init(_ list: [CommitGuard]) { self.list = list }
    }

    private let present = Published(Present([]))
    private let changing = Locked(())  // One change of the list at a time; a leaf but for the list's own.

    var all: [CommitGuard] { present.load().list }

    func add(_ commitGuard: CommitGuard) {
        change { $0.contains { $0 === commitGuard } ? $0 : $0 + [commitGuard] }
    }

    func remove(_ commitGuard: CommitGuard) {
        change { $0.filter { $0 !== commitGuard } }
    }

    private func change(_ next: ([CommitGuard]) -> [CommitGuard]) {
        // A list keeps users' validations alive, so what was replaced, now or earlier, leaves the lock.
        let displaced = changing.withLock { _ in
            let old = all
            return (old, present.store(Present(next(old))))
        }
        withExtendedLifetime(displaced) {}
    }
}
