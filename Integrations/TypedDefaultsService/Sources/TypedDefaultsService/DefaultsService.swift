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
        /// Changes, one line for a transaction.
        public var changes: Logger.Level?
        /// Checkpoints that this process makes.
        public var checkpoints: Logger.Level?

        /// Chooses levels.
        public init(
            failures: Logger.Level? = .error, changes: Logger.Level? = .info,
            checkpoints: Logger.Level? = .debug
        ) {
            self.failures = failures
            self.changes = changes
            self.checkpoints = checkpoints
        }
    }

    /// The suite.
    public let suite: DefaultsSuite
    private let sources: [any DefaultValueSource]
    private let keepsLastKnown: Bool
    private let logger: Logger
    private let levels: Levels
    private let meters: Meters

    /// Makes a suite a service, which does nothing until it is run.
    ///
    /// - Parameters:
    ///   - sources: the sources of default values that the suite follows while the service runs.
    ///   - keepingLastKnown: whether each source's last layer is kept on disk, so that the next start has it until the
    ///     source answers, as for `suite.follow(_:keepingLastKnown:)`. A source that calls its layer secret has none kept.
    ///   - metrics: what counts; nil for the program's own factory.
    public init(
        _ suite: DefaultsSuite = .standard, following sources: [any DefaultValueSource] = [],
        keepingLastKnown: Bool = false, logger: Logger, metrics: (any MetricsFactory)? = nil,
        levels: Levels = Levels()
    ) {
        self.suite = suite
        self.sources = sources
        keepsLastKnown = keepingLastKnown
        self.logger = logger
        self.levels = levels
        meters = Meters(suite: suite.name, factory: metrics ?? MetricsSystem.factory)
    }

    /// Runs until a graceful shutdown or a cancellation.
    ///
    /// A checkpoint that fails at the end is logged: what was written is in the journal, for the next start.
    public func run() async throws {
        let observation = suite.observeAllChanges(options: []) { note($0) }
        let (failures, checkpoints) = (suite.failures, suite.checkpoints)
        let followings = sources.map { suite.follow($0, keepingLastKnown: keepsLastKnown) }
        let noting = Task { for await failure in failures { note(failure) } }
        let timing = Task { for await checkpoint in checkpoints { note(checkpoint) } }
        logger.debug("settings are served", metadata: ["suite": "\(suite.name)"])
        do { try await gracefulShutdown() } catch {
            logger.debug("settings end by cancellation", metadata: ["suite": "\(suite.name)"])
        }
        followings.forEach { $0.invalidate() }
        // It is told here, and to nobody who may not come to hear of it.
        timing.cancel()
        await timing.value
        checkpointAtEnd()
        noting.cancel()
        await noting.value
        observation.invalidate()
    }

    private func checkpointAtEnd() {
        let begin = ContinuousClock.now
        do throws(DefaultsError) {
            try suite.checkpoint()
            note(ContinuousClock.now - begin)
        } catch {
            note(error)
        }
    }

    private func note(_ changes: [DefaultsChange]) {
        for (cause, some) in Dictionary(grouping: changes, by: { $0.cause }) {
            meters.count(some.count, changesBy: cause)
            guard let level = levels.changes else { continue }
            let names = some.map(\.key).sorted()
            var shown: [Logger.MetadataValue] = names.prefix(50).map { .string($0) }
            if names.count > shown.count { shown.append("and \(names.count - shown.count) more") }
            logger.log(
                level: level, "settings have changed",
                metadata: ["suite": "\(suite.name)", "cause": "\(cause)", "keys": .array(shown)])
        }
    }

    private func note(_ failure: DefaultsError) {
        meters.count(failure)
        guard let level = levels.failures else { return }
        logger.log(
            level: level, "\(failure)", metadata: ["suite": "\(suite.name)", "code": "\(failure.code)"])
    }

    private func note(_ checkpoint: DefaultsCheckpoint) { note(checkpoint.duration) }

    private func note(_ duration: Duration) {
        meters.count(checkpointOf: duration)
        guard let level = levels.checkpoints else { return }
        logger.log(
            level: level, "settings are in their file",
            metadata: ["suite": "\(suite.name)", "duration": "\(duration)"])
    }
}

extension DefaultsService: CustomStringConvertible {
    /// The suite's name: a service group logs each service at its start, and nothing of sources and values is to be there.
    public var description: String { "DefaultsService(\(suite.name))" }
}
