import TypedDefaults

/// Works with a configuration, and takes another one whenever its settings file is saved.
final class Service: Sendable {
    /// What happened to the configuration.
    enum Event: Sendable {
        case took(Configuration)
        case kept(because: String)
    }

    /// What happens, for the service's log.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let suite: DefaultsSuite

    /// Starts with what is in the file.
    ///
    /// Throws for a file that cannot be read or has a value that cannot be used: there is no last good one yet.
    init(_ suite: DefaultsSuite) throws {
        self.suite = suite
        (events, continuation) = AsyncStream.makeStream()
        Defaults.declare(.port, .workers, .level)
        _ = try suite.storedValues()
        if let problem = suite.problems().first { throw Unusable(problem) }
        suite.onFailure = { [continuation] error in continuation.yield(.kept(because: "\(error)")) }
        // Once for each save, whatever is changed in it, and once now.
        suite.observe([.port, .workers, .level]) { [weak self] in self?.reload() }.tieToLifetime(of: self)
    }

    /// Takes the configuration as it is now, unless a value cannot be used: a default in its place would be a surprise.
    ///
    /// The failure stream has told of that value, and of a file that is no JSON; after the latter nothing is called, and
    /// the suite itself goes on with what was good.
    private func reload() {
        guard suite.problems().isEmpty else { return }
        continuation.yield(.took(Configuration(suite.snapshot())))
    }
}

/// A value that a service cannot start with.
struct Unusable: Error, CustomStringConvertible {
    let description: String

    init(_ problem: DefaultsProblem) {
        description = "line \(problem.line ?? 1), \(problem.key ?? "the rules"): \(problem.reason)"
    }
}

extension Service.Event: CustomStringConvertible {
    var description: String {
        switch self {
        case .took(let configuration): "took \(configuration)"
        case .kept(let reason): "kept the old configuration: \(reason)"
        }
    }
}
