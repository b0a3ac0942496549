/// Whether the files of a suite are in order.
extension DefaultsSuite {
    /// Inspects the suite's files without changing or creating any.
    ///
    /// It checks whether they parse, who owns them and who may change them, what a writer that died has left, and
    /// what the journal contains.
    ///
    /// It does not check the values: ``problems()`` does. A suite in memory has no findings.
    ///
    /// - Cost: reads all files, and makes writers wait for that long.
    /// - Returns: what was found, in the order of the files; a file that cannot be read is a finding too.
    public func inspect() -> [DefaultsFinding] {
        core.location.map(SuiteInspection.findings(at:)) ?? []
    }

    /// Repairs what can be repaired without losing a byte, and inspects the files again.
    ///
    /// It removes everybody's right to write, cleans up what a dead writer left, and brings the settings file up to
    /// date. A file that cannot be read, which no write replaces, is replaced by the last good values, or by those that
    /// can be read of it, with what has been written meanwhile. Its bytes are kept beside it: the finding
    /// `"damagedCopy"` says where, and how many keys the new file has.
    ///
    /// ```swift
    /// for finding in try DefaultsSuite.standard.repair() { print(finding) }
    /// ```
    ///
    /// - Cost: that of ``inspect()`` twice, and of ``checkpoint()``.
    /// - Returns: what is still there, and where the bytes of a replaced file are.
    /// - Throws: what ``checkpoint()`` throws, and `.io`, `.insecureDirectory` or `.lockTimeout` if permissions or
    ///   leftovers could not be corrected.
    public func repair() throws(DefaultsError) -> [DefaultsFinding] {
        guard let location = core.location else { return [] }
        let findings = inspect()
        let replacement: DefaultsReplacement?
        do {
            for finding in findings where finding.repair == .narrowMode {
                let place = try SuiteDirectory.resolve(location)
                try SuiteDirectory.takeRightToWriteFromOthers(finding.path, of: place)
            }
            if findings.contains(where: { $0.repair == .clearing }) { try Leftovers.clear(at: location) }
            replacement = try core.store().repair(until: .after(milliseconds: WriterLock.limit))
        } catch {
            throw error.inSuite(name)
        }
        try checkpoint()
        return inspect().map { replacement.map($0.telling) ?? $0 }
    }
}

extension DefaultsFinding {
    /// Returns the finding of a copy with what has become of the file, if it is that file's.
    fileprivate func telling(_ replacement: DefaultsReplacement) -> DefaultsFinding {
        guard path == replacement.original else { return self }
        let keys = replacement.keys == 1 ? "1 key" : "\(replacement.keys) keys"
        return DefaultsFinding(
            weight: weight, kind: kind, path: path,
            reason: "the settings file that could not be read; the new one has \(keys)", remedy: remedy)
    }
}
