import DefaultsStore

/// Writes that this process's observers are not notified of.
extension Defaults {
    /// Runs a body whose writes no observer of this process is notified of; other processes' observers are.
    ///
    /// It nests, applies to the tasks that the body starts, and ends with a throw. The old value of an observer's
    /// next event is still the value that it received last. An observer that receives no values, and a tracking, hear
    /// the next change that is not quiet, even one back to what there was before the body.
    ///
    /// - Throws: what the body throws, as the type of error that it says.
    public static func withoutPropagation<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Propagation.off(body)
    }

    /// Does the same for a body that suspends.
    public static func withoutPropagation<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await Propagation.off(isolation: isolation, body)
    }
}
