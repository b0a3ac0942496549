import DefaultsStore

/// Writes that this process's observers do not hear.
extension Defaults {
    /// Runs a body whose writes no observer of this process hears; other processes' observers do.
    ///
    /// It nests, follows the tasks the body starts, and ends with a throw. An observer's next event still has the
    /// value it was last told as its old one.
    public static func withoutPropagation<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Propagation.off(body)
    }

    /// The same for a body that suspends.
    public static func withoutPropagation<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Propagation.off(isolation: isolation, body)
    }
}
