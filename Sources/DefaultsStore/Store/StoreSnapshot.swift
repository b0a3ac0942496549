/// One state of a suite's stored values, immutable, with what it takes to know whether it is still current.
package final class StoreSnapshot: Sendable {
    package let values: StoredValues
    /// The journal's last generation when this was loaded.
    let generation: UInt64
    /// The store's epoch, read before the load began.
    package let epoch: UInt64
    /// The version of the settings file that this came from; nil if there was none.
    let identity: FileStatus.Identity?
    /// That file, so that no other is taken for it; nil if there was none, or it is not held.
    let held: SettingsFile.Held?
    /// Nil in memory.
    let files: SuiteFiles?
    /// How far the journal was read; nil if there is none.
    let journal: JournalState?
    /// The generation in the lock file when the load began; higher than `generation` while a writer is at work.
    let begun: UInt64
    /// Why `values` are not based on the current settings file; nil if they are.
    let damage: Damage?
    /// 0 if no page is mapped.
    let counterAddress: UInt
    let isDamaged: Bool
    package var fault: DefaultsError? { damage?.error }
    /// Whether nothing has been loaded yet.
    package let isUnread: Bool
    /// Whether the file had just been written or put in place when it was read, so that its times may not reveal the
    /// next change.
    let isRecent: Bool

    /// A settings file that cannot be used.
    ///
    /// A class, because it is hardly ever there.
    final class Damage: Sendable {
        /// What is wrong with it, and where; nil if it was just emptied, maybe to be filled.
        ///
        /// Then the state before applies a while longer, as if nobody had looked.
        let error: DefaultsError?
        /// When it was first seen in this condition.
        let firstSeen: UInt64
        /// Whether `values` are what could be read of it, because there was no good state before.
        let isSalvaged: Bool

        /// Until when it may become valid by itself.
        var gracePeriodEnds: UInt64 {
            firstSeen
                + (error == nil ? Loader.emptiedGracePeriodInNanoseconds : Loader.gracePeriodInNanoseconds)
        }

        init(error: DefaultsError?, firstSeen: UInt64, isSalvaged: Bool) {
            self.error = error
            self.firstSeen = firstSeen
            self.isSalvaged = isSalvaged
        }

        /// The error for what is refused because of it.
        func refusal(because reason: String) -> DefaultsError {
            var refusal = error ?? DefaultsError(.malformedFile)
            refusal.underlyingDescription = (refusal.underlyingDescription.map { $0 + "; " } ?? "") + reason
            return refusal
        }
    }

    init(
        values: StoredValues, generation: UInt64, epoch: UInt64, identity: FileStatus.Identity?,
        files: SuiteFiles?, journal: JournalState?, begun: UInt64, damage: Damage? = nil,
        isUnread: Bool = false,
        isRecent: Bool = false, held: SettingsFile.Held? = nil
    ) {
        self.values = values
        self.journal = journal
        self.generation = generation
        self.epoch = epoch
        self.identity = identity
        self.held = held
        self.files = files
        // The counter is read first, so a whole commit may lie between it and the journal's line.
        self.begun = max(begun, generation)
        self.damage = damage
        counterAddress = files?.page?.counterAddress ?? 0
        isDamaged = damage != nil
        self.isUnread = isUnread
        self.isRecent = isRecent
    }

    static func unread(files: SuiteFiles?) -> StoreSnapshot {
        StoreSnapshot(
            values: .empty, generation: 0, epoch: 0, identity: nil, files: files, journal: nil, begun: 0,
            isUnread: true)
    }

    /// The same state, now known to be based on what the settings file still is.
    var verified: StoreSnapshot {
        StoreSnapshot(
            values: values, generation: generation, epoch: epoch, identity: identity, files: files,
            journal: journal, begun: begun, damage: damage, held: held)
    }

    /// Returns a copy with other values, another journal or a later generation, over the same settings file; if that is
    /// damaged, it still is.
    func with(
        values: StoredValues? = nil, generation: UInt64? = nil, journal: JournalState? = nil
    ) -> StoreSnapshot {
        StoreSnapshot(
            values: values ?? self.values, generation: generation ?? self.generation, epoch: epoch,
            identity: identity, files: files, journal: journal ?? self.journal, begun: generation ?? begun,
            damage: damage, isRecent: isRecent, held: held)
    }

    /// Returns a copy over a settings file that was just put in place, and can be read.
    func placed(
        _ identity: FileStatus.Identity, _ held: SettingsFile.Held?, isRecent: Bool
    ) -> StoreSnapshot {
        StoreSnapshot(
            values: values, generation: generation, epoch: epoch, identity: identity, files: files,
            journal: journal, begun: begun, isRecent: isRecent, held: held)
    }

    /// Returns a stored value, and tells failure from absence.
    ///
    /// - Throws: the damage of a file that could not be read to its end, for a key that is not in the part that was
    ///   read.
    package func stored(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
        if let value = values.value(forKey: key) { return value }
        if let damage, damage.isSalvaged, let error = damage.error { throw error }
        return nil
    }

    /// Whether the counter disagrees with the journal: a writer has raised it and not appended yet, or has died in
    /// between, or power loss has set it back.
    var hasAbandonedCommit: Bool {
        guard let files, files.lockIdentity != nil else { return false }
        return !files.has(generation)
    }

    /// Whether commits that another state of the same files has were not there yet when this one was loaded.
    ///
    /// False if somebody has set the generation back: then whatever was loaded last is the current state.
    func isOlder(than other: StoreSnapshot) -> Bool {
        guard let page = files?.page, files === other.files, !other.isUnread, page.number >= other.begun
        else {
            return false
        }
        if begun != other.begun { return begun < other.begun }
        guard let journal, let known = other.journal, journal.hasSameNonce(as: known) else { return false }
        return generation < other.generation
    }

    /// Whether this state has all that another one has: at most more records, over the same settings file.
    func hasAll(of other: StoreSnapshot) -> Bool {
        identity == other.identity && isDamaged == other.isDamaged && generation >= other.generation
    }

    /// Whether this state, which may be a later one by commits alone, was made of the values that another one has.
    func hasValues(of other: StoreSnapshot) -> Bool {
        guard self !== other else { return true }
        // What can be read of a damaged file is read again by each load.
        return hasAll(of: other) && (isDamaged || values.document.isSame(as: other.values.document))
    }

    /// Whether caches would take this state for another one, because the numbers they compare are the same although
    /// the files differ: a save that nobody has been notified of yet.
    func isUntold(since old: StoreSnapshot) -> Bool {
        guard !old.isUnread, generation == old.generation, epoch == old.epoch else { return false }
        guard identity == old.identity, isDamaged == old.isDamaged else { return true }
        // What can be read of a damaged file is read again by each load.
        guard isDamaged || values.document.isSame(as: old.values.document) else { return true }
        guard let journal, let known = old.journal else { return (journal == nil) != (old.journal == nil) }
        return !journal.hasSameNonce(as: known)
    }

    /// Returns who is to be named as the cause of the difference between an older state and this one.
    func cause(since old: StoreSnapshot) -> DefaultsChange.Cause {
        // A commit raises the generation before it touches anything. So between two states with an unchanged
        // generation, the first loaded from files at rest, the only possible difference is a save by a program
        // without this library.
        let wasSettled = old.begun == old.generation && !old.isUnread
        if wasSettled, begun == generation, generation == old.generation || isOnlyCheckpointed(since: old) {
            return .fileEdited
        }
        // Nor has anybody begun a commit since who has removed the files that say how far the last one came.
        if wasSettled, files === old.files, begun == old.begun { return .fileEdited }
        // What was there before was removed, and nobody has committed anything to what has taken its place.
        if begun == 0 { return .fileEdited }
        // A commit of this process is published by the thread that made it, so what a load finds is never one. A
        // process in another container may have the same id.
        let process = journal?.process ?? files?.lastWriter
        if wasSettled, generation > old.generation { return .otherProcess(process) }
        return process == SystemCalls.processID ? .fileEdited : .otherProcess(process)
    }

    /// Whether a checkpoint of everything that this state has was made since another state.
    ///
    /// A checkpoint either marks in the journal how far it is checkpointed, or restarts the journal and replaces the
    /// settings file. If the journal alone is another one, it was something else.
    func isCheckpointed(since old: StoreSnapshot) -> Bool {
        guard let journal, let known = old.journal else { return false }
        if journal.hasSameNonce(as: known) {
            return journal.checkpointed > known.checkpointed && journal.checkpointed >= known.generation
        }
        return identity != old.identity && journal.checkpointed > known.generation
    }

    /// Whether the only thing that has happened to the files since was a checkpoint: it raises the generation by one,
    /// restarts the journal, and changes no value.
    private func isOnlyCheckpointed(since old: StoreSnapshot) -> Bool {
        // Records that are only marked as checkpointed have not been there before.
        guard let journal, !journal.hasRecords, !journal.isFullyCheckpointed else { return false }
        return generation == old.generation + 1
    }
}
