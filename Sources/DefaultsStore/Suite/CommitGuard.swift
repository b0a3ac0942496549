/// What a suite has to say before a transaction is committed to the store it shares with others.
///
/// Its owner keeps it; the store only knows it for as long.
final class CommitGuard: Sendable {
    let check: @Sendable (OpenTransaction) throws(DefaultsError) -> Void

    init(check: @escaping @Sendable (OpenTransaction) throws(DefaultsError) -> Void) { self.check = check }
}

extension SuiteStore {
    /// Asks every suite of this store whether the transaction may be committed on the state it rests on.
    ///
    /// - Throws: `.locked`, `.invalidValue`; nothing was written.
    func checkBeforeCommit(_ transaction: OpenTransaction) throws(DefaultsError) {
        guard !transaction.changes.isEmpty else { return }
        for commitGuard in guards.all { try commitGuard.check(transaction) }
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
