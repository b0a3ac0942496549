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
    /// date. A file that does not parse is replaced by the values that can be read of it, and its bytes are kept
    /// beside it.
    ///
    /// ```swift
    /// for finding in try DefaultsSuite.standard.repair() { print(finding) }
    /// ```
    ///
    /// - Cost: that of ``inspect()`` twice, and of ``checkpoint()``.
    /// - Returns: what is still there.
    /// - Throws: what ``checkpoint()`` throws, and `.io`, `.insecureDirectory` or `.lockTimeout` if permissions or
    ///   leftovers could not be corrected.
    public func repair() throws(DefaultsError) -> [DefaultsFinding] {
        guard let location = core.location else { return [] }
        let findings = inspect()
        do {
            for finding in findings where finding.repair == .narrowMode {
                try SuiteDirectory.takeRightToWriteFromOthers(finding.path)
            }
            if findings.contains(where: { $0.repair == .clearing }) { try Leftovers.clear(at: location) }
        } catch {
            throw error.inSuite(name)
        }
        try checkpoint()
        return inspect()
    }
}
