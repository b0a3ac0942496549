import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import ServiceLifecycle
import Synchronization
import Testing
import TypedDefaults
import TypedDefaultsService

/// A folder of one test's own that goes with the last reference to it.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/typed-defaults-service-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// A folder with the same files as another one.
    init(like other: TestFolder) throws {
        path = NSTemporaryDirectory() + "/typed-defaults-service-" + UUID().uuidString
        try FileManager.default.copyItem(atPath: other.path, toPath: path)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            FileHandle.standardError.write(Data("a test's folder stays behind: \(path): \(error)\n".utf8))
        }
    }

    /// The path of the settings file in it.
    var file: String { path + "/settings.json" }

    /// Whether a source's last layer is kept beside the settings file: under a name of 16 digits, once it is whole.
    var hasKnownLayer: Bool {
        let files = FileManager.default.enumerator(atPath: path + "/.settings.json.known")
        return files?.contains { ($0 as? String)?.count == 16 } ?? false
    }

    func save(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: file), options: .atomic) }
}

/// A suite that is a service of a real group, with a log and metrics in memory.
struct Served {
    let suite: DefaultsSuite
    let metrics = TestMetrics()
    let log = InMemoryLogHandler()
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    init(
        _ suite: DefaultsSuite, following sources: [any DefaultValueSource] = [],
        keepingLastKnown: Bool = false,
        levels: DefaultsService.Levels = DefaultsService.Levels(
            failures: .error, changes: .info, checkpoints: .notice)
    ) async {
        self.suite = suite
        var logger = Logger(label: "test") { [log] _ in log }
        logger.logLevel = .debug
        let service = DefaultsService(
            suite, following: sources, keepingLastKnown: keepingLastKnown, logger: logger, metrics: metrics,
            levels: levels)
        let begun = Began()
        let group = ServiceGroup(
            services: [service, begun], logger: logger)
        self.group = group
        running = Task { try await group.run() }
        await begun.wait()
        let isServed = await eventually { [log] in
            log.entries.contains { $0.message == "settings are served" }
        }
        #expect(isServed)
    }

    /// What was logged at other levels than that of the service's own steps.
    var entries: [InMemoryLogHandler.Entry] { log.entries.filter { $0.level != .debug } }

    /// Shuts the group down and waits for its end.
    func end() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
    }

    func cancel() async throws {
        running.cancel()
        _ = await running.result
    }

    /// What a counter has come to, over all of its dimensions or over those with a value.
    func total(_ label: String, _ dimension: String? = nil, _ value: String = "") -> Int64 {
        let dimensions = dimension.map { [($0, value)] } ?? []
        return metrics.counterTotal(label: label, dimensions: dimensions)
    }

    /// Waits until a counter has come to a number.
    func reaches(_ number: Int64, _ label: String, _ dimension: String? = nil, _ value: String = "") async
        -> Bool
    {
        await eventually { total(label, dimension, value) == number }
    }

    /// Waits until there are as many lines about failures of a code.
    func logs(_ number: Int, ofCode code: String) async -> Bool {
        await eventually { [log] in
            log.entries.count { $0.metadata["code"] == .string(code) } == number
        }
    }

    /// Everything that was logged, as text.
    var text: String {
        log.entries.map { "\($0.level) \($0.message) \($0.metadata)" }.joined(separator: "\n")
    }
}

/// A service that says when it runs.
private final class Began: Service {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func run() async throws {
        continuation.finish()
        try await gracefulShutdown()
    }

    func wait() async { for await _ in stream {} }
}

/// Waits until something holds that no event tells of, for at most two minutes.
func eventually(_ holds: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let deadline = ContinuousClock.now + .seconds(120)
            while !holds() {
                guard ContinuousClock.now < deadline else { return continuation.resume(returning: false) }
                poll(nil, 0, 5)
            }
            continuation.resume(returning: true)
        }
    }
}
