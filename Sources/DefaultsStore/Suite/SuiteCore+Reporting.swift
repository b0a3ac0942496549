/// Telling of failures that no caller can be thrown; inside a transaction they wait until its locks are given back,
/// since a person's handler hears them.
extension SuiteCore {
    /// Tells of a failure.
    package func report(_ error: DefaultsError) { tell { [failures] in failures.report(error) } }

    /// Tells of a failure that lasts, once.
    package func reportStanding(_ error: DefaultsError) {
        guard failures.noteStanding(error) else { return }
        tell { [failures] in failures.report(error) }
    }

    private func tell(_ body: @escaping @Sendable () -> Void) {
        guard let store = openStore else { return body() }
        store.tell(body)
    }
}
