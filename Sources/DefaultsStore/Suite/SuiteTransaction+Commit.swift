import Synchronization

/// The commit: from staged changes to a settings file on the disk.
extension SuiteStore {
    /// Commits what differs from the stored values.
    ///
    /// - Guarantee: on return every process sees all of it, and it survives a kill and power loss.
    /// - Throws: `.locked`, `.invalidValue`, `.valueTooLarge`, `.diskFull`, `.readOnly`, `.io`; the old values are there unless only the last
    ///   wait for the folder failed.
    func commit(_ transaction: OpenTransaction) throws(DefaultsError) -> [Subscription] {
        for _ in 0..<10 {
            try checkBeforeCommit(transaction)
            let changes = transaction.changes.effective(on: transaction.base.document)
            guard !changes.isEmpty || mendsDamage(transaction) || isUnsettled(transaction) else { return [] }
            let document = transaction.base.document.applying(changes).whole
            guard document.bytes.count <= SettingsFile.limit else {
                throw DefaultsError(.valueTooLarge, path: location?.path)
            }
            guard location != nil else { return publishInMemory(document, transaction) }
            if let pending = try write(document, transaction) { return pending }
            try rebase(transaction)
        }
        throw DefaultsError(
            .lockTimeout, path: location?.path, underlyingDescription: "other programs keep saving the file")
    }

    /// Whether a damaged file has to be replaced though no value that is known changes: what is acknowledged has to
    /// be in the file, and the damaged one may not hold it.
    private func mendsDamage(_ transaction: OpenTransaction) -> Bool {
        transaction.base.damage != nil && (!transaction.changes.isEmpty || transaction.changes.removesAll)
    }

    /// Whether the present file may not be on the disk yet, because a commit ended half way: what is acknowledged has
    /// to be, also when it changes nothing.
    private func isUnsettled(_ transaction: OpenTransaction) -> Bool {
        !transaction.changes.isEmpty && transaction.base.begun > transaction.base.generation
    }

    /// Puts the transaction onto what is there now: its changes hold absolute values.
    private func rebase(_ transaction: OpenTransaction) throws(DefaultsError) {
        let isLocked = try withLock(transaction) { lock in lock.files.isCurrent() }
        guard !isLocked else {
            transaction.base = try reload()
            return
        }
        // The folder or its lock file was replaced: the lock that is held keeps nobody out any more.
        transaction.lock = nil
        transaction.lock = try lockPresentState(
            &transaction.base, until: .after(milliseconds: WriterLock.limit))
    }

    /// The steps on disk; nil when the settings file is no longer the one the changes rest on.
    private func write(
        _ document: SettingsDocument, _ transaction: OpenTransaction
    ) throws(DefaultsError) -> [Subscription]? {
        guard let files = transaction.base.files else { throw DefaultsError(.io, path: location?.path) }
        // Noted before the comparison below: a notice of a save that lands after it makes the new state old at once.
        let noted = epoch
        let generation = try raiseGeneration(files, transaction)
        let next = try prepare(document, files, transaction)
        // F8: only the file that the changes rest on is replaced.
        guard try restsOnPresentFiles(transaction) else {
            try discard(transaction)
            return nil
        }
        try keepDamaged(transaction)
        order.withLock { $0.isCommitting = true }
        do {
            try replace(transaction)
        } catch {
            order.withLock { order in
                order.isCommitting = false
                order.hasHalfCommit = true
            }
            raiseEpoch()
            throw error
        }
        settle(generation, transaction)
        return publish(
            committed: SuiteSnapshot(
                document: document, generation: generation, epoch: noted, identity: next.identity,
                files: files,
                begun: generation), transaction)
    }

    private func restsOnPresentFiles(_ transaction: OpenTransaction) throws(DefaultsError) -> Bool {
        let base = transaction.base
        let isLocked = try withLock(transaction) { lock in lock.files === base.files && lock.files.isCurrent()
        }
        guard isLocked else { return false }
        return try identityOnDisk(base) == base.identity
    }

    /// F4: the generation rises before anything else is written, so that no cache outlives the change.
    private func raiseGeneration(
        _ files: SuiteFiles, _ transaction: OpenTransaction
    ) throws(DefaultsError) -> UInt64 {
        let known = max(files.page?.number ?? 0, transaction.base.generation, published.load().generation)
        let generation = known + 1
        try withLock(transaction) { (lock) throws(DefaultsError) in try lock.raise(to: generation) }
        return generation
    }

    private func prepare(
        _ document: SettingsDocument, _ files: SuiteFiles, _ transaction: OpenTransaction
    ) throws(DefaultsError) -> FileStatus {
        let permissions = try SettingsFile.status(files)?.permissions ?? 0o600
        return try withLock(transaction) { (lock) throws(DefaultsError) in
            try SettingsFile.prepare(document.bytes, permissions: permissions & 0o666, holding: lock)
        }
    }

    private func discard(_ transaction: OpenTransaction) throws(DefaultsError) {
        try withLock(transaction) { (lock) throws(DefaultsError) in SettingsFile.discard(holding: lock) }
    }

    /// F3: keeps the bytes of a file that could not be used before it is replaced.
    private func keepDamaged(_ transaction: OpenTransaction) throws(DefaultsError) {
        guard transaction.base.damage != nil else { return }
        _ = try withLock(transaction) { (lock) throws(DefaultsError) in
            try SettingsFile.keepDamaged(holding: lock)
        }
    }

    private func replace(_ transaction: OpenTransaction) throws(DefaultsError) {
        try withLock(transaction) { (lock) throws(DefaultsError) in try SettingsFile.replace(holding: lock) }
    }

    /// F5: says that the settings file stands for the generation.
    ///
    /// The commit is whole without it: readers of other processes only look at the files more often until it
    /// is said.
    private func settle(_ generation: UInt64, _ transaction: OpenTransaction) {
        do {
            try withLock(transaction) { (lock) throws(DefaultsError) in
                try Journal.write(JournalHeader(generation: generation), holding: lock)
            }
        } catch {
            report(error)
        }
    }

    private func publishInMemory(_ document: SettingsDocument, _ transaction: OpenTransaction)
        -> [Subscription]
    {
        let generation = transaction.base.generation + 1
        freshness.beginInMemory(generation)
        let snapshot = SuiteSnapshot(
            document: document, generation: generation, epoch: epoch, identity: nil, files: nil,
            begun: generation)
        return publish(committed: snapshot, transaction)
    }

    private func publish(committed snapshot: SuiteSnapshot, _ transaction: OpenTransaction) -> [Subscription]
    {
        hub.replace(unheard: transaction.changes.unheard, document: { published.load().document }) {
            order.withLock { order in
                order.lastTicket = tickets.add(1, ordering: .acquiringAndReleasing).newValue
                order.isCommitting = false
                published.store(snapshot)
                return .thisProcess
            }
        }
    }

    private func withLock<Result>(
        _ transaction: OpenTransaction, _ body: (borrowing HeldWriterLock) throws(DefaultsError) -> Result
    ) throws(DefaultsError) -> Result {
        switch transaction.lock {
        case .some(let lock): return try body(lock)
        case .none: throw DefaultsError(.io, path: location?.path)
        }
    }
}
