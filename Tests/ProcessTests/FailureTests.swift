/// What is told of a file that cannot be used, and what stays of it.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct FailureTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
    }

    @Test func `Failure is never absence: a broken file is an error to a newcomer and stays`() throws {
        let broken = #"{ "n": 1, "m": "#
        try folder.write(broken, to: "settings/settings.json")
        let newcomer = try Peer.opening(in: folder)
        #expect(try newcomer.ask("stored") == "error malformedFile")
        #expect(try folder.read("settings/settings.json") == broken)
        #expect(try newcomer.ask("set k 2") == "ok")
        #expect(try folder.read("settings/settings.json.damaged-1") == broken)
    }

    @Test func `Failure is never absence: a running process serves the last good values`() throws {
        #expect(try suite.storedValues() == ["n": 1])
        let (heard, failures) = (Recorder<DefaultsChange>(), FailureRecorder(suite))
        let observation = suite.observe(key: "n", options: [.new]) { heard.append($0) }
        try folder.write(#"{ "n": 1, "m": "#, to: "settings/settings.json")
        #expect(failures.wait(for: 1))
        #expect(failures.codes == [.malformedFile])
        #expect(suite.value(forKey: "n") == 1)
        #expect(throws: DefaultsError.self) { try suite.storedValues() }

        try folder.write(#"{ "n": 2 }"#, to: "settings/settings.json")
        #expect(heard.wait(for: 1))
        #expect(try suite.storedValues() == ["n": 2])
        observation.invalidate()
    }

    @Test func `Reported, not swallowed: a read of a broken file, to the process that reads`() throws {
        try folder.write("{ broken", to: "settings/settings.json")
        let newcomer = try Peer.opening(in: folder)
        let before = try newcomer.ask("failures")
        #expect(try newcomer.ask("get n") == "none")
        #expect(try [before, newcomer.ask("failures")] == ["", "malformedFile"])
    }

    @Test func `Reported, not swallowed: an addition that could not be stored, to its process`() throws {
        let other = try TemporaryFolder()
        try other.write("{}", to: "settings/settings.json")
        try other.allowEverybody(in: "settings")
        let newcomer = try Peer.opening(in: other)
        #expect(try newcomer.ask("modify n subscript 1") == "ok")
        let said = try newcomer.ask("failures").split(separator: " ")
        #expect(Set(said) == ["insecureDirectory", "lostAccess"])
        #expect(try other.read("settings/settings.json") == "{}")
    }
}
