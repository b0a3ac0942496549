/// A suite as a service in a group.
import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import ServiceLifecycle
import Testing
import TypedDefaults
import TypedDefaultsService

@Suite(.timeLimit(.minutes(5))) struct ServiceTests {
    private let folder: TestFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TestFolder()
        suite = try DefaultsSuite(file: folder.file)
    }

    @Test func `changes are logged with their keys and cause, and counted, a transaction as one line`()
        async throws
    {
        let served = await Served(suite)
        try suite.withTransaction { tx in
            tx[key: "b"] = "hunter2-b"
            tx[key: "a"] = "hunter2-a"
        }
        // By hand, when nothing is to be brought into the file any more.
        try suite.checkpoint()
        try folder.save(#"{"a": "hunter2-c", "b": "hunter2-b"}"#)
        #expect(await served.reaches(1, "defaults.changes", "cause", "file_edited"))
        try await served.end()
        let lines = served.entries.filter { $0.level == .info }
        #expect(lines.map(\.message) == ["settings have changed", "settings have changed"])
        #expect(lines[0].metadata["keys"] == .array(["a", "b"]))
        #expect(lines[0].metadata["cause"] == "this process")
        #expect(lines[1].metadata["keys"] == .array(["a"]))
        #expect(lines[1].metadata["cause"] == "file edited")
        #expect(served.total("defaults.changes", "cause", "this_process") == 2)
        #expect(!served.text.contains("hunter2"))
    }

    @Test func `failures are logged and counted by code, and no value is in any line`() async throws {
        let port = Defaults.Key<Int>("port", default: 80, suite: suite, validation: .range(1...100))
        let token = Defaults.Key<Int>("token", default: 1, suite: suite, secret: true)
        let served = await Served(suite)
        try folder.save(#"{"port": "hunter2-port", "token": "hunter2-token", "hunter": 987654321}"#)
        let isThere = await eventually { [suite] in suite.value(forKey: "hunter") != nil }
        #expect(isThere)
        #expect(suite[port] == 80 && suite[token] == 1)
        suite[port] = 987_654_321
        try folder.save(#"{"port": hunter2-broken 987654321}"#)
        let wanted: [(code: String, count: Int64)] = [
            ("malformedFile", 1), ("typeMismatch", 2), ("invalidValue", 1),
        ]
        for (code, count) in wanted {
            #expect(await served.reaches(count, "defaults.failures", "code", code))
        }
        try await served.end()
        let failures = served.entries.filter { $0.level == .error }
        let codes = Set(failures.map { $0.metadata["code"]?.description ?? "" })
        #expect(codes == ["malformedFile", "typeMismatch", "invalidValue"])
        #expect(!served.text.contains("hunter2") && !served.text.contains("987"))
        #expect(served.text.contains("port") && served.text.contains(folder.file))
    }

    @Test func `the log says once when all is well again, and in what words`() async throws {
        let path = folder.path + "/defaults.json"
        try Data(#"{"volume": "#.utf8).write(to: URL(filePath: path))
        let served = await Served(suite, following: [JSONDefaultValueSource(path: path, name: "fleet")])
        #expect(await served.reaches(1, "defaults.failures", "code", "sourceFailed"))
        try folder.save("{")
        #expect(await served.reaches(1, "defaults.failures", "code", "malformedFile"))
        try Data(#"{"volume": 1}"#.utf8).write(to: URL(filePath: path))
        try folder.save(#"{"theme": "dark"}"#)
        #expect(await served.logs(2, ofCode: "recovered"))
        try Data(#"{"volume": 2}"#.utf8).write(to: URL(filePath: path))
        let isThere = await eventually { [suite] in suite.integer(forKey: "volume") == 2 }
        #expect(isThere)
        try await served.end()
        let recoveries = served.entries.filter { $0.metadata["code"] == "recovered" }
        #expect(recoveries.count == 2 && recoveries.allSatisfy { $0.level == .notice })
        let words = recoveries.map { "\($0.message)" }.joined(separator: "\n")
        #expect(words.contains(folder.file) && words.contains("\"fleet\""))
        #expect(served.total("defaults.failures") == 2)
        // There were no values of the source yet, and there are of the file.
        let failures = served.entries.filter { $0.level == .error }.map { "\($0.message)" }
        #expect(failures.filter { $0.contains("last good values") }.count == 1)
    }

    @Test func `a service that has started has its sources' values before the group runs`() async throws {
        let path = folder.path + "/defaults.json"
        try Data(#"{"port": 18080}"#.utf8).write(to: URL(filePath: path))
        let log = InMemoryLogHandler()
        let service = try await DefaultsService.started(
            suite, following: [JSONDefaultValueSource(path: path)],
            logger: Logger(label: "test") { _ in log },
            metrics: TestMetrics())
        #expect(suite.integer(forKey: "port") == 18080)
        try Data(#"{"port": 18081}"#.utf8).write(to: URL(filePath: path))
        let isFollowed = await eventually { [suite] in suite.integer(forKey: "port") == 18081 }
        #expect(isFollowed)
        let group = ServiceGroup(services: [service], logger: Logger(label: "test") { _ in log })
        let running = Task { try await group.run() }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(log.entries.filter { $0.message == "settings have changed" }.count == 2)
    }

    @Test(arguments: [true, false])
    func `a source that fails keeps no server from starting, and its log says so`(hasLastKnown: Bool)
        async throws
    {
        let path = folder.path + "/defaults.json"
        let source = JSONDefaultValueSource(path: path, name: "fleet")
        if hasLastKnown {
            try Data(#"{"port": 18080}"#.utf8).write(to: URL(filePath: path))
            let following = suite.follow(source, keepingLastKnown: true)
            #expect(await following.ready(within: .seconds(60)))
            let isKept = await eventually { [folder] in folder.hasKnownLayer }
            #expect(isKept)
            following.invalidate()
            try FileManager.default.removeItem(atPath: path)
        }
        let later = try TestFolder(like: folder)
        let next = try DefaultsSuite(file: later.file)
        let log = InMemoryLogHandler()
        // With values of the source in place, the first failure ends the waiting.
        let service = try await DefaultsService.started(
            next, following: [source], keepingLastKnown: true,
            within: hasLastKnown ? .seconds(600) : .seconds(1),
            logger: Logger(label: "test") { _ in log }, metrics: TestMetrics())
        #expect(next.integer(forKey: "port") == (hasLastKnown ? 18080 : 0))
        let isLogged = await eventually { log.entries.contains { $0.metadata["code"] == "sourceFailed" } }
        #expect(isLogged)
        #expect(log.entries.contains { $0.metadata["source"] == "fleet" })
        let texts = log.entries.map { "\($0.message)" }
        #expect(texts.contains { $0.contains("last good values") } == hasLastKnown)
        _ = service
    }

    @Test func `what fails between the making of a service and its run is in its log`() async throws {
        let log = InMemoryLogHandler()
        let service = DefaultsService(
            suite, logger: Logger(label: "test") { _ in log }, metrics: TestMetrics())
        try suite.setUnchecked("eighty", forKey: "port")
        #expect(suite[Defaults.Key<Int>("port", default: 80, suite: suite)] == 80)
        let group = ServiceGroup(services: [service], logger: Logger(label: "test") { _ in log })
        let running = Task { try await group.run() }
        let isLogged = await eventually { log.entries.contains { $0.metadata["code"] == "typeMismatch" } }
        #expect(isLogged)
        await group.triggerGracefulShutdown()
        try await running.value
    }

    @Test func `checkpoints are counted and timed, those of the library's own accord and the last one`()
        async throws
    {
        let served = await Served(suite)
        try suite.set(1, forKey: "a")
        #expect(await served.reaches(1, "defaults.checkpoints"))
        try await served.end()
        #expect(served.total("defaults.checkpoints") == 2)
        let times = try served.metrics.expectTimer("defaults.checkpoint.duration", [("suite", suite.name)])
            .values
        #expect(times.count == 2 && times.allSatisfy { $0 > 0 })
        #expect(served.entries.filter { $0.level == .notice }.count == 2)
    }

    @Test func `a source is followed while the service runs, and not after it`() async throws {
        let path = folder.path + "/defaults.json"
        try Data(#"{"volume": 1}"#.utf8).write(to: URL(filePath: path))
        let served = await Served(suite, following: [JSONDefaultValueSource(path: path)])
        let isThere = await eventually { [suite] in suite.integer(forKey: "volume") == 1 }
        #expect(isThere)
        try await served.end()
        #expect(served.total("defaults.changes", "cause", "defaults_changed") == 1)
        try Data(#"{"volume": 2}"#.utf8).write(to: URL(filePath: path))
        try await suite.read(sources: DictionaryDefaultValueSource(["other": 1]))
        #expect(suite.integer(forKey: "volume") == 1)
    }

    @Test(arguments: [true, false])
    func `a service starts without its source where it keeps what is last known`(keepsLastKnown: Bool)
        async throws
    {
        let path = folder.path + "/defaults.json"
        let source = JSONDefaultValueSource(path: path)
        try Data(#"{"volume": 1}"#.utf8).write(to: URL(filePath: path))
        let served = await Served(suite, following: [source], keepingLastKnown: keepsLastKnown)
        let isThere = await eventually { [suite] in suite.integer(forKey: "volume") == 1 }
        #expect(isThere)
        if keepsLastKnown {
            let isKept = await eventually { [folder] in folder.hasKnownLayer }
            #expect(isKept)
        }
        try await served.end()
        try FileManager.default.removeItem(atPath: path)
        // A suite of its own, as another process would have it: this one's goes on serving the last layer.
        let later = try TestFolder(like: folder)
        let next = try DefaultsSuite(file: later.file)
        let offline = await Served(next, following: [source], keepingLastKnown: keepsLastKnown)
        #expect(next.value(forKey: "volume") == (keepsLastKnown ? 1 : nil))
        #expect(next.explain(forKey: "volume").contains { "\($0)".contains("last known") } == keepsLastKnown)
        try await offline.end()
    }

    @Test func `what a group logs of the service has its name, and nothing of its sources`() async throws {
        let source = Spelled(values: ["token": "hunter2-source"])
        let served = await Served(suite, following: [source])
        try await served.end()
        #expect(served.text.contains("DefaultsService(\(suite.name))"))
        #expect(!served.text.contains("hunter2"))
    }

    @Test func `what has no level is not logged, and is counted`() async throws {
        let served = await Served(
            suite, levels: DefaultsService.Levels(failures: nil, changes: nil, checkpoints: nil))
        try suite.set(1, forKey: "a")
        try await served.end()
        #expect(served.entries == [])
        #expect(served.total("defaults.changes") == 1)
        try suite.set(2, forKey: "a")
        #expect(served.total("defaults.changes") == 1)
    }

    @Test func `a service that is cancelled makes its last checkpoint too`() async throws {
        let served = await Served(suite)
        try suite.set("kept", forKey: "a")
        try await served.cancel()
        #expect(try DefaultsValue(json: String(contentsOfFile: folder.file, encoding: .utf8))["a"] == "kept")
    }

    @Test func `a process that is sent SIGTERM has its last setting in the file`() throws {
        let process = Process()
        let output = Pipe()
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "service-peer")
        process.arguments = [folder.file]
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.contains("working\n") || !text.contains("settings are served") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the peer has ended: \(text)")
            text += String(decoding: more, as: UTF8.self)
        }
        process.terminate()
        text += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        let lines = text.split(separator: "\n")
        let file = try #require(lines.last { $0.hasPrefix("file: ") })
        #expect(
            try DefaultsValue(json: String(file.dropFirst(6)))
                == ["first": "value-of-the-start", "last": "value-of-the-end"])
        let log = lines.filter { !$0.hasPrefix("file: ") }.joined(separator: "\n")
        #expect(log.contains("settings have changed") && log.contains("last"))
        #expect(!log.contains("value-of"))
    }
}

/// A source that is printed with all it has.
private struct Spelled: DefaultValueSource {
    let name = "spelled"
    let values: [String: DefaultsValue]

    func defaultValues() async throws -> [String: DefaultsValue] { values }
}
