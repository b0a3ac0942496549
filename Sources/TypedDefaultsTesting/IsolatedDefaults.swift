public import Testing
public import TypedDefaults

/// Gives each test its own suites in memory, in place of those that its code names.
///
/// ```text
/// import Testing
/// import TypedDefaults
/// import TypedDefaultsTesting
///
/// extension Defaults.Keys {
///     static let volume = Key<Double>("volume", default: 0.5)
/// }
///
/// @Test(.isolatedDefaults) func `louder is a tenth more`() {
///     Defaults[.volume] += 0.1
///     #expect(Defaults[.volume] == 0.6)
/// }
/// ```
///
/// `Examples/ParallelTests` is a package of such tests. They may run in parallel: none sees another's
/// settings, and no file is touched. On a suite of tests it applies to each of its tests, and to each case of
/// a test with arguments. `Defaults.withSuite(_:replacedBy:_:)` says what it covers.
public struct IsolatedDefaults: TestTrait, SuiteTrait, TestScoping {
    /// Applies to the tests of a suite rather than to the suite as a whole.
    public let isRecursive = true
    /// Evaluated for each test, so that `standard` is not requested before a test runs.
    private let suites: @Sendable () -> [DefaultsSuite]

    init(suites: @escaping @Sendable () -> [DefaultsSuite]) { self.suites = suites }

    /// Runs a test with its own suites; the testing library calls it.
    ///
    /// - Parameters:
    ///   - test: the test.
    ///   - testCase: the case of the test; nil for the test as a whole, which runs without replacement.
    ///   - function: runs the test.
    /// - Throws: what the test throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await run(suites()[...], function)
    }

    private func run(
        _ suites: ArraySlice<DefaultsSuite>, _ function: @Sendable () async throws -> Void
    ) async throws {
        guard let suite = suites.first else { return try await function() }
        try await Defaults.withSuite(suite, replacedBy: .inMemory()) {
            try await run(suites.dropFirst(), function)
        }
    }
}

extension Trait where Self == IsolatedDefaults {
    /// Gives each test its own standard suite.
    public static var isolatedDefaults: IsolatedDefaults { IsolatedDefaults { [.standard] } }

    /// Gives each test its own suites in place of some.
    public static func isolatedDefaults(replacing suites: DefaultsSuite...) -> IsolatedDefaults {
        IsolatedDefaults { suites }
    }
}
