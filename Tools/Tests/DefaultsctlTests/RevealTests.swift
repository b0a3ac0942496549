/// What the settings' schema calls `writeOnly` is not shown unless that is asked for.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct RevealTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.save(
            #"{"$schema": "./s.json", "token": "s3cret", "volume": 0.5, "account": {"name": "ann", "pin": 4711}, "n": 1}"#
        )
        try schema(
            #"""
            {"properties": {"token": {"type": "string", "writeOnly": true}, "volume": {"writeOnly": false},
             "account": {"properties": {"pin": {"writeOnly": true}}}},
             "allOf": [{"properties": {"n": {"items": {"anyOf": [{"writeOnly": true}]}}}}]}
            """#)
    }

    private func schema(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: place.file("s.json")))
    }

    private let note =
        "defaultsctl: note: hidden, because the schema has it writeOnly: token, account, n; --reveal shows it\n"

    @Test func `a plan shows that a value changes, and not which it is`() throws {
        let input = #"{"token": "n3w", "volume": 1}"#
        let run = try place.run("load", "--plan", "-s", "player", input: input)
        #expect(
            run == .init(status: 0, output: "token: (hidden) -> (hidden)\nvolume: 0.5 -> 1\n", errors: ""))
        let json = try place.run("load", "--plan", "-s", "player", "--json", input: input)
        #expect(json.output.contains("\"isHidden\": true"))
        #expect(!json.output.contains("s3cret") && !json.output.contains("n3w"))
        let shown = try place.run("load", "--plan", "--reveal", "-s", "player", input: input)
        #expect(shown.output.contains(#"token: "s3cret" -> "n3w""#))
    }

    @Test func `read shows that there is a value, and as JSON leaves it out with a note`() throws {
        let run = try place.run("read", "-s", "player")
        #expect(
            run
                == .init(
                    status: 0, output: "token\t(hidden)\nvolume\t0.5\naccount\t(hidden)\nn\t(hidden)\n",
                    errors: ""))
        #expect(
            try place.run("read", "-s", "player", "--json")
                == .init(status: 0, output: "{\n  \"volume\": 0.5\n}\n", errors: note))
        #expect(try place.run("read", "-s", "player", "--reveal").output.contains("\"s3cret\""))
    }

    @Test func `one that is asked for is status 77, and shown with reveal`() throws {
        for more in [[], ["--json"]] {
            let run = try place.shell("defaultsctl read token -s player \(more.joined())")
            #expect(run.status == 77 && run.output == "" && run.errors.contains("--reveal shows it"))
        }
        #expect(try place.run("read", "token", "-s", "player", "--reveal").output == "s3cret\n")
        #expect(try place.run("read", "none", "-s", "player").status == 1)
    }

    @Test func `a dump leaves it out, and loading that dump leaves it where it is`() throws {
        let dump = try place.run("dump", "-s", "player")
        #expect(try dump.object().keys.sorted() == ["$schema", "volume"])
        #expect(dump.errors == note)
        try place.run("write", "more", "1", "-s", "player")
        let load = try place.run("load", "--replace", "-s", "player", input: dump.output)
        #expect(load.output == "0 set, 1 removed, 2 unchanged\n")
        let whole = try place.run("dump", "-s", "player", "--reveal")
        #expect(try whole.object()["token"] as? String == "s3cret" && whole.errors == "")
    }

    @Test func `explain has its domains and places, without the text`() throws {
        let run = try place.run(
            "explain", "token", "-s", "player", "--environment", "APP_", environment: ["APP_TOKEN": "s3cret"])
        #expect(run.output.contains("*\tenvironment\t(hidden)\tvariable APP_TOKEN\tapplies\n"))
        #expect(
            run.output.contains("\tstored\t(hidden)\t\(place.file()):1:") && !run.output.contains("s3cret"))
        let json = try place.run("explain", "token", "-s", "player", "--json")
        let only = try #require((try json.json() as? [[String: Any]])?.first)
        #expect(only["isHidden"] as? Bool == true && only["text"] == nil && only["line"] as? Int == 1)
        let all = try place.run("explain", "token", "-s", "player", "--json", "--reveal")
        #expect(all.output.contains("s3cret") && !all.output.contains("isHidden"))
    }

    @Test func `watch tells of the change and not of the values`() throws {
        let json = try Stream(place, "watch", "-s", "player", "--json", "--initial")
        let lines = try Stream(place, "watch", "token", "-s", "player", "--initial", "-c", "2")
        let all = try Stream(place, "watch", "token", "-s", "player", "--initial", "--reveal", "-c", "1")
        let first = try (0..<4).map { _ in try json.object() }.filter { $0["key"] as? String == "token" }
        #expect(first.count == 1 && first.first?["new"] == nil && first.first?["isHidden"] as? Bool == true)
        #expect(try lines.line().hasSuffix("  token  (hidden)  now"))
        #expect(try all.line().contains("\"s3cret\""))
        try place.run("write", "token", "other", "-s", "player")
        let change = try json.object()
        #expect(change["old"] == nil && change["new"] == nil && change["isHidden"] as? Bool == true)
        #expect(try lines.line().contains("  token  (hidden) → (hidden)  process "))
        #expect(try all.line().contains("\"s3cret\" → \"other\""))
        try place.run("delete", "token", "-s", "player")
        #expect(try lines.line().contains("  token  (hidden) → (none)  process "))
    }

    @Test func `modify says that it has no word of the new value`() throws {
        let run = try place.run("modify", "n", "--increment", "-s", "player")
        #expect(run.status == 0 && run.output == "" && run.errors.contains("writeOnly: n; --reveal"))
        #expect(try place.run("modify", "n", "--increment", "-s", "player", "--reveal").output == "3\n")
    }

    @Test(arguments: ["{", nil] as [String?])
    func `a schema that cannot be read hides nothing, and that is said`(_ text: String?) throws {
        if let text { try schema(text) } else { try place.shell("rm \(place.file("s.json"))") }
        let run = try place.run("read", "token", "-s", "player")
        #expect(run.output == "s3cret\n" && run.errors.contains("warning: "))
        #expect(run.errors.hasSuffix(", so no value is hidden\n"))
    }

    @Test func `of a broken file the salvaged rest is hidden too`() throws {
        try place.save("{\n  \"$schema\": \"./s.json\",\n  \"token\": \"s3cret\",\n  oops\n}\n")
        let run = try place.run("explain", "token", "-s", "player")
        #expect(run.output.contains("(hidden)") && !(run.output + run.errors).contains("s3cret"), "\(run)")
    }
}
