/// What a suite has to say before a transaction is committed to the store it shares with others.
///
/// Its owner keeps it; the store only knows it for as long.
final class CommitGuard: Sendable {
    /// Throws where changes may not be made to the values they rest on.
    typealias Check = @Sendable (StagedChanges, StoredValues) throws(DefaultsError) -> Void

    let check: Check
    /// Whether the check rests on stored values, as rules do, so that these have to be the present ones.
    let readsValues: @Sendable () -> Bool

    init(readsValues: @escaping @Sendable () -> Bool, check: @escaping Check) {
        self.readsValues = readsValues
        self.check = check
    }
}

extension SuiteStore {
    /// Asks every suite of this store whether changes may be committed on the stored values they rest on.
    ///
    /// - Throws: `.locked`, `.invalidValue`; nothing was written.
    func checkBeforeCommit(
        _ changes: StagedChanges, on values: StoredValues, _ guards: [CommitGuard]
    ) throws(DefaultsError) {
        guard !changes.isEmpty else { return }
        for commitGuard in guards { try commitGuard.check(changes, values) }
    }
}

/// The guards of a store.
final class CommitGuards: Sendable {
    private struct WeakGuard {
        weak var commitGuard: CommitGuard?
    }

    private let list = Locked<[WeakGuard]>([])  // A leaf.

    /// Has one more asked.
    func add(_ commitGuard: CommitGuard) {
        list.withLock { list in
            list.removeAll { $0.commitGuard == nil || $0.commitGuard === commitGuard }
            list.append(WeakGuard(commitGuard: commitGuard))
        }
    }

    /// Those that are left.
    var all: [CommitGuard] { list.withLock { $0.compactMap(\.commitGuard) } }
}
