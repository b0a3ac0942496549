/// Reporting failures that cannot be thrown.
///
/// Inside a transaction the reports wait until its locks are released, because they run user code.
extension SuiteCore {
    /// Reports a failure.
    package func report(_ error: DefaultsError) { tell { [failures] in failures.report(error) } }

    /// Reports a lasting failure, once.
    package func reportStanding(_ error: DefaultsError) {
        guard failures.noteStanding(error) else { return }
        tell { [failures] in failures.report(error) }
    }

    private func tell(_ body: @escaping @Sendable () -> Void) {
        guard let store = openStore else { return body() }
        store.tell(body)
    }
}
