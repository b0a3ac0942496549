/// Reporting failures that cannot be thrown.
///
/// Inside a transaction the reports wait until its locks are released, because they run user code.
extension SuiteCore {
    /// Reports a failure.
    package func report(_ error: DefaultsError) { tell { [failures] in failures.report(error) } }

    /// Reports a lasting failure, once until it is mended.
    package func reportStanding(_ error: DefaultsError, in matter: StandingFailures.Matter? = nil) {
        guard failures.noteStanding(error, in: matter) else { return }
        tell { [failures] in failures.report(error) }
    }

    /// Reports all lasting failures of a matter that was looked at as a whole, each once; others of it are over.
    func reportStanding(only errors: [DefaultsError], in matter: StandingFailures.Matter) {
        let fresh = failures.noteStanding(only: errors, in: matter)
        if !fresh.isEmpty { tell { [failures] in fresh.forEach { failures.report($0) } } }
    }

    private func tell(_ body: @escaping @Sendable () -> Void) {
        guard let store = openStore else { return Courier.shared.tell(body) }
        store.tell(body)
    }
}
