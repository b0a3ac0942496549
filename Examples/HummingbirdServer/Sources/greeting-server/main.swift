import Configuration
import Foundation
import Hummingbird
import Logging
import TypedDefaults
import TypedDefaultsConfiguration
import TypedDefaultsService

let suite = DefaultsSuite.standard
// So that a reader has their defaults from the start.
Defaults.declare(.host, .port, .greeting, .times)

// HTTP_PORT in the environment, else "http.port" in the settings file, else the key's default.
let reader = ConfigReader(providers: [EnvironmentVariablesProvider(), DefaultsConfigProvider(suite)])
var logger = Logger(label: "greeting-server")
logger.logLevel = reader.string(forKey: "log.level", as: Logger.Level.self, default: .info)

// Logs what changes and what is wrong; when SIGTERM or ctrl-C ends the server, the file is up to date. Its sources have answered
// before the server is made, so that the fleet's port is used: FLEET_FILE=/etc/fleet.json.
let fleet = reader.string(forKey: "fleet.file").map { JSONDefaultValueSource(path: $0, name: "fleet") }
let settings = try await DefaultsService.started(
    suite, following: fleet.map { [$0] } ?? [], keepingLastKnown: true, logger: logger)

let router = Router()
router.get(":name") { _, context in
    let name = try context.parameters.require("name")
    // One state of the settings for the whole answer, whoever saves others meanwhile.
    let settings = suite.snapshot()
    return String(repeating: "\(settings[.greeting]), \(name)!\n", count: settings[.times])
}

let server = Application(
    router: router,
    configuration: ApplicationConfiguration(reader: reader.scoped(to: "http")),
    services: [settings],
    logger: logger)

do {
    // A reader goes by the name, and runs no validation; this does, and says where in the file the wrong port is.
    _ = try suite.value(.port)
    logger.info("settings are in \(suite.path ?? "memory")")
    try await server.runService()
} catch {
    logger.critical("\(error)")
    exit(EXIT_FAILURE)
}
