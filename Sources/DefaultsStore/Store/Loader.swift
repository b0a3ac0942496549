import Synchronization

/// Loads: makes a state of the settings file and the journal's records, for which it takes no lock.
///
/// A read that finds the published state outdated loads, and so does a notification. If the files show that a writer died
/// between raising the generation and appending, the load has that completed.
struct Loader: Sendable {
    /// How long a file that does not parse is given to become valid, an empty one to be filled, and a file that has
    /// disappeared to come back: an editor may be half way through, and many rename the old file away before they write
    /// the new one.
    static let gracePeriodInNanoseconds: UInt64 = 50_000_000
    /// How long a file that was emptied is given where the state before can stand in for it, so that nobody waits.
    static let emptiedGracePeriodInNanoseconds: UInt64 = 1_000_000_000
    /// How often a load starts over because a checkpoint came in between; a checkpoint takes the disk many times as
    /// long.
    private static let attempts = 100
    /// How often a load that another one may have overtaken is repeated.
    private static let repetitions = 4

    /// A commit that may have been abandoned, and how many loads have found it.
    fileprivate struct Abandoned {
        var begun: UInt64 = 0
        var loads = 0
    }

    fileprivate let store: SettingsStore

    /// Loads the state again and publishes it, unless something newer has been published in the meantime.
    @discardableResult
    func reload() throws(DefaultsError) -> StoreSnapshot { notifyObservers(of: try reloadSilently()) }

    /// Returns the current state if only records have been added since the one published last.
    ///
    /// - Cost: if there are any, one `stat`, one read per 4 KiB of them, and one more if a few are long; no lock is
    ///   held meanwhile.
    /// - Returns: nil if there is more to do; ``SettingsStore/state()`` does it, and throws what this may have run into.
    @inline(never)
    func stateAfterNewRecords() -> (state: StoreSnapshot, version: UInt64)? {
        do {
            let present = store.latest
            // Without a mapped page no version can be told.
            guard present.counterAddress != 0,
                let loaded = try loadNewRecords(behind: present, store.nextTicket())
            else { return nil }
            let next = notifyObservers(of: loaded)
            return store.version(of: next).map { (next, $0) }
        } catch { return nil }
    }

    /// Loads through files that were just opened in place of removed ones.
    func use(_ files: SuiteFiles) throws(DefaultsError) {
        _ = notifyObservers(of: try load(through: files, store.nextTicket()))
    }

    /// As `reload()`, but leaves notifying to the caller.
    func reloadSilently() throws(DefaultsError) -> SettingsStore.Loaded {
        var loaded = try loadOnce()
        // Nobody else would notify of a save that only this load has seen.
        for _ in 0..<Loader.repetitions where loaded.isOvertaken { loaded = try loadOnce() }
        return loaded
    }

    private func loadOnce() throws(DefaultsError) -> SettingsStore.Loaded {
        let ticket = store.nextTicket()
        let previous = store.latest
        guard previous.files != nil else { return SettingsStore.Loaded(snapshot: store.republish()) }
        if let next = try loadNewRecords(behind: previous, ticket) { return next }
        return try load(through: try presentFiles(previous), ticket)
    }

    private func loadNewRecords(behind previous: StoreSnapshot, _ ticket: UInt64) throws(DefaultsError)
        -> SettingsStore.Loaded?
    {
        // Nobody needs to know if nobody observes; whoever begins to meanwhile is compared with all keys.
        var touched: Set<KeyName>? = store.hasObservers ? [] : nil
        let found = try Loader.withNewRecords(
            previous, epoch: store.epoch, isTold: store.isWatched, touched: &touched)
        guard let next = found else { return nil }
        let difference = touched.map { SettingsStore.Difference(base: previous, touched: Array($0)) }
        let loaded = store.publish(loaded: next, ticket, difference)
        if next.isRecent { store.monitor.checkAgain(.atRecentFile) }
        if next.values.isPending { store.checkpointer.scheduleForOrphans(in: next) }
        return loaded
    }

