/// What the tool knows of a program's keys by the schema that the settings name.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct SchemaCommandTests {
    private let place: Workplace

    /// As `writeSchema` writes it, on fewer lines.
    private static let schema = #"""
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {
        "$schema": {"type": "string"}, "$migrations": {"type": "array", "items": {"type": "string"}},
        "volume": {"type": "number", "minimum": 0, "maximum": 1, "description": "How loud it is.", "default": 0.5},
        "theme": {"enum": ["light", "dark"], "default": "light"},
        "port": {"type": "integer", "minimum": 1, "maximum": 65535, "default": 80},
        "editor.font": {"type": "string", "default": "Mono"}, "editor.size": {"type": "integer", "default": 12},
        "mute": {"type": "boolean"}, "recent": {"type": "array", "items": {"type": "string"}, "default": []},
        "window": {"type": "object", "properties": {"width": {"type": "integer"}}},
        "token": {"type": "string", "writeOnly": true, "description": "From\nthe provider."}
        }, "additionalProperties": OTHERS}
        """#

    init() throws {
        place = try Workplace()
        try place.save(
            #"{"$schema": "./s.json", "volume": 0.75, "editor.font": "Sans", "editors": 1, "token": "s3cret"}"#
        )
        try writeSchema()
    }

    private func writeSchema(allowsOthers: Bool = true) throws {
        let schema = Self.schema.replacing("OTHERS", with: "\(allowsOthers)")
        try Data(schema.utf8).write(to: URL(filePath: place.file("s.json")))
    }

    // MARK: Looking

    @Test func `describe says what a key is for, what it allows, its default and its value`() throws {
        let run = try place.run("describe", "volume", "-s", "player")
        #expect(
            run
                == .init(
                    status: 0,
                    output: """
                        volume
                          How loud it is.
                          allowed: number from 0 to 1
                          default: 0.5
                          value: 0.75 (stored)

                        """, errors: ""))
        let json = try place.run("describe", "theme", "-s", "player", "--json").object()
        #expect(json["choices"] as? [String] == ["light", "dark"])
        #expect(json["default"] as? String == "light" && json["value"] == nil)
        #expect(json["allowed"] as? String == #"one of "light", "dark""#)
    }

    @Test func `describe without a key lists those that are settings, in the schema's order`() throws {
        let run = try place.run("describe", "-s", "player")
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(
            lines.map { String($0[0]) } == [
                "volume", "theme", "port", "editor.font", "editor.size", "mute", "recent", "window", "token",
            ])
        #expect(lines[0] == ["volume", "0.75", "0.5", "number from 0 to 1", "How loud it is."])
        #expect(lines[8] == ["token", "(hidden)", "", "text", #"From\nthe provider."#])
        let all = try #require(try place.run("describe", "-s", "player", "--json").json() as? [[String: Any]])
        #expect(all.count == 9 && all[8]["isHidden"] as? Bool == true && all[8]["value"] == nil)
    }

    @Test func `a mistyped key is status 1 with the one that was meant, no schema status 66`() throws {
        let run = try place.run("describe", "prot", "-s", "player")
        #expect(run.status == 1 && run.errors.contains("the schema has no key prot; did you mean port?"))
        try place.save("{}")
        let none = try place.run("describe", "-s", "player")
        #expect(none.status == 66 && none.errors.contains("name no schema"))
        let file = place.file("s.json")
        #expect(try place.run("describe", "port", "-s", "player", "--schema", file).output.contains("65535"))
        try place.save(#"{"$schema": "https://a.example/s.json"}"#)
        #expect(try place.run("docs", "-s", "player").status == 66)
        try place.save(#"{"$schema": "./none.json"}"#)
        #expect(try place.run("describe", "-s", "player").status == 65)
    }

    @Test(arguments: [
        ("LOUD", ["volume"]), ("light", ["theme"]), ("EDITOR", ["editor.font", "editor.size", "editors"]),
        ("sans", ["editor.font"]), ("provider", ["token"]),
    ])
    func `find looks at names, descriptions, choices and values`(text: String, keys: [String]) throws {
        let run = try place.run("find", text, "-s", "player")
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) } == keys)
    }

    @Test func `find does not look at hidden values, and works without a schema`() throws {
        #expect(try place.run("find", "s3cret", "-s", "player").status == 1)
        #expect(
            try place.run("find", "s3cret", "-s", "player", "--reveal").output.hasPrefix("token\t\"s3cret\""))
        try place.save(#"{"a": "word"}"#)
        #expect(try place.run("find", "WORD", "-s", "player").output == "a\t\"word\"\n")
        let none = try place.run("find", "x", "-s", "player")
        #expect(none.status == 1 && none.errors.contains("nothing is about x"))
    }

    @Test func `explain --all has the domain and the place of each value`() throws {
        let run = try place.run("explain", "--all", "-s", "player", "--environment", "APP_")
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("volume\t0.75\tstored\t") && lines[0].hasSuffix("settings.json:1:35"))
        #expect(lines[1] == "theme\t\"light\"\tschema")
        #expect(lines.contains { $0.hasPrefix("token\t(hidden)\tstored") })
        #expect(!run.output.contains("mute") && !run.output.contains("$schema"))
        let all = try #require(
            try place.run("explain", "--all", "-s", "player", "--json").json() as? [[String: Any]])
        #expect(all[0]["key"] as? String == "volume" && all[0]["line"] as? Int == 1)
        #expect(all[1]["domain"] as? String == "schema" && all[1]["applies"] as? Bool == false)
        #expect(try place.run("explain", "--all", "volume", "-s", "player").status == 64)
        #expect(try place.run("explain", "-s", "player").status == 64)
    }

    @Test func `read of a key that is not stored says the schema's default`() throws {
        let run = try place.run("read", "port", "-s", "player")
        #expect(run.status == 1 && run.output == "")
        #expect(run.errors == "defaultsctl: there is no value for port; the schema's default is 80\n")
        #expect(
            try place.run("read", "mute", "-s", "player").errors.contains("the schema has no default for it"))
        #expect(try place.run("read", "prot", "-s", "player").errors.contains("did you mean port?"))
        let explained = try place.run("explain", "port", "-s", "player")
        #expect(explained.status == 1 && explained.errors.contains("port; the schema's default is 80"))
    }

    @Test func `docs is a table in which nothing is markup`() throws {
        let run = try place.run("docs", "--markdown", "-s", "player")
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 11)
        #expect(lines[2] == "| `volume` | number from 0 to 1 | `0.5` | How loud it is. |")
        #expect(lines[10] == "| `token` | text |  | From the provider. |")
        try Data(
            #"""
            {"properties": {"a`|b": {"description": "<b>|*x*\u001b[2J\u202e", "default": "`|`"}}}
            """#.utf8
        ).write(to: URL(filePath: place.file("s.json")))
        let hostile = try place.run("docs", "-s", "player").output.split(separator: "\n").map(String.init)
        #expect(
            hostile.last
                == #"| ``a`\|b`` | anything | ``"`\|`"`` | &lt;b>\|\*x\*\\u001B\[2J\\u202E |"#)
    }

    // MARK: Changing

    @Test(arguments: [
        (["volume", "2"], "volume: it has to be at most 1"),
        (["volume", "loud"], "volume: it has to be of type number"),
        (["theme", "blue"], #"theme: it has to be one of "light", "dark""#),
        (["window", #"{"width": "wide"}"#], "at window.width: it has to be of type integer"),
        (["token", "5"], "token: it has to be of type string"),
    ])
    func `write refuses what the schema does not allow and says what it does`(
        words: [String], reason: String
    ) throws {
        let before = try place.settings()
        let run = try place.run("write", words[0], words[1], "-s", "player")
        #expect(run.status == 65)
        #expect(run.errors.contains("the schema does not allow this value of \(words[0]): "))
        #expect(run.errors.contains(reason) && run.errors.contains("--force"))
        #expect(try place.settings() == before)
        #expect(try place.run("write", words[0], words[1], "--force", "-s", "player").status == 0)
        #expect(try place.settings() != before)
    }

    @Test
    func `a key that the schema does not have is stored with a note, or refused, and names the one meant`()
        throws
    {
        let run = try place.run("write", "prot", "80", "-s", "player")
        #expect(run.status == 0)
        #expect(run.errors == "defaultsctl: note: the schema has no key prot; did you mean port?\n")
        #expect(try place.run("write", "something", "80", "-s", "player").errors == "")
        try writeSchema(allowsOthers: false)
        let refused = try place.run("write", "prot", "81", "-s", "player")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("the schema has no such key; did you mean port?"))
        #expect(try place.run("write", "$history", #"{"versions": 2}"#, "-s", "player").status == 0)
    }

    @Test func `modify refuses a sum that the schema does not allow`() throws {
        let run = try place.run("modify", "volume", "--by", "0.5", "-s", "player")
        #expect(run.status == 65 && run.errors.contains("at most 1") && run.output == "")
        #expect(try place.run("read", "volume", "-s", "player").output == "0.75\n")
        #expect(
            try place.run("modify", "volume", "--by", "0.5", "--force", "-s", "player").output == "1.25\n")
        #expect(try place.run("modify", "recent", "--append", "5", "-s", "player").status == 65)
        #expect(
            try place.run("modify", "volum", "--increment", "-s", "player").errors.contains("mean volume?"))
    }

    @Test func `load stores nothing if the schema refuses something, and a plan says all of it`() throws {
        let input = #"{"volume": 2, "port": 0, "theme": "dark", "prto": 1}"#
        let before = try place.settings()
        let run = try place.run("load", "-s", "player", input: input)
        #expect(run.status == 65 && run.errors.contains("volume: it has to be at most 1"))
        #expect(
            run.errors.contains(
                "problem: the schema does not allow this value of port: it has to be at least 1"))
        #expect(try place.settings() == before)
        let plan = try place.run("load", "--plan", "--json", "-s", "player", input: input)
        let problems = try #require(try plan.object()["problems"] as? [[String: Any]])
        #expect(plan.status == 65 && problems.map { $0["key"] as? String } == ["volume", "port"])
        #expect(problems.allSatisfy { $0["code"] as? String == "schema" })
        let forced = try place.run("load", "--force", "-s", "player", input: input)
        #expect(forced.status == 0 && forced.output == "4 set, 0 removed, 0 unchanged\n")
        let noted = try place.run("load", "-s", "player", input: #"{"thme": "dark"}"#)
        #expect(noted.status == 0 && noted.errors.contains("did you mean theme?"))
    }

    @Test func `a schema that cannot be used refuses nothing, which is said`() throws {
        try Data("{".utf8).write(to: URL(filePath: place.file("s.json")))
        let run = try place.run("write", "volume", "2", "-s", "player")
        #expect(run.status == 0 && run.errors.contains("so nothing is checked by it"))
    }

    @Test func `a pattern that takes too long refuses nothing, which is said`() throws {
        try Data(#"{"properties": {"name": {"pattern": "^(a+)+$"}}}"#.utf8)
            .write(to: URL(filePath: place.file("s.json")))
        let run = try place.run("write", "name", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "-s", "player")
        #expect(run.status == 0 && run.errors.contains("takes longer than five seconds"))
    }

    @Test func `reset removes a key and those below it, and shows what applies then`() throws {
        let plan = try place.run("reset", "editor", "--plan", "-s", "player")
        #expect(plan.status == 0 && plan.output == "editor.font: \"Sans\" -> (none)\n")
        let run = try place.run("reset", "editor", "-s", "player")
        #expect(run == .init(status: 0, output: "editor.font: \"Sans\" -> \"Mono\"\n", errors: ""))
        #expect(try place.run("read", "editors", "-s", "player").output == "1\n")
        let secret = try place.run("reset", "token", "-s", "player", "--json")
        #expect(secret.status == 0 && !secret.output.contains("s3cret") && secret.output.contains("isHidden"))
        let none = try place.run("reset", "volme", "-s", "player")
        #expect(none.status == 1 && none.errors.contains("did you mean volume?"))
        #expect(try place.run("reset", "$", "-s", "player").status == 1)
        #expect(try place.settings().contains("$schema"))
    }

    @Test func `a mistyped command is named, with the one that was meant`() throws {
        let run = try place.run("raed", "volume", "-s", "player")
        #expect(run.status == 64)
        #expect(run.errors == "defaultsctl: there is no command raed; did you mean read?\n")
        #expect(
            try place.run("frobnicate").errors
                == "defaultsctl: there is no command frobnicate; --help lists them\n")
        #expect(try place.run("help", "read").status == 0)
        #expect(try place.run("raed\u{1B}[2J").errors.contains(#"raed\u001B[2J"#))
    }

    @Test(arguments: [
        ("describe", "k\u{1B}[2J\u{202E}"), ("describe", "--json"), ("find", "x"), ("explain", "--all"),
        ("docs", "--markdown"),
    ])
    func `names and texts of a schema cannot command a terminal`(command: String, argument: String) throws {
        let schema = #"""
            {"properties": {"k\u001b[2J\u202e": {"description": "\u001b[31m\u2028x", "enum": ["\u0007"],
             "default": "\u200f"}}}
            """#
        try Data(schema.utf8).write(to: URL(filePath: place.file("s.json")))
        let terminal = try Terminal(place, command, argument, "-s", "player", columns: 200)
        let (status, screen) = try terminal.end()
        #expect(status == 0)
        #expect(screen.contains(#"\u001B[2J"#))
        #expect(
            !screen.unicodeScalars.contains { "\u{7}\u{202E}\u{200F}\u{2028}".unicodeScalars.contains($0) })
        #expect(!screen.contains("\u{1B}[2J") && !screen.contains("\u{1B}[31m"))
    }
}
