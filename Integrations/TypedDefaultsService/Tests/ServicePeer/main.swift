/// A server whose worker stores a setting as its last act; it says its log and, at the end, what stands in the settings file.
import Foundation
import Logging
import ServiceLifecycle
import TypedDefaults
import TypedDefaultsService
import UnixSignals

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

struct Worker: Service {
    let suite: DefaultsSuite

    func run() async throws {
        try suite.set("value-of-the-start", forKey: "first")
        say("working")
        try await gracefulShutdown()
        try suite.set("value-of-the-end", forKey: "last")
    }
}

let file = CommandLine.arguments[1]
let suite = try DefaultsSuite(file: file)
var logger = Logger(label: "peer") { StreamLogHandler.standardOutput(label: $0) }
logger.logLevel = .debug
let group = ServiceGroup(
    services: [DefaultsService(suite, logger: logger), Worker(suite: suite)],
    gracefulShutdownSignals: [.sigterm], logger: logger)
try await group.run()
say("file: " + (try DefaultsValue(json: try String(contentsOfFile: file, encoding: .utf8))).description)