    private func load(through files: SuiteFiles, _ ticket: UInt64) throws(DefaultsError)
        -> SettingsStore.Loaded
    {
        let begin = SystemCalls.monotonicNanoseconds
        let previous = store.latest
        let snapshot = try Loader.load(after: previous, files: files) { store.epoch }
        if snapshot.isCheckpointed(since: previous) { store.checkpointer.recordFound(at: begin) }
        let loaded = store.publish(loaded: snapshot, ticket)
        store.recordCheck(at: begin, finding: snapshot)
        followUp(snapshot)
        if previous.isDamaged, !snapshot.isDamaged { store.checkpointer.resume() }
        return loaded
    }

    /// Has the observers notified of what a load has found, on another thread, because the caller only wanted to
    /// read.
    private func notifyObservers(of loaded: SettingsStore.Loaded) -> StoreSnapshot {
        let pending = loaded.pending
        // Not by the pool alone: if it can start no thread, it runs its work on the thread that brings it.
        if !pending.isEmpty { store.runUserCode { WorkerPool.shared.deliver(pending) } }
        return loaded.snapshot
    }

    /// Returns the open files, or those that have taken their place.
    private func presentFiles(_ previous: StoreSnapshot) throws(DefaultsError) -> SuiteFiles {
        guard let files = previous.files, let location = store.location else {
            throw DefaultsError(.ioFailure)
        }
        guard !files.isCurrent() else { return files }
        guard let fresh = try SuiteFiles.openExisting(location) else {
            // The kernel sends no notification about a folder that is not there, so it has to be checked until it is.
            if store.isWatched { store.monitor.checkAgain() }
            return files
        }
        store.monitor.turn(to: fresh)
        return fresh
    }

    /// Does what a load leaves to be done: report damage, check again later, complete what a dead writer left.
    private func followUp(_ snapshot: StoreSnapshot) {
        report(snapshot)
        store.monitor.followUp(snapshot)
        if snapshot.values.isPending { store.checkpointer.scheduleForOrphans(in: snapshot) }
        guard snapshot.hasAbandonedCommit, snapshot.files?.isWritable == true else { return }
        let isStuck = store.loaderState.abandoned.withLock { abandoned in
            abandoned.loads = abandoned.begun == snapshot.begun ? abandoned.loads + 1 : 1
            abandoned.begun = snapshot.begun
            return abandoned.loads >= 3
        }
        if isStuck { store.writer.completeAbandonedCommit() }
    }

    private func report(_ snapshot: StoreSnapshot) {
        guard let damage = snapshot.damage else {
            let path = snapshot.files?.location.path
            return store.reportLasting(only: snapshot.values.document.duplicates(in: path), in: .file)
        }
        guard let error = damage.error, SystemCalls.monotonicNanoseconds >= damage.gracePeriodEnds else {
            return
        }
        store.reportLasting(only: [error], in: .file)
    }
}

/// The state as it is on the disk, for whoever holds the writer's lock.
extension Loader {
    /// Returns the current state, read under the writer's lock; a damaged file is given time to become valid.
    func presentState() throws(DefaultsError) -> StoreSnapshot {
        var base = store.latest
        // A load checks the settings file itself, and its contents if the times may not reveal a change.
        let isKnown =
            store.monitor.checkIsPresent(base, isLocked: true) && !base.isRecent
            ? try base.standing(in: .settings) == .same : false
        if !isKnown { base = try reloadUnovertaken() }
        while let damage = base.damage {
            guard SystemCalls.monotonicNanoseconds - damage.firstSeen < Loader.gracePeriodInNanoseconds else {
                break
            }
            SystemCalls.pause(nanoseconds: 5_000_000)
            base = try reloadUnovertaken()
        }
        return base
    }

    /// As `presentState()`, but waits until an emptied file is filled, or its time is over.
    func presentStateOnceFilled() throws(DefaultsError) -> StoreSnapshot {
        var base = try presentState()
        while let damage = base.damage, damage.error == nil {
            SystemCalls.pause(nanoseconds: 5_000_000)
            base = try reloadUnovertaken()
        }
        return base
    }

