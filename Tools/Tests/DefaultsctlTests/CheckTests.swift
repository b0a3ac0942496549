/// `check`: what is wrong, and what a repair makes of it.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct CheckTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.run("write", "volume", "0.5", "-s", "player")
    }

    private func kinds(_ run: Workplace.Run) throws -> [String] {
        let findings = try #require(try run.object()["findings"] as? [[String: Any]])
        return findings.compactMap { $0["category"] as? String }
    }

    @Test func `a suite that is well says so`() throws {
        #expect(
            try place.run("check", "-s", "player")
                == .init(status: 0, output: "ok  \(place.file())\n", errors: ""))
        #expect(try place.run("check", "-s", "player", "--json").object()["isWell"] as? Bool == true)
    }

    @Test func `a broken file is status 2, and a repair keeps its bytes and what can be read`() throws {
        let broken = "{\n  \"volume\": 0.5,\n  \"theme\": oops,\n  \"on\": true\n}\n"
        try place.save(broken)
        let check = try place.run("check", "-s", "player")
        #expect(check.status == 2)
        #expect(check.output.contains("error: \(place.file()):3:12: "))
        #expect(check.output.contains("the 2 keys that can be read"))
        #expect(try place.settings() == broken)
        let told = try place.run("check", "-s", "player", "--json").object()
        let error = try #require((told["findings"] as? [[String: Any]])?.first { $0["line"] as? Int == 3 })
        #expect(error["severity"] as? String == "error" && error["column"] as? Int == 12)
        #expect((error["recoverySuggestion"] as? String)?.contains("the 2 keys that can be read") == true)
        #expect(error["isRepairable"] as? Bool == true)
        let repaired = try place.run("check", "-s", "player", "--repair", "--json")
        #expect(try repaired.status == 0 && kinds(repaired).contains("damagedCopy"))
        #expect(repaired.output.contains("the new one has 2 keys"))
        #expect(repaired.output.contains("settings.json.damaged-1"))
        #expect(try String(contentsOfFile: place.file("settings.json.damaged-1"), encoding: .utf8) == broken)
        #expect(try place.run("read", "-s", "player").output == "volume\t0.5\non\ttrue\n")
    }

    @Test func `a key that stands twice is a warning with both places' file`() throws {
        try place.save("{\"a\": 1,\n \"a\": 2}")
        let run = try place.run("check", "-s", "player", "--json")
        #expect(try run.status == 2 && kinds(run).contains("duplicateKey"))
    }

    @Test func `modes and leftovers are found and mended`() throws {
        try place.shell(
            "cd \(place.path)/config/player && chmod 777 . && chmod 666 settings.json && echo x >.settings.json.tmp"
        )
        let found = try place.run("check", "-s", "player", "--json")
        #expect(try kinds(found) == ["insecureDirectory", "mode", "mode", "leftover"])
        #expect(found.status == 2)
        let mended = try place.run("check", "-s", "player", "--repair", "--json")
        #expect(try mended.status == 0 && kinds(mended) == ["mode", "mode"])
        #expect(try place.run("read", "volume", "-s", "player").output == "0.5\n")
    }

    @Test func `what never was a settings file is repaired with --force alone`() throws {
        let notes = place.path + "/notes"
        try Data("root:x:0:0\n".utf8).write(to: URL(filePath: notes))
        let check = try place.run("check", "-f", notes)
        #expect(check.status == 2 && check.output.contains("this is no settings file"))
        #expect(!check.errors.contains("--repair"))
        let read = try place.run("read", "-f", notes)
        #expect(
            read.status == 2 && read.errors.contains("this is no settings file")
                && !read.errors.contains("--repair"))
        let refused = try place.run("check", "--repair", "-f", notes)
        #expect(refused.status == 2 && refused.errors.contains("--force"))
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "root:x:0:0\n")
        #expect(try place.run("check", "--repair", "--force", "-f", notes).status == 0)
        #expect(try String(contentsOfFile: notes + ".damaged-1", encoding: .utf8) == "root:x:0:0\n")
    }

    @Test(arguments: [
        "read", "read a", "check", "explain a", "dump", "path", "list -d .",
    ])
    func `to look makes nothing`(command: String) throws {
        let folder = place.path + "/looked"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("{\"a\": 1}".utf8).write(to: URL(filePath: folder + "/s.json"))
        let place_ = command.hasPrefix("list") ? "" : "-f s.json"
        let run = try place.shell("cd \(folder) && chmod 700 . && defaultsctl \(command) \(place_)")
        #expect(run.status == 0, "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["s.json"])
    }

    @Test func `a watcher that makes nothing sees what others write`() throws {
        let folder = place.path + "/looked"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("{\"a\": 1}".utf8).write(to: URL(filePath: folder + "/s.json"))
        let run = try place.shell(
            """
            cd \(folder) && chmod 700 . && mkfifo out
            timeout 60 defaultsctl watch --initial -c 2 --json -f s.json >out & exec 3<out
            read -r first <&3; ls -A; defaultsctl write a 2 -f s.json; read -r second <&3
            defaultsctl write a 3 -f s.json; read -r third <&3; echo "$third"
            """)
        #expect(run.output.hasPrefix("out\ns.json\n"))
        #expect(run.output.contains(#""old":2"#) || run.output.contains(#""old": 2"#))
    }

    @Test(arguments: [".settings.json.tmp", ".settings.json.old"])
    func `a folder in a file's place is named, with what helps`(name: String) throws {
        try FileManager.default.createDirectory(
            atPath: place.file(name) + "/x", withIntermediateDirectories: true)
        let run = try place.run("check", "-s", "player")
        #expect(run.status == 2 && run.output.contains(name) && run.output.contains("Move it away."))
        try place.run("write", "k", "1", "-s", "player")
        let written = try place.run("check", "-s", "player", "--repair")
        #expect((written.output + written.errors).contains("ove it away"))
        try place.shell("rm -r \(place.file(name))")
        #expect(try place.run("check", "-s", "player", "--repair").status == 0)
    }

    @Test func `a pattern that takes too long is a warning`() throws {
        try place.save("{\"$schema\": \"./s.json\", \"name\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"}")
        try Data(#"{"properties": {"name": {"pattern": "^(a+)+$"}}}"#.utf8)
            .write(to: URL(filePath: place.file("s.json")))
        let run = try place.shell("chmod 600 \(place.file()); exec timeout 60 defaultsctl check -s player")
        #expect(run.status == 2 && run.output.contains("takes longer than five seconds"))
    }

    @Test func `a long list is checked by a long enum at once`() throws {
        let list = (0..<3_000).map { "\"x\($0)\"" }.joined(separator: ",")
        let choices = (0..<100_000).map { "\"y\($0)\"" }.joined(separator: ",")
        try place.save("{\"$schema\": \"./s.json\", \"l\": [\(list),\"y99999\"]}")
        try Data("{\"properties\": {\"l\": {\"items\": {\"enum\": [\(choices)]}}}}".utf8)
            .write(to: URL(filePath: place.file("s.json")))
        let run = try place.shell("chmod 600 \(place.file()); exec timeout 60 defaultsctl check -s player")
        #expect(run.status == 2 && run.output.contains("l[2999]: it has to be one of \"y0\", \"y1\""))
        #expect(!run.output.contains("takes longer") && !run.output.contains("l[3000]"))
    }

    @Test func `checking changes nothing`() throws {
        let list = "cd \(place.path)/config/player && ls -la --time-style=full-iso && cat settings.json"
        let before = try place.shell(list).output
        try place.run("check", "-s", "player")
        #expect(try place.shell(list).output == before)
    }
}
