/// Whether the files of a suite are as they should be.
extension DefaultsSuite {
    /// Looks through the suite's files, changing and making nothing.
    ///
    /// It looks whether they parse, whose they are and who may change them, what a writer that died has left, and what
    /// the journal holds.
    ///
    /// It says nothing about the values: ``problems()`` does. A suite in memory has no findings.
    ///
    /// - Cost: reads all files, and keeps writers waiting for that long.
    /// - Returns: what was found, in the order of the files; what cannot be read is a finding too.
    public func inspect() -> [DefaultsFinding] {
        core.location.map(SuiteInspection.findings(at:)) ?? []
    }

    /// Mends what can be mended without losing a byte, and looks again.
    ///
    /// It takes away everybody's right to write, puts right what a dead writer left, and brings the settings file up to
    /// date. One that does not parse is replaced by the values that can be read of it, its bytes kept beside it.
    ///
    /// ```swift
    /// for finding in try DefaultsSuite.standard.repair() { print(finding) }
    /// ```
    ///
    /// - Cost: that of ``inspect()`` twice, and of ``checkpoint()``.
    /// - Returns: what is still there.
    /// - Throws: what ``checkpoint()`` throws, and `.io`, `.insecureDirectory` or `.lockTimeout` where rights or leftovers
    ///   could not be put right.
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