    /// Loads the state again until it is the published one.
    ///
    /// If a load is overtaken by another thread's, nobody would be notified of a save between the two.
    private func reloadUnovertaken() throws(DefaultsError) -> StoreSnapshot {
        for _ in 0..<10 {
            let state = try reload()
            if store.latest === state { return state }
        }
        return try reload()
    }
}

/// The slow read: loads what the files say now.
extension Loader {
    /// Loads the current state.
    ///
    /// - Parameters:
    ///   - previous: the state published before. Its text is reused if its file has not changed, and the journal is
    ///     read on from where that state ended; of a file system that is not local from its beginning (F20).
    ///   - epoch: reads the store's epoch; called before each attempt.
    /// - Cost: about ten system calls if the file is the known one; otherwise the file is read and scanned.
    /// - Throws: `.ioFailure`, `.insecureDirectory`: nothing is known, which is not the same as nothing being there.
    static func load(
        after previous: StoreSnapshot, files: SuiteFiles, epoch: () -> UInt64
    ) throws(DefaultsError) -> StoreSnapshot {
        let path = files.location.journalPath
        var before = try isSamePlace(previous, files) ? previous.journal : nil
        // If the settings file is another one, the journal usually is too, and both would be read in vain.
        let present = try SettingsFile.status(files)
        if before == nil || present?.identity != previous.identity {
            before = try Journal.probe(files, known: before?.file) ?? before
        }
        for _ in 0..<attempts {
            let recorded = epoch()
            let begun = try files.generation()
            let isLastGood = isLastGood(previous, before, begun)
            // Read before the settings file, which then has at least as much (F18).
            let mark = before?.header.map(files.checkpointMark)
            let text = try loadText(after: previous, isLastGood: isLastGood, files)
            let isRereading = text.damage == nil ? try isToReread(before, files) : false
            let start = try start(of: before, mark, after: previous, text, isRereading)
            let read = try start.journal.map { (state) throws(DefaultsError) in
                try Journal.records(after: state, path)
            }
            let after = try Journal.probe(files, known: before?.file)
            // If a checkpoint came in between, what was read of the journal may not belong to this settings file.
            var isSettled = isSame(before, after)
            if !isSettled, before != nil, after == nil {
                // It has just lost its name, and may not be readable any more.
                if isRereading { continue }
                isSettled = try isTakenAway(before, after: previous, files, begun, text)
            }
            // The same holds if more of the journal has been checkpointed meanwhile.
            if isSettled { isSettled = after?.header.map(files.checkpointMark) == mark || after == nil }
            guard isSettled else {
                before = after
                continue
            }
            var values = start.values
            for record in read?.records ?? [] { record.apply(to: &values) }
            return StoreSnapshot(
                values: values, generation: read?.state.generation ?? 0, epoch: recorded,
                identity: text.identity,
                files: files, journal: read?.state, begun: begun, damage: text.damage,
                isRecent: text.isRecent,
                held: text.held)
        }
        throw DefaultsError(
            .ioFailure, path: path, underlyingDescription: "it keeps changing while it is read")
    }

    private static func isSame(_ one: JournalState?, _ other: JournalState?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.hasSameNonce(as: other)
    }

    /// Whether a state was loaded from the same folder, even if the lock file is another one.
    private static func isSamePlace(
        _ previous: StoreSnapshot, _ files: SuiteFiles
    ) throws(DefaultsError) -> Bool {
        guard !previous.isUnread, let known = previous.files else { return false }
        if known === files { return true }
        return try known.isSameFolder(as: files)
    }

    /// Whether a journal is read from its beginning, although the first part is known (F20): a record that the file system
    /// has not taken is cut off again, and may have been read before.
    private static func isToReread(
        _ journal: JournalState?, _ files: SuiteFiles
    ) throws(DefaultsError) -> Bool {
        guard !files.isLocal, let journal else { return false }
        return try DefaultsError.reading(files.location.journalPath, Journal.isInPlace(journal, files))
    }

