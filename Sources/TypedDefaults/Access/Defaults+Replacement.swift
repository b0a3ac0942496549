public import DefaultsStore

/// Suites that stand in for others, for tests that run in parallel.
extension Defaults {
    /// Runs a body for which another suite stands in for the standard one.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>("volume", default: 0.5)
    /// Defaults.withStandard(.inMemory()) {
    ///     Defaults[volume] = 1                 // nobody else sees this
    /// }
    /// ```
    ///
    /// The same as ``withSuite(_:replacedBy:_:)`` with the standard suite. Settings that are one value and name no suite of
    /// their own follow it too.
    public static func withStandard<Result, Failure: Error>(
        _ substitute: DefaultsSuite, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withSuite(.standard, replacedBy: substitute, body)
    }

    /// Does the same for a body that suspends.
    public static func withStandard<Result, Failure: Error>(
        _ substitute: DefaultsSuite, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withSuite(.standard, replacedBy: substitute, isolation: isolation, body)
    }

    /// Runs a body for which another suite stands in for one.
    ///
    /// For the body, its task and that task's children, every use of the suite and of its keys goes to the other one:
    /// subscripts, property wrappers, `reset`, observers, streams, containers, whole settings. An observer that is begun in
    /// the body sees the other suite in its handler, on whatever thread that is called. Other threads and detached tasks
    /// notice nothing; a `Task` that is begun in the body and outlives it keeps the other suite. The keys count as declared
    /// in the other suite when they are used.
    ///
    /// Bodies nest. A suite that is to stand in for itself is reported to its `failures` (`.replacedByItself`), and
    /// the body runs with the suite as it is.
    ///
    /// - Cost: while a body runs anywhere in the process, all reads pass by the caches. Otherwise none.
    /// - Throws: what the body throws, as the type of error that it says.
    public static func withSuite<Result, Failure: Error>(
        _ suite: DefaultsSuite, replacedBy substitute: DefaultsSuite,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try SuiteReplacement.replacing(suite, by: substitute, body)
    }

    /// Does the same for a body that suspends.
    public static func withSuite<Result, Failure: Error>(
        _ suite: DefaultsSuite, replacedBy substitute: DefaultsSuite,
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await SuiteReplacement.replacing(suite, by: substitute, isolation: isolation, body)
    }
}
