/// The slow read: what the files say now, without any lock.
enum SuiteLoading {
    /// How long a file that does not parse is given to become whole, and one that has gone to come back: an editor may be
    /// half way, and many rename a file away before they write it anew.
    static let patience: UInt64 = 50_000_000
    /// How often a load starts over because a checkpoint came between; each takes the disk many times as long.
    private static let attempts = 100

    /// Loads the present state.
    ///
    /// - Parameters:
    ///   - previous: the state published before: its text is kept where its file has not changed, and the journal is
    ///     read on from where that state ended.
    ///   - epoch: reads the store's epoch; noted before each attempt.
    /// - Cost: some ten system calls where the file is the one that is known; otherwise it is read and scanned.
    /// - Throws: `.io`, `.insecureDirectory`: nothing is known, which is not the same as nothing being there.
    static func load(
        after previous: SuiteSnapshot, files: SuiteFiles, epoch: () -> UInt64
    ) throws(DefaultsError) -> SuiteSnapshot {
        let path = files.location.journalPath
        var before = try isSamePlace(previous, files) ? previous.journal : nil
        // With another settings file there mostly is another journal, and both would be read in vain and again.
        let present = try SettingsFile.status(files)
        if before == nil || present?.identity != previous.identity {
            before = try Journal.look(files, known: before?.file) ?? before
        }
        for _ in 0..<attempts {
            let noted = epoch()
            let begun = files.page?.number ?? 0
            let isLastGood = isLastGood(previous, before, begun)
            // Before the settings file, which then has at least as much (F18).
            let mark = before?.header.map(files.checkpointMark)
            let text = try loadText(after: previous, isLastGood: isLastGood, files)
            let start = try start(of: before, mark, after: previous, text)
            let read = try start.journal.map { (state) throws(DefaultsError) in
                try Journal.records(after: state, path)
            }
            let after = try Journal.look(files, known: before?.file)
            // A checkpoint came between: what was read of the journal may not belong to this settings file.
            var isSettled = isSame(before, after)
            if !isSettled, before != nil, after == nil {
                isSettled = try isTakenAway(before, after: previous, files, begun, text)
            }
            // Nor is what was read when more of it has come to be done.
            if isSettled { isSettled = after?.header.map(files.checkpointMark) == mark || after == nil }
            guard isSettled else {
                before = after
                continue
            }
            var values = start.values
            for record in read?.records ?? [] { record.apply(to: &values) }
            return SuiteSnapshot(
                values: values, generation: read?.state.generation ?? 0, epoch: noted,
                identity: text.identity,
                files: files, journal: read?.state, begun: begun, damage: text.damage, isRecent: text.isRecent
            )
        }
        throw DefaultsError(.io, path: path, underlyingDescription: "it keeps changing while it is read")
    }

    private static func isSame(_ one: JournalState?, _ other: JournalState?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.hasSameNonce(as: other)
    }

    /// Whether a state was loaded from the same folder, though the lock file may be another one.
    private static func isSamePlace(
        _ previous: SuiteSnapshot, _ files: SuiteFiles
    ) throws(DefaultsError) -> Bool {
        guard !previous.isUnread, let known = previous.files else { return false }
        if known === files { return true }
        return try known.isSameFolder(as: files)
    }

    /// Whether a journal that has no name any more was taken away by hand while nobody wrote: its records still count,
    /// unless the folder went with it.
    private static func isTakenAway(
        _ journal: JournalState?, after previous: SuiteSnapshot, _ files: SuiteFiles, _ begun: UInt64,
        _ text: Text
    ) throws(DefaultsError) -> Bool {
        guard let journal, let known = previous.journal, journal.hasSameNonce(as: known),
            previous.values.isPending
        else { return false }
        // Without the counter of before, a checkpoint that came between shows in the settings file; that of a lock file
        // that was made again begins below the state.
        let isUnwritten =
            previous.files === files && files.page != nil
            ? begun <= previous.generation : text.identity == previous.identity
        guard isUnwritten else { return false }
        return try files.isFolderCurrent()
    }

    /// Whether a state has all that the settings file was given since, so that its values may stand in for a file that is
    /// damaged: since then there have been no records but those that are there now, and a checkpoint of what it has.
    private static func isLastGood(
        _ previous: SuiteSnapshot, _ journal: JournalState?, _ begun: UInt64
    ) -> Bool {
        guard !previous.isUnread else { return false }
        // The checkpoint itself takes one.
        guard let header = journal?.header else {
            return begun <= previous.begun || begun - previous.begun == 1
        }
        if header.nonce == previous.journal?.header?.nonce { return true }
        // A journal that was replaced begins before its only record.
        let (known, found) = (previous.generation, header.generation)
        return max(known, found) - min(known, found) <= 1
    }

    /// Values, and how far the journal is known that they rest on.
    private struct Start {
        let values: StoredValues
        let journal: JournalState?

        init(_ values: StoredValues, _ journal: JournalState?) {
            (self.values, self.journal) = (values, journal)
        }
    }

