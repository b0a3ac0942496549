/// What has become of a suite's files since a state was made of them: the answer to "is what I know still true?".
enum Standing: Hashable, Sendable {
    case same
    /// The folder or the lock file is another one, or gone: nothing that was known of the files holds.
    case replaced
    /// Somebody has raised the generation: there is a commit that the state does not have, or there will be.
    case committed
    /// The settings file is another version, or gone, or there was none.
    case edited
    /// The journal is another file, or gone, or there was none.
    case journalReplaced

    /// The parts of the files to compare.
    struct Parts: OptionSet, Sendable {
        let rawValue: UInt8

        static let place = Parts(rawValue: 1)
        static let generation = Parts(rawValue: 2)
        static let settings = Parts(rawValue: 4)
        static let journal = Parts(rawValue: 8)
        static let all: Parts = [.place, .generation, .settings, .journal]
    }
}

extension StoreSnapshot {
    /// Compares the files with what they were for this state, up to the first part that differs.
    ///
    /// The generation comes before the files whose change it announces (F4), and the journal last, since a checkpoint
    /// names the settings file before it restarts the journal (F18).
    ///
    /// - Cost: one system call each for the place, the settings file and the journal; none for a mapped generation.
    func standing(in parts: Standing.Parts = .all) throws(DefaultsError) -> Standing {
        guard let files, !isUnread else { return .replaced }
        if parts.contains(.place), !files.isCurrent() { return .replaced }
        if parts.contains(.generation), !files.has(generation) { return .committed }
        if parts.contains(.settings), try SettingsFile.status(files)?.identity != identity { return .edited }
        if parts.contains(.journal) {
            let isInPlace = try DefaultsError.reading(
                files.location.journalPath, Journal.isInPlace(journal, files))
            if !isInPlace { return .journalReplaced }
        }
        return .same
    }
}
