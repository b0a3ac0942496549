import Foundation
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The program stands beside the tests."),
    .timeLimit(.minutes(5)))
struct GreetingServerTests {
    @Test func `what a person saves counts for the next request, without a restart`() async throws {
        let server = try ServerProcess()
        let address = try server.address()
        #expect(try await answer(from: address, to: "Ada") == "Hello, Ada!\n")
        try server.save(#"{"greeting": "Good day", "times": 2}"#)
        try server.logged("settings have changed", "file edited", "greeting", "times")
        #expect(try await answer(from: address, to: "Ada") == "Good day, Ada!\nGood day, Ada!\n")
    }

    @Test func `a save with a mistake ends nothing, and the log says where it is`() async throws {
        let server = try ServerProcess(settings: #"{"greeting": "Good day"}"#)
        let address = try server.address()
        try server.save(#"{"greeting": "Good evening", "times": }"#)
        try server.logged("malformedFile", "settings.json:1:39")
        #expect(try await answer(from: address, to: "Ada") == "Good day, Ada!\n")
        try server.save(#"{"greeting": "Good evening", "times": 99}"#)
        try server.logged("recovered", "settings.json")
        try server.logged("settings have changed", "greeting")
        #expect(try await answer(from: address, to: "Ada") == "Good evening, Ada!\n")
        try server.logged("invalidValue", "settings.json:1:39", "it is outside 1...5")
        try server.save(#"{"greeting": "Good evening", "times": 3}"#)
        try server.logged("settings have changed", "times")
        #expect(
            try await answer(from: address, to: "Ada") == String(repeating: "Good evening, Ada!\n", count: 3))
    }

    @Test(arguments: [([:], "127.0.0.2"), (["HTTP_HOST": "127.0.0.3"], "127.0.0.3")])
    func `its address is what the environment says, else the file`(
        environment: [String: String], host: String
    ) async throws {
        let server = try ServerProcess(
            settings: #"{"http.host": "127.0.0.2", "http.port": 0}"#, environment: environment)
        let address = try server.address()
        #expect(address.host() == host)
        #expect(try await answer(from: address, to: "Ada") == "Hello, Ada!\n")
    }

    @Test func `a port from the fleet is used to make the server`() async throws {
        let fleet = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID()).json")
        try Data(#"{"http.host": "127.0.0.4", "http.port": 0, "greeting": "Good day"}"#.utf8).write(to: fleet)
        defer { unlink(fleet.path) }
        let server = try ServerProcess(environment: ["FLEET_FILE": fleet.path])
        let address = try server.address()
        #expect(address.host() == "127.0.0.4")
        #expect(try await answer(from: address, to: "Ada") == "Good day, Ada!\n")
    }

    @Test func `a port that there is not ends the start, and the log says where it is`() throws {
        let end = try ServerProcess(settings: #"{"http.port": 99999}"#).waitForEnd()
        #expect(end.status == EXIT_FAILURE)
        #expect(end.log.contains("critical") && end.log.contains("settings.json:1:15"))
    }

    @Test func `SIGTERM ends it in the ordinary way`() async throws {
        let server = try ServerProcess()
        let address = try server.address()
        #expect(try await answer(from: address, to: "Ada") == "Hello, Ada!\n")
        let end = server.end()
        #expect(end.status == EXIT_SUCCESS)
        #expect(end.log.contains("settings are in their file"))
        #expect(!end.log.contains(" error ") && !end.log.contains(" critical "))
        await #expect(throws: URLError.self) { try await answer(from: address, to: "Ada") }
    }
}
