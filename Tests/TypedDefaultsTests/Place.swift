import TestSupport
import Testing
import TypedDefaults

/// Where a test's suite keeps its values: what holds for one has to hold for the other.
enum Place: String, CaseIterable, CustomTestStringConvertible {
    case memory, file

    var testDescription: String { rawValue }

    /// Runs a test on an empty suite of its own, and expects that no failure is reported.
    func withSuite(_ body: (DefaultsSuite) throws -> Void) throws {
        try withFailingSuite { suite, failures in
            try body(suite)
            #expect(failures.all == [])
        }
    }

    /// Runs a test on an empty suite of its own, with what the suite reports.
    func withFailingSuite(_ body: (DefaultsSuite, FailureRecorder) throws -> Void) throws {
        let (suite, folder) = try makeSuite()
        try body(suite, FailureRecorder(suite))
        withExtendedLifetime(folder) {}
    }

    /// The same as `withSuite` for a test that suspends.
    func withSuite(_ body: (DefaultsSuite) async throws -> Void) async throws {
        let (suite, folder) = try makeSuite()
        let failures = FailureRecorder(suite)
        try await body(suite)
        #expect(failures.all == [])
        withExtendedLifetime(folder) {}
    }

    private func makeSuite() throws -> (DefaultsSuite, TemporaryFolder?) {
        guard self == .file else { return (.inMemory(), nil) }
        let folder = try TemporaryFolder()
        return (try folder.suite(), folder)
    }
}

/// Runs a test over a settings file written by hand, with what the suite reports.
func withSettingsFile(
    _ text: String, _ body: (DefaultsSuite, FailureRecorder, TemporaryFolder) throws -> Void
) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "settings/settings.json")
    let suite = try folder.suite()
    try body(suite, FailureRecorder(suite), folder)
    withExtendedLifetime(folder) {}
}

extension TemporaryFolder {
    /// The text of the settings file of `suite()`.
    func settings() throws -> String { try read("settings/settings.json") }

    /// Saves the settings file of `suite()` as a person with an editor would.
    func edit(_ text: String) throws { try write(text, to: "settings/settings.json") }
}

/// The error a body throws, whole; nil when it throws none of ours.
func refusal(_ body: () throws -> Void) -> DefaultsError? {
    do {
        try body()
        return nil
    } catch {
        return error as? DefaultsError
    }
}
