/// `wait`: until a key has a value.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct WaitTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.run("write", "ready", "false", "-s", "player")
    }

    private func run(_ line: String) throws -> Workplace.Run {
        try place.shell("defaultsctl wait \(line) -s player")
    }

    @Test(arguments: [
        "ready=false", "ready=no --type bool", "'o={\"b\": [1.0], \"a\": \"x=y\"}'", "t=dark",
        "n=1 --type string",
    ])
    func `a value that is there already ends it at once, however it is spelled`(_ line: String) throws {
        try place.save(#"{"ready": false, "o": {"a": "x=y", "b": [1]}, "t": "dark", "n": "1"}"#)
        #expect(try run(line) == .init(status: 0, output: "", errors: ""))
    }

    @Test(arguments: [
        ("ready=true --timeout 0", "ready did not become true in time; it is false"),
        ("ready=true --timeout 0.05", "ready did not become true in time; it is false"),
        ("'ready=\"false\"' --timeout 0", #"ready did not become "false" in time; it is false"#),
        ("none --timeout 0", "none got no value in time"),
    ])
    func `what does not come in time is status 75, and what there is instead is said`(
        _ line: String, words: String
    ) throws {
        #expect(try run(line) == .init(status: 75, output: "", errors: "defaultsctl: \(words)\n"))
    }

    @Test func `another process's write ends it, and one of another value does not`() throws {
        try place.run("write", "state", "0", "-s", "player")
        let late = try Stream(place, "wait", "state=2", "-s", "player", "--timeout", "0.5")
        try place.run("write", "state", "1", "-s", "player")
        #expect(late.end() == 75)
        let wait = try Stream(place, "wait", "state=2", "-s", "player", "--timeout", "60")
        try place.run("write", "state", "2", "-s", "player")
        #expect(wait.end() == 0)
    }

    @Test func `a save by hand ends it, and the value is printed where none was named`() throws {
        let wait = try Stream(place, "wait", "port", "-s", "player", "--timeout", "60")
        try place.save(#"{"port": 8080}"#)
        #expect(try wait.line() == "8080")
        #expect(wait.end() == 0)
        #expect(try run("port --json").output == "8080\n")
    }

    @Test func `a suite that is not there yet is waited for, and nothing is made by that`() throws {
        let wait = try Stream(
            place, "wait", "ready=true", "-s", "plyer", "--timeout", "60", hearsErrors: true)
        #expect(try wait.line().hasSuffix("(there is player) yet; waiting for it"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == ["player"])
        try place.run("write", "ready", "true", "-s", "plyer")
        #expect(wait.end() == 0)
        let late = try place.run("wait", "ready", "-s", "none", "--timeout", "0")
        #expect(late.status == 75 && late.errors.hasSuffix("defaultsctl: the suite did not come in time\n"))
    }

    @Test func `a broken file is waited for, since it may be mended`() throws {
        try place.save("{")
        let wait = try Stream(place, "wait", "ready", "-s", "player", "--timeout", "60", hearsErrors: true)
        #expect(try wait.line().contains("warning: The file cannot be read as JSON"))
        try place.save(#"{"ready": true}"#)
        // Beside it stands that the file can be read again.
        while try wait.line() != "true" {}
        #expect(wait.end() == 0)
    }

    @Test func `the value is the effective one`() throws {
        let variable = ["APP_READY": "true"]
        let run = try place.run(
            "wait", "ready=true", "-s", "player", "--environment", "APP_", "--timeout", "0",
            environment: variable)
        #expect(run == .init(status: 0, output: "", errors: ""))
    }

    @Test func `it ends when nobody reads its output any more`() throws {
        let run = try place.shell(
            "(defaultsctl wait ready=true -s player; echo $? >~/status) | true; cat ~/status")
        #expect(run.output.hasSuffix("141\n"), "\(run)")
    }
}
