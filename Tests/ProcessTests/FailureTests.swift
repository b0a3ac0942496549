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

    @Test func `Unreadable is not empty: a broken file stays, and is an error at a start`() throws {
        let broken = #"{ "n": 1, "m": "#
        try folder.write(broken, to: "settings/settings.json")
        let newcomer = try Peer.opening(in: folder)
        #expect(try newcomer.ask("stored") == "error malformedFile")
        #expect(try folder.read("settings/settings.json") == broken)
    }

    @Test
    func `A file with a mistake is never overwritten: what is written beside it comes into the mended one`()
        throws
    {
        suite.onFailure = { _ in }
        let broken = #"{ "n": 5, "m": "#
        try folder.write(broken, to: "settings/settings.json")
        let (newcomer, writer) = (try Peer.opening(in: folder), try Peer.opening(in: folder))
        #expect(
            try newcomer.answers(to: ["set k 2", "get k", "checkpoint"]) == [
                "ok", "2", "error malformedFile",
            ])
        #expect(try writer.ask("set l 3") == "ok")
        writer.kill()
        #expect(try newcomer.ask("get l") == "3")
        #expect(suite.value(forKey: "k") == 2)
        #expect(try folder.read("settings/settings.json") == broken)
        #expect(try folder.damagedCopies() == [])

        try folder.write(#"{ "n": 5, "m": 6 }"#, to: "settings/settings.json")
        #expect(try eventually { try folder.read("settings/settings.json").contains("\"l\": 3") })
        #expect(try newcomer.ask("stored") == #"{"k": 2, "l": 3, "m": 6, "n": 5}"#)
        #expect(try suite.storedValues() == ["n": 5, "m": 6, "k": 2, "l": 3])
    }

    @Test
    func `A file with a mistake is never overwritten: one that never was a settings file refuses each write`()
        throws
    {
        let notes = folder.path + "/notes.txt"
        try folder.write("hello\n", to: "notes.txt")
        for _ in 0..<2 {
            let peer = try Peer()
            #expect(try peer.ask("openfile \(notes)") == "ok")
            for command in ["set n 1", "remove n", "removeall", "transact n 1 m 2", "checkpoint"] {
                #expect(try peer.ask(command) == "error malformedFile")
            }
            #expect(try peer.close() == .status(0))
        }
        #expect(try folder.read("notes.txt") == "hello\n")
        let kept = try DefaultsSuite(file: notes).repairFiles().first { $0.category == "damagedCopy" }
        #expect(kept?.path == notes + ".damaged-1")
        #expect(try folder.read("notes.txt.damaged-1") == "hello\n")
        let peer = try Peer()
        #expect(
            try peer.answers(to: ["openfile \(notes)", "set n 1", "stored"]) == ["ok", "ok", #"{"n": 1}"#])
    }

    @Test func `Unreadable is not empty: a running process serves the last good values`() throws {
        #expect(try suite.storedValues() == ["n": 1])
        let (heard, failures) = (Recorder<DefaultsChange>(), FailureRecorder(suite))
        let observation = suite.observe(forKey: "n", options: [.new]) { heard.append($0) }
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
        #expect(Set(said) == ["insecureDirectory", "accessNotStored"])
        #expect(try other.read("settings/settings.json") == "{}")
    }
}
