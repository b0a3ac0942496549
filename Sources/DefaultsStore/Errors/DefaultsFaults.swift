/// Everything that is wrong with a suite, as ``DefaultsSuite/validate()`` throws it.
public struct DefaultsFaults: Error, Hashable, Sendable {
    /// The suite's name.
    public let suite: String
    /// The values that their keys cannot use, the names that nothing takes, and the validations that fail.
    public let problems: [DefaultsProblem]
    /// What is wrong with the files.
    public let findings: [DefaultsFinding]
}

extension DefaultsFaults: CustomStringConvertible {
    /// One line for each problem and finding; no value of a secret key.
    public var description: String {
        let lines = problems.map(line) + findings.map { "\($0)" }
        return (["The settings of the suite \"\(suite)\" are not in order:"] + lines).joined(separator: "\n")
    }

    private func line(_ problem: DefaultsProblem) -> String {
        let place = problem.line.map { " (line \($0))" } ?? ""
        guard let key = problem.key, let domain = problem.domain else { return problem.reason }
        return "key \"\(key)\", \(domain)\(place): \(problem.reason)"
    }
}
