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

    @Test func `the domains stand in their order, and the one that counts is marked`() throws {
        let run = try place.run(
            "explain", "volume", "-s", "player", "--defaults", place.path + "/defaults.json", "--environment",
            "APP_",
            environment: ["APP_VOLUME": "0.7"])
        #expect(
            run.output == """
                   managed      -
                   arguments    -
                *  environment  0.7  variable APP_VOLUME\(blanks(place.file().count + 5 - 19))  counts
                   transient    -
                   stored       0.5  \(place.file()):2:13  masked by environment
                   registered   0.1  register(defaults:)\(blanks(place.file().count + 5 - 19))  masked by environment

                """)
        #expect(run.status == 0)
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

    @Test func `as JSON each has its place and whether it counts`() throws {
        let run = try place.run(
            "explain", "volume", "-s", "player", "--managed", place.path + "/managed.json", "--json")
        let all = try #require(try run.json() as? [[String: Any]])
        #expect(all.map { $0["domain"] as? String } == ["managed", "stored"])
        #expect(all.map { $0["counts"] as? Bool } == [true, false])
        #expect(all.map { $0["text"] as? String } == ["1", "0.5"])
        #expect(all.map { $0["line"] as? Int } == [1, 2])
        #expect(all.map { $0["column"] as? Int } == [12, 13])
        #expect(all.map { $0["path"] as? String } == [place.path + "/managed.json", place.file()])
        #expect(all.last?["place"] as? String == place.file() + ":2:13")
        #expect(all.last?["outcome"] as? String == "masked by managed")
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
                == "volume  0.5\ntheme   \"dark\"  registered\n")
    }
}
