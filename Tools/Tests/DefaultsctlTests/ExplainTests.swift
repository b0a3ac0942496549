/// `explain`: every domain, the winner marked.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ExplainTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.save("{\n  \"volume\": 0.5\n}\n")
        try Data("{\"volume\": 0.1, \"theme\": \"dark\"}".utf8).write(
            to: URL(filePath: place.path + "/defaults.json"))
        try Data("{\"volume\": 1}".utf8).write(to: URL(filePath: place.path + "/managed.json"))
        try place.shell("chmod 700 \(place.path); chmod 600 \(place.path)/*.json")
    }

    @Test func `the domains stand in their order, and the one that applies is marked`() throws {
        let run = try place.run(
            "explain", "volume", "-s", "player", "--defaults", place.path + "/defaults.json", "--environment",
            "APP_",
            environment: ["APP_VOLUME": "0.7"])
        #expect(
            run.output == """
                \tmanaged\t-
                \targuments\t-
                *\tenvironment\t0.7\tvariable APP_VOLUME\tapplies
                \ttransient\t-
                \tstored\t0.5\t\(place.file()):2:13\tmasked by environment
                \tregistered\t0.1\t\(place.path)/defaults.json:1:12\tmasked by environment

                """)
        #expect(run.status == 0)
    }

    @Test func `as JSON each has its place and whether it applies`() throws {
        let run = try place.run(
            "explain", "volume", "-s", "player", "--managed", place.path + "/managed.json", "--json")
        let all = try #require(try run.json() as? [[String: Any]])
        #expect(all.map { $0["domain"] as? String } == ["managed", "stored"])
        #expect(all.map { $0["applies"] as? Bool } == [true, false])
        #expect(all.map { $0["text"] as? String } == ["1", "0.5"])
        #expect(all.map { $0["line"] as? Int } == [1, 2])
        #expect(all.map { $0["column"] as? Int } == [12, 13])
        #expect(all.map { $0["path"] as? String } == [place.path + "/managed.json", place.file()])
        #expect(all.last?["location"] as? String == place.file() + ":2:13")
        #expect(all.last?["outcome"] as? String == "masked by managed")
    }

    @Test func `the system's folders are named file by file where they are asked for`() throws {
        try place.shell("mkdir -p -m 700 \(place.path)/xdg/player/defaults.d")
        for (name, number) in [("defaults.json", 1), ("defaults.d/50-site.json", 2)] {
            try Data("{\"size\": \(number)}".utf8).write(
                to: URL(filePath: "\(place.path)/xdg/player/\(name)"))
        }
        try place.shell("chmod -R go-w \(place.path)/xdg")
        let run = try place.run(
            "explain", "size", "-s", "player", "--system-defaults", "--json",
            environment: ["XDG_CONFIG_DIRS": place.path + "/xdg"])
        let all = try #require(try run.json() as? [[String: Any]])
        #expect(all.map { $0["text"] as? String } == ["2", "1"])
        #expect(all.map { $0["applies"] as? Bool } == [true, false])
        let places = all.compactMap { $0["location"] as? String }
        #expect(places.first?.contains("xdg/player/defaults.d/50-site.json") == true)
        #expect(places.last?.contains("xdg/player/defaults.json") == true)
        #expect(try place.run("explain", "size", "-s", "player").status == 1)
    }

    @Test func `a key that no domain has is status 1`() throws {
        let run = try place.run("explain", "none", "-s", "player", "--json")
        #expect(run.status == 1 && run.output == "[]\n")
    }

    @Test func `read follows the same domains`() throws {
        let file = place.path + "/defaults.json"
        #expect(try place.run("read", "theme", "-s", "player", "--defaults", file).output == "dark\n")
        #expect(
            try place.run("read", "-s", "player", "--defaults", file).output
                == "volume\t0.5\ntheme\t\"dark\"\tregistered\n")
    }

    /// What a person may have put around the values, and the places of those.
    private static let files: [(text: String, line: Int, column: Int)] = [
        ("{\"x\": {\"k\": [1, \"k\"]}, \"k\":  2}", 1, 30),
        ("// a \"k\": 0\n{\n  /* \"k\": 1, */ \"x\": \"a\\\"k\\\": \", // {\n  \"k\": 2,\n}\n", 4, 8),
        ("\u{FEFF}{\r\n\"日本\": 1, \"\\u006b\": 2}", 2, 20), ("{\"k\":\n\n2}", 3, 1),
        ("{\"a\": [], \"k\":2}", 1, 15),
    ]

    @Test(arguments: files)
    func `a default of a file has that file's line and column`(text: String, line: Int, column: Int) throws {
        try Data(text.utf8).write(to: URL(filePath: place.path + "/d.json"))
        let run = try place.run(
            "explain", "k", "-s", "player", "--defaults", place.path + "/d.json", "--json")
        let only = try #require((try run.json() as? [[String: Any]])?.first)
        #expect(only["text"] as? String == "2" && only["path"] as? String == place.path + "/d.json")
        #expect(only["line"] as? Int == line && only["column"] as? Int == column)
        #expect(only["location"] as? String == "\(place.path)/d.json:\(line):\(column)")
    }

    @Test func `defaults may come through a pipe, and are told as that`() throws {
        let run = try place.shell(#"echo '{"k": 1}' | defaultsctl explain k -s player --defaults -"#)
        #expect(run.output.hasSuffix("*\tregistered\t1\tstandard input:1:7\tapplies\n"), "\(run)")
    }
}
