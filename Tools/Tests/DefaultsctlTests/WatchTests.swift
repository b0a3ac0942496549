/// `watch`: each change, by whomever.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct WatchTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.run("write", "volume", "0.5", "-s", "player")
    }

    @Test func `a change by another process and one by hand are printed, and the count ends it`() throws {
        let watch = try Stream(
            place, "watch", "volume", "-s", "player", "--json", "--initial", "--count", "3")
        let initial = try watch.object()
        #expect(initial["cause"] as? String == "initial" && initial["new"] as? Double == 0.5)
        try place.run("write", "volume", "0.75", "-s", "player")
        let written = try watch.object()
        #expect(written["old"] as? Double == 0.5 && written["new"] as? Double == 0.75)
        #expect(written["cause"] as? String == "otherProcess" && written["process"] is Int)
        try place.save("{\"volume\": 1}")
        let edited = try watch.object()
        #expect(edited["old"] as? Double == 0.75 && edited["new"] as? Double == 1)
        #expect(edited["cause"] as? String == "fileEdited")
        #expect((edited["time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        try place.run("delete", "volume", "-s", "player")
        let removed = try watch.object()
        #expect(removed["old"] as? Double == 1 && removed["new"] == nil)
        #expect(watch.end() == 0)
    }

    @Test func `for people a line has the time, the key, both values and the cause`() throws {
        let watch = try Stream(place, "watch", "volume", "-s", "player", "--initial", "-c", "1")
        #expect(try watch.line().wholeMatch(of: /\d\d:\d\d:\d\d\.\d{3}  volume  0\.5  now/) != nil)
        try place.run("write", "volume", "0.75", "-s", "player")
        let line = try watch.line()
        #expect(
            line.wholeMatch(of: /\d\d:\d\d:\d\d\.\d{3}  volume  0\.5 → 0\.75  process \d+/) != nil, "\(line)")
        #expect(watch.end() == 0)
    }

    @Test func `without a key all changes are printed, those of a transaction together`() throws {
        let watch = try Stream(place, "watch", "-s", "player", "--json", "--initial")
        #expect(try watch.object()["key"] as? String == "volume")
        try place.run("load", "-s", "player", input: #"{"a": 1, "volume": 2}"#)
        let both = try [watch.object(), watch.object()]
        #expect(Set(both.map { $0["key"] as? String }) == ["a", "volume"])
        #expect(both.first { $0["key"] as? String == "a" }?["old"] == nil)
        #expect(watch.interrupt() == -2)
    }

    @Test func `another key's change is not heard`() throws {
        let watch = try Stream(place, "watch", "volume", "-s", "player", "--json", "--initial", "-c", "1")
        _ = try watch.object()
        try place.run("write", "other", "1", "-s", "player")
        try place.run("write", "volume", "3", "-s", "player")
        #expect(try watch.object()["new"] as? Int == 3)
        #expect(watch.end() == 0)
    }

    @Test func `a suite that is not there yet is waited for, and what it has when it comes is printed`()
        throws
    {
        let watch = try Stream(
            place, "watch", "theme", "-s", "plyer", "--json", "--wait", "-c", "1", hearsErrors: true)
        #expect(
            try watch.line()
                == "defaultsctl: note: there is no suite plyer in \(place.path)/config (there is player) yet; waiting for it"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == ["player"])
        try place.save(#"{"theme": "dark"}"#, of: "plyer")
        let first = try watch.object()
        #expect(first["cause"] as? String == "initial" && first["new"] as? String == "dark")
        try place.run("write", "theme", "light", "-s", "plyer")
        #expect(try watch.object()["new"] as? String == "light")
        #expect(watch.end() == 0)
    }

    @Test func `a suite that is there is not waited for`() throws {
        let watch = try Stream(
            place, "watch", "-s", "player", "--json", "--wait", "--initial", hearsErrors: true)
        #expect(try watch.object()["key"] as? String == "volume")
    }

    @Test(arguments: ["watch -s player", "watch -s nobody --wait"])
    func `it ends when nobody reads its output any more, as the system ends such a program`(_ line: String)
        throws
    {
        // The shell waits for both, and there is no change that would have to be printed.
        let run = try place.shell("(defaultsctl \(line); echo $? >~/status) | true; cat ~/status")
        #expect(run.output.hasSuffix("141\n"), "\(run)")
    }

    @Test func `where that signal is ignored it ends with what a refused write is`() throws {
        let run = try place.shell(
            "trap '' PIPE; (defaultsctl watch -s player --initial; echo $? >~/status) | head -c 1; cat ~/status"
        )
        #expect(run.output.hasSuffix("74\n") && run.errors.contains("could not be written"), "\(run)")
    }

    @Test func `a change that nobody reads ends it too`() throws {
        let run = try place.shell(
            """
            (defaultsctl watch -s player --initial; echo $? >~/status) | { head -n 1; defaultsctl write volume 2 -s player; }
            cat ~/status
            """)
        #expect(run.output.hasSuffix("141\n"), "\(run)")
    }

    @Test func `a suite that may not be used is refused at once`() throws {
        try place.shell("chmod 777 \(place.path)/config/player")
        let run = try place.run("watch", "-s", "player")
        #expect(run.status == 77 && run.errors.contains("not safe"))
    }

    @Test func `a file that is broken is watched, since it may be mended`() throws {
        try place.save("{")
        let watch = try Stream(place, "watch", "volume", "-s", "player", "--json", "--initial", "-c", "1")
        #expect(try watch.object()["cause"] as? String == "initial")
        try place.save(#"{"volume": 3}"#)
        #expect(try watch.object()["new"] as? Int == 3)
        #expect(watch.end() == 0)
    }

    @Test func `without waiting, a suite that is not there is status 66 with a hint`() throws {
        let run = try place.run("watch", "-s", "plyer")
        #expect(run.status == 66 && run.errors.hasSuffix("; --wait waits for it\n"))
    }

    @Test func `what names the schema or the migrations is no change of a setting`() throws {
        let watch = try Stream(place, "watch", "-s", "player", "--json", "--initial", "-c", "1")
        _ = try watch.object()
        try place.run("write", "$schema", "./x.json", "-s", "player")
        try place.run("write", "$migrations", #"["x"]"#, "-s", "player")
        try place.run("write", "volume", "3", "-s", "player")
        #expect(try watch.object()["key"] as? String == "volume")
        #expect(watch.end() == 0)
    }
}