    /// The values that the records come on top of, and where those begin.
    ///
    /// - Parameter mark: how far the journal is done, unless the settings file is damaged.
    private static func start(
        of journal: JournalState?, _ mark: CheckpointMark?, after previous: SuiteSnapshot, _ text: Text
    ) throws(DefaultsError) -> Start {
        let rest = journal.map {
            JournalState(file: $0.file, header: $0.header, surplus: $0.surplus, mark: mark)
        }
        if let journal, let known = previous.journal, !previous.isUnread, known.hasSameNonce(as: journal) {
            // A checkpoint came between that left the records where they are.
            if let mark, mark.generation > known.checkpointed, text.damage == nil {
                return Start(StoredValues(text.document), rest)
            }
            // There may be no file now as then.
            let isPrevious =
                text.isPrevious || text.identity == nil && previous.identity == nil && !previous.isDamaged
            return Start(isPrevious ? previous.values : previous.values.over(text.document), known)
        }
        let fresh = journal.map { JournalState(file: $0.file, header: $0.header, surplus: $0.surplus) }
        guard text.isPrevious else {
            return Start(StoredValues(text.document), text.damage == nil ? rest : fresh)
        }
        // In place of one that was damaged after a checkpoint, what is known of the values it had then.
        guard text.damage == nil else { return Start(StoredValues(previous.values.written), fresh) }
        // A checkpoint goes beyond what was known, and gives the file its name before the journal begins anew; so it may
        // have been this file already. Else the journal was taken away, and what is pending still is.
        let isCheckpointed = (journal?.header?.generation ?? 0) > previous.generation
        return isCheckpointed ? Start(StoredValues(text.document), rest) : Start(previous.values, fresh)
    }

    private struct Text {
        var document: SettingsDocument
        /// Whether it is the text that the state before rests on.
        var isPrevious = false
        var identity: FileStatus.Identity?
        var damage: SuiteSnapshot.Damage?
        var isRecent = false
    }

    /// The settings file's text: the previous one where it is of the same version, else read anew.
    ///
    /// - Parameter isLastGood: whether the state before may stand in for a file that is damaged.
    private static func loadText(
        after previous: SuiteSnapshot, isLastGood: Bool, _ files: SuiteFiles
    ) throws(DefaultsError) -> Text {
        var moment = SystemCalls.wallNanoseconds
        let wasThere = !previous.isUnread && previous.identity != nil
        let status = try SettingsFile.status(files)
        if status == nil, !wasThere { return Text(document: .empty, identity: nil) }
        if let status, try isKnown(status.identity, previous, files) {
            return Text(
                document: previous.values.document, isPrevious: true, identity: status.identity,
                damage: previous.damage,
                isRecent: previous.isRecent && files.isRecent(status.identity, readSince: moment))
        }
        let firstLook = SystemCalls.monotonicNanoseconds
        while true {
            moment = SystemCalls.wallNanoseconds
            guard let contents = try SettingsFile.read(files) else {
                guard wasThere, SystemCalls.monotonicNanoseconds - firstLook < patience else {
                    return Text(document: .empty, identity: nil)
                }
                SystemCalls.pause(nanoseconds: 1_000_000)
                continue
            }
            let (document, fault) = CheckedText.read(contents.bytes, files)
            let identity = contents.status.identity
            guard let fault else {
                if previous.isUnread { TextIndexNote.consider(document, contents.status, at: moment, files) }
                return Text(
                    document: document, identity: identity,
                    isRecent: files.isRecent(identity, readSince: moment))
            }
            let waited = SystemCalls.monotonicNanoseconds - firstLook
            if isLastGood || waited >= patience {
                let damage = damaged(fault, identity, files, after: previous, salvages: !isLastGood)
                return Text(
                    document: isLastGood ? previous.values.document : document,
                    isPrevious: isLastGood, identity: identity, damage: damage,
                    isRecent: files.isRecent(identity, readSince: moment))
            }
            SystemCalls.pause(nanoseconds: 5_000_000)
        }
    }

    /// Whether a version of the file is the one that a state rests on; where its times may not tell yet, its bytes do.
    private static func isKnown(
        _ identity: FileStatus.Identity, _ previous: SuiteSnapshot, _ files: SuiteFiles
    ) throws(DefaultsError) -> Bool {
        guard !previous.isUnread, identity == previous.identity else { return false }
        if !previous.isRecent { return true }
        guard !previous.isDamaged else { return false }
        return try SettingsFile.stillIs(identity, previous.values.document.bytes, files)
    }

    /// What is known of a file that does not parse; its age goes on from the previous look at the same version.
    private static func damaged(
        _ fault: JSONFault, _ identity: FileStatus.Identity, _ files: SuiteFiles,
        after previous: SuiteSnapshot,
        salvages: Bool
    ) -> SuiteSnapshot.Damage {
        let now = SystemCalls.monotonicNanoseconds
        let isKnown = previous.identity == identity && previous.damage != nil
        let error = DefaultsError(
            .malformedFile, path: files.location.path, line: fault.line, column: fault.column,
            underlyingDescription: fault.reason)
        return SuiteSnapshot.Damage(
            error: error,
            firstSeen: isKnown ? previous.damage?.firstSeen ?? now : salvages ? now - patience : now,
            isSalvaged: salvages || previous.damage?.isSalvaged ?? false)
    }
}
