public import Metrics
public import Logging
public import ServiceLifecycle
public import TypedDefaults

/// A suite as a service of ServiceLifecycle: while it runs, sources are followed, and failures, changes and checkpoints are
/// logged and counted; at its end the settings file is brought up to date.
///
/// ```swift
/// let logger = Logger(label: "player")
/// let settings = DefaultsService(.standard, logger: logger)
/// let group = ServiceGroup(services: [settings], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// Put it before the services that use settings: a group shuts them down in the opposite order, so that the last
/// checkpoint has what they write at their ends.
///
/// No value of a setting is logged: names of keys, what made them change, and failures, whose texts have no values.
///
/// | metric | kind | dimensions |
/// |---|---|---|
/// | `defaults.changes` | counter of keys | `suite`, `cause`: `this_process`, `other_process`, `file_edited`, `defaults_changed` |
/// | `defaults.failures` | counter | `suite`, `code`: as `malformedFile` |
/// | `defaults.checkpoints` | counter | `suite` |
/// | `defaults.checkpoint.duration` | timer | `suite` |
public struct DefaultsService: Service {
    /// At which levels something is logged; nil for not at all.
    public struct Levels: Sendable {
        /// Failures that have no caller to be thrown to.
        public var failures: Logger.Level?
        /// That what had failed works again.
        public var recoveries: Logger.Level?
        /// Changes, one line for a transaction.
        public var changes: Logger.Level?
        /// Checkpoints that this process makes.
        public var checkpoints: Logger.Level?

        /// Chooses levels.
        public init(
            failures: Logger.Level? = .error, changes: Logger.Level? = .info,
            checkpoints: Logger.Level? = .debug, recoveries: Logger.Level? = .notice
        ) {
            self.failures = failures
            self.recoveries = recoveries
            self.changes = changes
            self.checkpoints = checkpoints
        }
    }

    /// The suite.
    public let suite: DefaultsSuite
    private let serving: Serving
    private let logger: Logger

    /// Makes a suite a service, which does nothing but keep failures for its log until it is run.
    ///
    /// - Parameters:
    ///   - sources: the sources of default values that the suite follows while the service runs.
    ///   - keepingLastKnown: whether each source's last layer is kept on disk, so that the next start has it until the
    ///     source answers, as for `suite.follow(_:keepingLastKnown:)`. A source that calls its layer secret has none kept.
    ///   - metrics: the factory of the counters and timers; nil for the program's own one.
    public init(
        _ suite: DefaultsSuite = .standard, following sources: [any DefaultValueSource] = [],
        keepingLastKnown: Bool = false, logger: Logger, metrics: (any MetricsFactory)? = nil,
        levels: Levels = Levels()
    ) {
        self.suite = suite
        self.logger = logger
        let meters = Meters(suite: suite.name, factory: metrics ?? MetricsSystem.factory)
        serving = Serving(
            suite, sources, keepsLastKnown: keepingLastKnown,
            log: SettingsLog(suite: suite.name, logger: logger, levels: levels, meters: meters))
    }

    /// Makes a suite a service that serves already: its sources are followed, and each has answered when this returns, so
    /// that their values can be used to make the server.
    ///
    /// ```swift
    /// let logger = Logger(label: "player")
    /// let fleet = JSONDefaultValueSource(path: "/etc/player/fleet.json")
    /// let settings = try await DefaultsService.started(following: [fleet], keepingLastKnown: true, logger: logger)
    /// let port = DefaultsSuite.standard.integer(forKey: "port")
    /// ```
    ///
    /// A source that fails, or does not answer in time, does not keep the server from starting: its last known layer is
    /// served, or else the defaults are, and the log says so.
    ///
    /// - Parameters:
    ///   - limit: how long the sources are waited for, all at the same time.
    ///   - sources: see the initialiser, as for the others.
    /// - Throws: `CancellationError`, and nothing else; then nothing is followed any more.
    public static func started(
        _ suite: DefaultsSuite = .standard, following sources: [any DefaultValueSource],
        keepingLastKnown: Bool = false, within limit: Duration = .seconds(10), logger: Logger,
        metrics: (any MetricsFactory)? = nil, levels: Levels = Levels()
    ) async throws -> DefaultsService {
        let service = DefaultsService(
            suite, following: sources, keepingLastKnown: keepingLastKnown, logger: logger, metrics: metrics,
            levels: levels)
        await service.serving.beginAndWait(within: limit)
        try Task.checkCancellation()
        return service
    }

    /// Runs until a graceful shutdown or a cancellation.
    ///
    /// A checkpoint that fails at the end is logged: what was written is in the journal, for the next start.
    public func run() async throws {
        serving.begin()
        logger.debug("settings are served", metadata: ["suite": "\(suite.name)"])
        do { try await gracefulShutdown() } catch {
            logger.debug("settings end by cancellation", metadata: ["suite": "\(suite.name)"])
        }
        await serving.end()
    }
}

extension DefaultsService: CustomStringConvertible {
    /// The suite's name: a service group logs each service at its start, and nothing of sources and values is to be there.
    public var description: String { "DefaultsService(\(suite.name))" }
}
