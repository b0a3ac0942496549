/// The load when other processes have committed and nothing else has happened. It takes one `stat`, one read per 4
/// KiB, and one more if a few records are long.
///
/// Proof that it finds what the whole load would find. A record that has the nonce of the known journal, and the
/// generation that the lock file in use had when the load began, was appended by a holder of that lock to the journal
/// that has the name. So all commits up to that one lie between it and what was known. The identity shows that the
/// settings file is the known one, so no checkpoint and no save came before the `stat`. A checkpoint between the
/// `stat` and the read of the records either leaves the records as they are, and they hold the same values as the new
/// file, or has removed them already, and then the whole load follows.
///
/// If the file had just been written or put in place when it was read, its identity does not reveal the very next
/// change. If the kernel notifies of changes, that is enough all the same: such a change raises the epoch as soon as
/// it does for readers of cached values, and the whole load follows. Until then the state remains marked as recent.
extension SuiteLoading {
    /// How often the journal is read again for a record whose writer has raised the generation and is about to
    /// append: as long as that takes a writer that is not interrupted.
    private static let looks = 8
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
        _ previous: SuiteSnapshot, epoch: UInt64, isTold: Bool, touched: inout Set<KeyName>?
    ) throws(DefaultsError) -> SuiteSnapshot? {
        // Every notification from the kernel has raised the epoch.
        guard let files = previous.files, let journal = previous.journal,
            journal.header != nil, journal.surplus == 0, epoch == previous.epoch,
            !previous.isUnread, !previous.isDamaged, isTold || !previous.isRecent
        else { return nil }
        let begun = try files.generation()
        guard begun > previous.generation, try SettingsFile.status(files)?.identity == previous.identity
        else { return nil }
        var (values, known) = (previous.values, journal)
        var looks = looks
        var length = begun - previous.generation <= fewRecords ? few : most
        while looks > 0 {
            let read = try Journal.records(after: known, atMost: length, files.location.journalPath)
            for record in read.records { record.apply(to: &values) }
            if touched != nil { touched?.formUnion(read.records.lazy.flatMap(\.changes).map(\.key)) }
            known = read.state
            if known.surplus > 0 || !read.records.isEmpty { length = most }
            guard known.generation >= begun, known.surplus == 0 else {
                // Nothing, or part of a line: it is on its way. After records there may be more, but not without end.
                if read.records.isEmpty { looks -= 1 }
                continue
            }
            return SuiteSnapshot(
                values: values, generation: known.generation, epoch: epoch, identity: previous.identity,
                files: files, journal: known, begun: begun, isRecent: previous.isRecent, held: previous.held)
        }
        return nil
    }
}
