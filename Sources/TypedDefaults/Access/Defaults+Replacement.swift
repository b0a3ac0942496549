public import DefaultsStore

/// Suites that replace others, for tests that run in parallel.
extension Defaults {
    /// Runs a body for which another suite replaces the standard one.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>("volume", default: 0.5)
    /// Defaults.withStandard(.inMemory()) {
    ///     // Only this body sees the value.
    ///     Defaults[volume] = 1
    /// }
    /// ```
    ///
    /// It is ``withSuite(_:replacedBy:_:)`` with the standard suite. Settings that are one value and name no
    /// suite of their own are replaced too.
    ///
    /// - Throws: what the body throws, with its type.
    public static func withStandard<Result, Failure: Error>(
        _ substitute: DefaultsSuite, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withSuite(.standard, replacedBy: substitute, body)
    }

    /// Runs an asynchronous body for which another suite replaces the standard one.
    ///
    /// The replacement applies as far as ``withSuite(_:replacedBy:_:)`` says.
    ///
    /// - Parameters:
    ///   - substitute: the suite that replaces the standard one.
    ///   - isolation: the caller's isolation; leave it out.
    ///   - body: runs with the replacement.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, with its type.
    public static func withStandard<Result, Failure: Error>(
        _ substitute: DefaultsSuite, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withSuite(.standard, replacedBy: substitute, isolation: isolation, body)
    }

    /// Runs a body for which another suite replaces one.
    ///
    /// For the body, its task and that task's children, every use of the suite and of its keys goes to the
    /// substitute. That covers subscripts, property wrappers, `reset`, observers, streams, containers and
    /// whole settings. An observer that begins in the body sees the substitute in its handler, on whatever
    /// thread that runs. Other threads and detached tasks still use the original; a `Task` that begins in the
    /// body and outlives it keeps the substitute. A key becomes declared in the substitute when it is used
    /// there.
    ///
    /// Bodies nest. Replacing a suite by itself is reported to its `failures` (`.selfReplacement`), and the
    /// body runs with the suite as it is.
    ///
    /// - Cost: while such a body runs anywhere in the process, all reads bypass the caches. Otherwise none.
    /// - Parameters:
    ///   - suite: the suite to replace.
    ///   - substitute: the suite that replaces it.
    ///   - body: runs with the replacement.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, with its type.
    public static func withSuite<Result, Failure: Error>(
        _ suite: DefaultsSuite, replacedBy substitute: DefaultsSuite,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try SuiteReplacement.replacing(suite, by: substitute, body)
    }

    /// Runs an asynchronous body for which another suite replaces one.
    ///
    /// The replacement applies as far as ``withSuite(_:replacedBy:_:)`` says.
    ///
    /// - Parameters:
    ///   - suite: the suite to replace.
    ///   - substitute: the suite that replaces it.
    ///   - isolation: the caller's isolation; leave it out.
    ///   - body: runs with the replacement.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, with its type.
    public static func withSuite<Result, Failure: Error>(
        _ suite: DefaultsSuite, replacedBy substitute: DefaultsSuite,
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await SuiteReplacement.replacing(suite, by: substitute, isolation: isolation, body)
    }
}
