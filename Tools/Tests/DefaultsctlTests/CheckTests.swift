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
        return findings.compactMap { $0["kind"] as? String }
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
        #expect(error["weight"] as? String == "error" && error["column"] as? Int == 12)
        #expect((error["remedy"] as? String)?.contains("the 2 keys that can be read") == true)
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

    @Test func `checking changes nothing`() throws {
        let list = "cd \(place.path)/config/player && ls -la --time-style=full-iso && cat settings.json"
        let before = try place.shell(list).output
        try place.run("check", "-s", "player")
        #expect(try place.shell(list).output == before)
    }
}
