/// The slow read: what the files say now, without any lock.
enum SuiteLoading {
    /// How long a file that does not parse is given to become whole: an editor may be half way.
    static let patience: UInt64 = 50_000_000
    /// A file written less than this long ago may change again without a change in its times.
    private static let settling: Int64 = 20_000_000
    /// How often a load starts over because a commit came between.
    private static let attempts = 5

    /// Loads the present state.
    ///
    /// - Parameters:
    ///   - previous: the state published before, whose text is kept where its file has not changed.
    ///   - epoch: reads the store's epoch; noted before each attempt.
    /// - Cost: five system calls where nothing has changed; otherwise the file is read and scanned.
    /// - Throws: `.io`, `.insecureDirectory`: nothing is known, which is not the same as nothing being there.
    static func load(
        after previous: SuiteSnapshot, files: SuiteFiles, epoch: () -> UInt64
    ) throws(DefaultsError) -> SuiteSnapshot {
        var attempt = 1
        while true {
            let noted = epoch()
            let begun = files.page?.number ?? 0
            let before = try Journal.header(files)
            let text = try loadText(after: previous, files)
            let after = try Journal.header(files)
            if before?.nonce == after?.nonce || attempt == attempts {
                return SuiteSnapshot(
                    document: text.document, generation: before?.generation ?? 0, epoch: noted,
                    identity: text.identity, files: files, begun: begun, damage: text.damage,
                    isRecent: text.isRecent)
            }
            attempt += 1
        }
    }

    private struct Text {
        var document: SettingsDocument
        var identity: FileStatus.Identity?
        var damage: SuiteSnapshot.Damage?
        var isRecent = false
    }

    /// The settings file's text: the previous one where it is of the same version, else read anew.
    private static func loadText(after previous: SuiteSnapshot, _ files: SuiteFiles) throws(DefaultsError)
        -> Text
    {
        guard let status = try SettingsFile.status(files) else {
            return Text(document: .empty, identity: nil)
        }
        if !previous.isUnread, !previous.isRecent, status.identity == previous.identity {
            return Text(document: previous.document, identity: status.identity, damage: previous.damage)
        }
        let firstLook = SystemCalls.monotonicNanoseconds
        while true {
            guard let contents = try SettingsFile.read(files) else {
                return Text(document: .empty, identity: nil)
            }
            let (document, fault) = SettingsDocument.read(contents.bytes)
            let identity = contents.status.identity
            guard let fault else {
                return Text(document: document, identity: identity, isRecent: isRecent(identity))
            }
            let waited = SystemCalls.monotonicNanoseconds - firstLook
            if !previous.isUnread || waited >= patience {
                let damage = damaged(fault, identity, files, after: previous, salvages: previous.isUnread)
                return Text(
                    document: previous.isUnread ? document : previous.document, identity: identity,
                    damage: damage,
                    isRecent: isRecent(identity))
            }
            SystemCalls.pause(nanoseconds: 5_000_000)
        }
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

    private static func isRecent(_ identity: FileStatus.Identity) -> Bool {
        (SystemCalls.wallNanoseconds - identity.modified).magnitude < settling.magnitude
    }
}