    /// Whether a journal that no longer has a name was removed by hand while nobody wrote.
    ///
    /// Then its records still count, unless the folder went with it.
    private static func isTakenAway(
        _ journal: JournalState?, after previous: StoreSnapshot, _ files: SuiteFiles, _ begun: UInt64,
        _ text: Text
    ) throws(DefaultsError) -> Bool {
        guard let journal, let known = previous.journal, journal.hasSameNonce(as: known),
            previous.values.isPending
        else { return false }
        // Without the counter from before, a checkpoint in between shows in the settings file; the counter of a lock
        // file that was created again starts below the state's generation.
        let isUnwritten =
            previous.files === files && files.lockIdentity != nil
            ? begun <= previous.generation : text.identity == previous.identity
        guard isUnwritten else { return false }
        return try files.isFolderCurrent()
    }

    /// Whether a state has everything that the settings file has been given since, so that its values may stand in
    /// for a damaged file: since then there have been no records except those that are there now, and at most a
    /// checkpoint of what the state has.
    ///
    /// Never one that has only what could be read of a damaged file: of the next damaged file that is read again.
    private static func isLastGood(
        _ previous: StoreSnapshot, _ journal: JournalState?, _ begun: UInt64
    ) -> Bool {
        guard !previous.isUnread, previous.damage?.isSalvaged != true else { return false }
        // The checkpoint itself takes one generation.
        guard let header = journal?.header else {
            return begun <= previous.begun || begun - previous.begun == 1
        }
        if header.nonce == previous.journal?.header?.nonce { return true }
        // A journal that was replaced starts one generation before its only record.
        let (known, found) = (previous.generation, header.generation)
        return max(known, found) - min(known, found) <= 1
    }

    /// Values, and the journal's position up to which they include its records.
    private struct Start {
        let values: StoredValues
        let journal: JournalState?

        init(_ values: StoredValues, _ journal: JournalState?) {
            (self.values, self.journal) = (values, journal)
        }
    }

    /// Returns the values that the records are applied to, and where those records start.
    ///
    /// - Parameters:
    ///   - mark: how far the journal is checkpointed; ignored if the settings file is damaged.
    ///   - isRereading: whether what is known of the journal does not count.
    private static func start(
        of journal: JournalState?, _ mark: CheckpointMark?, after previous: StoreSnapshot, _ text: Text,
        _ isRereading: Bool
    ) throws(DefaultsError) -> Start {
        let rest = journal.map {
            JournalState(file: $0.file, header: $0.header, surplus: $0.surplus, mark: mark)
        }
        if let journal, let known = previous.journal, !previous.isUnread, known.hasSameNonce(as: journal) {
            // A checkpoint may have come in between that left the records where they are.
            let hasNewCheckpoint = mark.map { $0.generation > known.checkpointed } ?? false
            if isRereading || hasNewCheckpoint && text.damage == nil {
                return Start(StoredValues(text.document), rest)
            }
            // There may be no file, now as well as then.
            let isPrevious =
                text.isPrevious || text.identity == nil && previous.identity == nil && !previous.isDamaged
            return Start(isPrevious ? previous.values : previous.values.replayed(on: text.document), known)
        }
        let fresh = journal.map { JournalState(file: $0.file, header: $0.header, surplus: $0.surplus) }
        guard text.isPrevious else {
            return Start(StoredValues(text.document), text.damage == nil ? rest : fresh)
        }
        // For a file that was damaged after a checkpoint, the values it is known to have had then.
        guard text.damage == nil else { return Start(StoredValues(previous.values.written), fresh) }
        // A checkpoint goes beyond what was known, and puts the file in place before it restarts the journal; so the
        // known file may already have been the new one. Otherwise the journal was removed, and what is pending still
        // is.
        let isCheckpointed = (journal?.header?.generation ?? 0) > previous.generation
        return isCheckpointed ? Start(StoredValues(text.document), rest) : Start(previous.values, fresh)
    }

    // A class, because of a struct of this size a copied optional has a new process put that optional's type together.
    private final class Text {
        let document: SettingsDocument
        /// Whether it is the text that the previous state is based on.
        let isPrevious: Bool
        let identity: FileStatus.Identity?
        let damage: StoreSnapshot.Damage?
        let isRecent: Bool
        let held: SettingsFile.Held?

