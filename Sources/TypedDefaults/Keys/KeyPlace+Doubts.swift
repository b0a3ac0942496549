import DefaultsStore

/// Reporting what was read of a key and is doubtful.
extension KeyPlace {
    /// Runs a decoding of the key's value in its suite, and reports doubtful dates in it, each once.
    func decodeReportingDoubts<Result, Failure: Error>(
        in core: SuiteCore, _ snapshot: @autoclosure () -> SuiteSnapshot?,
        _ decode: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try DoubtfulDates.look(decode) { finding in
            let doubt = error(.doubtfulDate, foreign: finding.reason)
            core.reportStanding(core.locating(doubt, key: key, snapshot()))
        }
    }
}
