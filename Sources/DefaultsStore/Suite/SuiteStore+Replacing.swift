/// Replacing the settings file because a person wants that: one that cannot be read, or one that was edited.
///
/// Nothing else replaces a file that cannot be read: what is written meanwhile waits in the journal.
extension SuiteStore {
    /// Replaces a settings file that cannot be read by what is known of it; its bytes are kept beside it (F3).
    ///
    /// - Returns: nil if the file can be read.
    func repair(until deadline: Deadline) throws(DefaultsError) -> DefaultsReplacement? {
        try refuseInsideTransaction()
        var replacement: DefaultsReplacement?
        try withVisit(until: deadline) { (visit) throws(DefaultsError) in
            guard visit.base.isDamaged else { return }
            let kept = try checkpoint(&visit, ofDamaged: .replaces)
            replacement = kept.map { DefaultsReplacement(of: visit.base, original: $0) }
        }
        return replacement
    }

    /// Puts a text that a person has edited in the settings file's place.
    ///
    /// What the journal has over a file that could not be read stands over the text too.
    ///
    /// - Parameter original: the bytes that were edited; nil if there was no file.
    /// - Returns: nil if something else is stored by now; nothing was done then.
    func replaceFile(
        with text: SettingsDocument, editedFrom original: [UInt8]?, until deadline: Deadline
    ) throws(DefaultsError) -> DefaultsReplacement? {
        guard location != nil else { return nil }
        try refuseInsideTransaction()
        var replacement: DefaultsReplacement?
        try withVisit(until: deadline) { (visit) throws(DefaultsError) in
            _ = try withLock(visit) { (lock) throws(DefaultsError) in try Leftovers.clear(holding: lock) }
            visit.base = try settledState()
            let base = visit.base
            guard try isFile(of: base, original), base.isDamaged || base.values.isAsInFile else { return }
            if let journal = base.journal, isPoisoned(journal.file) { try replaceJournal(&visit) }
            try openJournalForWriting(&visit)
            let values = base.isDamaged ? base.values.over(text) : StoredValues(text)
            replacement = try replaceSettings(with: values, visit).map {
                DefaultsReplacement(of: $0.state, original: $0.kept)
            }
        }
        // A load finds it like any other edit, and tells the observers.
        raiseEpoch()
        try reload()
        return replacement
    }

    /// Whether the settings file that a state came from has some bytes.
    private func isFile(of base: SuiteSnapshot, _ bytes: [UInt8]?) throws(DefaultsError) -> Bool {
        guard let files = base.files else { return false }
        let present = try SettingsFile.read(files)
        return present?.bytes == bytes && present?.status.identity == base.identity
    }
}

extension DefaultsReplacement {
    fileprivate init(of state: SuiteSnapshot, original name: String?) {
        let settings = state.values.keys.filter(\.isSetting)
        self.init(
            keys: settings.count,
            original: name.flatMap { name in state.files.map { $0.location.path(of: name) } })
    }
}