        init(
            document: SettingsDocument, isPrevious: Bool = false, identity: FileStatus.Identity?,
            damage: StoreSnapshot.Damage? = nil, isRecent: Bool = false, held: SettingsFile.Held? = nil
        ) {
            (self.document, self.isPrevious, self.identity) = (document, isPrevious, identity)
            (self.damage, self.isRecent, self.held) = (damage, isRecent, held)
        }
    }

    /// Returns the settings file's text: the previous one if the file is the same version, otherwise read again.
    ///
    /// - Parameter isLastGood: whether the previous state may stand in for a damaged file.
    private static func loadText(
        after previous: StoreSnapshot, isLastGood: Bool, _ files: SuiteFiles
    ) throws(DefaultsError) -> Text {
        var time = SystemCalls.wallNanoseconds
        let wasThere = !previous.isUnread && previous.identity != nil
        let status = try SettingsFile.status(files)
        if status == nil, !wasThere { return Text(document: .empty, identity: nil) }
        if let status, try isKnown(status.identity, previous, files) {
            return Text(
                document: previous.values.document, isPrevious: true, identity: status.identity,
                damage: previous.damage,
                isRecent: previous.isRecent && files.isRecent(status.identity, readSince: time),
                held: previous.held)
        }
        // What was given its time once is not given it again.
        let isKnownDamage = status?.identity == previous.identity && previous.damage?.isSalvaged == true
        let firstRead = isKnownDamage ? 0 : SystemCalls.monotonicNanoseconds
        while true {
            time = SystemCalls.wallNanoseconds
            guard let contents = try SettingsFile.read(files) else {
                guard wasThere, SystemCalls.monotonicNanoseconds - firstRead < gracePeriodInNanoseconds else {
                    return Text(document: .empty, identity: nil)
                }
                SystemCalls.pause(nanoseconds: 1_000_000)
                continue
            }
            let (document, fault) = SettingsDocument.read(file: contents.bytes)
            let identity = contents.status.identity
            var waited: UInt64 { SystemCalls.monotonicNanoseconds - firstRead }
            if document.isBlank, isLastGood {
                let emptied = emptied(identity, after: previous)
                if SystemCalls.monotonicNanoseconds < emptied.gracePeriodEnds {
                    return Text(
                        document: previous.values.document, isPrevious: true, identity: identity,
                        damage: emptied, isRecent: true, held: contents.held)
                }
            } else if document.isBlank, waited < gracePeriodInNanoseconds,
                identity.modified > time - Int64(gracePeriodInNanoseconds)
            {
                SystemCalls.pause(nanoseconds: 1_000_000)
                continue
            }
            guard let fault else {
                return Text(
                    document: document, identity: identity,
                    isRecent: files.isRecent(identity, readSince: time), held: contents.held)
            }
            if isLastGood || waited >= gracePeriodInNanoseconds {
                let damage = damaged(fault, identity, files, after: previous, salvages: !isLastGood)
                return Text(
                    document: isLastGood ? previous.values.document : document,
                    isPrevious: isLastGood, identity: identity, damage: damage,
                    isRecent: files.isRecent(identity, readSince: time), held: contents.held)
            }
            SystemCalls.pause(nanoseconds: 5_000_000)
        }
    }

    /// Whether a version of the file is the one that a state is based on; if its times may not reveal a change yet,
    /// the bytes are compared.
    private static func isKnown(
        _ identity: FileStatus.Identity, _ previous: StoreSnapshot, _ files: SuiteFiles
    ) throws(DefaultsError) -> Bool {
        guard !previous.isUnread, identity == previous.identity else { return false }
        if !previous.isRecent { return true }
        guard !previous.isDamaged else { return false }
        return try SettingsFile.stillIs(identity, previous.values.document.bytes, files)
    }

    private static func emptied(
        _ identity: FileStatus.Identity, after previous: StoreSnapshot
    ) -> StoreSnapshot.Damage {
        if previous.identity == identity, let known = previous.damage, known.error == nil { return known }
        return StoreSnapshot.Damage(
            error: nil, firstSeen: SystemCalls.monotonicNanoseconds, isSalvaged: false)
    }

