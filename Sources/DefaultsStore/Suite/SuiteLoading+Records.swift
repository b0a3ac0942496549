/// The load where other processes have committed, and nothing else has happened: a system call, one for each 4 KiB, and
/// one more where a few records are long.
///
/// Proof that it finds what the whole load would find. A record that has the nonce of the known journal, and the
/// generation that the lock file in use had when the load began, was appended by a holder of that lock, to the journal
/// that has the name: so all commits up to it stand between it and what was known. The settings file is the known one
/// by its identity, so no checkpoint and no save has come before the look at it. One that comes between that look and
/// the reading of the records either leaves the records as they are, which hold the same values as the new file, or
/// has taken them away already, and then the whole load follows.
///
/// Of a file that had just been written when it was read, or put in place, the identity does not tell the very next
/// change. Where the kernel tells of changes it is enough all the same: such a change raises the epoch, as soon as for
/// those who read what is cached, and the whole load follows. The state stays a recent one meanwhile.
extension SuiteLoading {
    /// How often the journal is looked at again for a record whose writer has raised the generation and is about to
    /// append it: as long as that takes where it is not interrupted.
    private static let looks = 8
    /// The most bytes that are read at a time.
    private static let most = 4_096
    /// How many are asked for where they mostly hold what has come: the stack has room for as many.
    private static let few = 1_024
    /// How many records of numbers and truth values take no more.
    private static let fewRecords: UInt64 = 8

    /// Adds the records to a state that other processes have appended since.
    ///
    /// - Parameter isTold: whether the kernel tells of changes.
    /// - Returns: nil where that is not all there is to do.
    static func withNewRecords(
        _ previous: SuiteSnapshot, epoch: UInt64, isTold: Bool
    ) throws(DefaultsError) -> SuiteSnapshot? {
        // Whatever the kernel told of has raised the epoch.
        guard let files = previous.files, let begun = files.page?.number, let journal = previous.journal,
            journal.header != nil, journal.surplus == 0, begun > previous.generation, epoch == previous.epoch,
            !previous.isUnread, !previous.isDamaged, isTold || !previous.isRecent,
            try SettingsFile.status(files)?.identity == previous.identity
        else { return nil }
        var (values, known) = (previous.values, journal)
        var looks = looks
        var length = begun - previous.generation <= fewRecords ? few : most
        while looks > 0 {
            let read = try Journal.records(after: known, atMost: length, files.location.journalPath)
            for record in read.records { record.apply(to: &values) }
            known = read.state
            if known.surplus > 0 || !read.records.isEmpty { length = most }
            guard known.generation >= begun, known.surplus == 0 else {
                // Nothing, or a part of a line: on its way. Behind records there are more, and they are not endless.
                if read.records.isEmpty { looks -= 1 }
                continue
            }
            return SuiteSnapshot(
                values: values, generation: known.generation, epoch: epoch, identity: previous.identity,
                files: files, journal: known, begun: begun, isRecent: previous.isRecent)
        }
        return nil
    }
}
