import TypedDefaults

/// The configuration as its file has it, now and after every save.
extension Configuration {
    /// What a save came to.
    enum Event: Sendable {
        case took(Configuration)
        case kept(because: String)
    }

    /// Follows the file; the first event is the configuration to start with.
    ///
    /// Throws for a file that cannot be read, or has a value that cannot be used: there is no last good one yet.
    static func events(of suite: DefaultsSuite) throws -> AsyncStream<Event> {
        Defaults.declare(.port, .workers, .level)
        _ = try suite.storedValues()
        if let problem = suite.problems().first { throw Unusable(problem) }
        return AsyncStream { continuation in
            let follower = Follower(suite) { continuation.yield($0) }
            // A file that is no JSON, for which the suite itself keeps what was good, and each value that cannot be
            // used; and that the file can be read again.
            suite.onFailure = { failure in
                switch failure.code {
                case .recovered: follower.look()
                default: follower.keep(because: "\(failure)")
                }
            }
            // Once for a save, whatever is changed in it.
            let observation = suite.observe([.port, .workers, .level]) { follower.look() }
            continuation.onTermination = { _ in
                observation.invalidate()
                suite.onFailure = nil
            }
        }
    }
}

extension Configuration.Event: CustomStringConvertible {
    var description: String {
        switch self {
        case .took(let configuration): "took \(configuration)"
        case .kept(let reason): "kept the old configuration: \(reason)"
        }
    }
}

/// A value that a service cannot start with.
struct Unusable: Error, CustomStringConvertible {
    let description: String

    init(_ problem: DefaultsProblem) {
        description = "line \(problem.line ?? 1), \(problem.key ?? "the validations"): \(problem.reason)"
    }
}