    /// The age continues from the previous check of the same version.
    private static func damaged(
        _ fault: JSONFault, _ identity: FileStatus.Identity, _ files: SuiteFiles,
        after previous: StoreSnapshot,
        salvages: Bool
    ) -> StoreSnapshot.Damage {
        let now = SystemCalls.monotonicNanoseconds
        let isKnown = previous.identity == identity && previous.damage != nil
        let error = DefaultsError(
            .malformedFile, path: files.location.path, line: fault.line, column: fault.column,
            underlyingDescription: fault.reason)
        let recoverySuggestion =
            salvages
            ? "Fix the named place; until then only what stands before it is served."
            : "Fix the named place; until then the last good values are served."
        return StoreSnapshot.Damage(
            error: error.advising(recoverySuggestion),
            firstSeen: isKnown
                ? previous.damage?.firstSeen ?? now : salvages ? now - gracePeriodInNanoseconds : now,
            isSalvaged: salvages)
    }
}

/// The load when other processes have committed and nothing else has happened. It takes one `stat`, one read per 4
/// KiB, and one more if a few records are long.
///
/// It finds what the whole load would find: the known journal has a record of the generation that the lock file had when
/// the load began, and the settings file is the known one, so the records after the known ones are all that is new. If
/// anything else has happened, the whole load follows. Proofs.md says why that is enough.
extension Loader {
    /// How often the journal is read again for a record whose writer has raised the generation and is about to
    /// append: as long as that takes a writer that is not interrupted.
    private static let tries = 8
    /// The most bytes that are read at a time.
    private static let most = 4_096
    /// How many bytes are requested when that usually covers what is new: a buffer that fits on the stack.
    private static let few = 1_024
    /// How many records of numbers or Booleans fit into that.
    private static let fewRecords: UInt64 = 8

    /// Applies the records that other processes have appended since a state.
    ///
    /// - Parameters:
    ///   - isTold: whether the kernel notifies of changes.
    ///   - touched: the keys of the records are added to it, unless it is nil.
    /// - Returns: nil if there is more to do than that.
    static func withNewRecords(
        _ previous: StoreSnapshot, epoch: UInt64, isTold: Bool, touched: inout Set<KeyName>?
    ) throws(DefaultsError) -> StoreSnapshot? {
        // Every notification from the kernel has raised the epoch. Of a file system that is not local the whole journal is
        // read again (F20).
        guard let files = previous.files, files.isLocal, let journal = previous.journal,
            journal.header != nil, journal.surplus == 0, epoch == previous.epoch,
            !previous.isUnread, !previous.isDamaged, isTold || !previous.isRecent
        else { return nil }
        let begun = try files.generation()
        guard begun > previous.generation, try SettingsFile.status(files)?.identity == previous.identity
        else { return nil }
        var (values, known) = (previous.values, journal)
        var tries = tries
        var length = begun - previous.generation <= fewRecords ? few : most
        while tries > 0 {
            let read = try Journal.records(after: known, atMost: length, files.location.journalPath)
            for record in read.records { record.apply(to: &values) }
            if touched != nil { touched?.formUnion(read.records.lazy.flatMap(\.changes).map(\.key)) }
            known = read.state
            if known.surplus > 0 || !read.records.isEmpty { length = most }
            guard known.generation >= begun, known.surplus == 0 else {
                // Nothing, or part of a line: it is on its way. After records there may be more, but not without end.
                if read.records.isEmpty { tries -= 1 }
                continue
            }
            return StoreSnapshot(
                values: values, generation: known.generation, epoch: epoch, identity: previous.identity,
                files: files, journal: known, begun: begun, isRecent: previous.isRecent, held: previous.held)
        }
        return nil
    }
}

/// What a store's ``Loader`` remembers.
///
/// The ``Loader`` itself is a value, made for each use. It holds the store, which so outlives the call.
final class LoaderState: Sendable {
    fileprivate let abandoned = Locked(Loader.Abandoned())  // A leaf.
}

extension SettingsStore {
    var loader: Loader { Loader(store: self) }
}
