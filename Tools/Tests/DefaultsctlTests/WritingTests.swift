/// `write`, `delete`, `modify`, `load`: what is stored afterwards.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct WritingTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private func stored() throws -> String {
        try place.run("dump", "-s", "player").output.split(separator: "\n").joined().replacing("  ", with: "")
    }

    @Test(arguments: [
        ("0.5", "0.5"), ("true", "true"), ("null", "null"), ("dark", #""dark""#),
        ("two words", #""two words""#),
        (#""1""#, #""1""#), ("-5", "-5"), (#"{"a": [1]}"#, "{\n    \"a\": [1]\n  }"), ("007", #""007""#),
        ("", #""""#),
    ])
    func `a value is JSON, or a bare word`(word: String, text: String) throws {
        #expect(try place.run("write", "k", word, "-s", "player") == .init(status: 0, output: "", errors: ""))
        #expect(try place.settings() == "{\n  \"k\": \(text)\n}\n")
    }

    @Test(arguments: [
        ("string", "5", #""5""#), ("int", "5", "5"), ("double", "2e3", "2e3"), ("bool", "YES", "true"),
        ("bool", "off", "false"), ("bool", "y", "true"), ("bool", "F", "false"),
        ("json", "[1]", "[1]"), ("date", "2024-02-29T12:00:00.5Z", #""2024-02-29T12:00:00.5Z""#),
        ("data", "aGVsbG8=", #""aGVsbG8=""#), ("null", "null", "null"),
        ("url", "https://a.example", #""https://a.example""#),
        ("url", "http://u:p@[::1]:80/a?b#c", #""http://u:p@[::1]:80/a?b#c""#),
        ("url", "mailto:ann@a.example", #""mailto:ann@a.example""#), ("url", "file:///a", #""file:///a""#),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", #""123E4567-E89B-12D3-A456-426614174000""#),
        ("string", "--flag", #""--flag""#),
    ])
    func `a type says what a word is`(type: String, word: String, text: String) throws {
        #expect(try place.run("write", "k", word, "--type", type, "-s", "player").status == 0)
        #expect(try place.settings() == "{\n  \"k\": \(text)\n}\n")
    }

    @Test(arguments: [
        ("int", "0.5"), ("int", "x"), ("int", "99999999999999999999"), ("int", "18446744073709551616"),
        ("int", "-9223372036854775809"), ("double", "x"), ("double", "1e309"), ("double", "-1e309"),
        ("bool", "maybe"), ("json", "dark"),
        ("date", "2023-02-29T12:00:00Z"),
        ("date", "today"), ("data", "a"), ("uuid", "1"), ("url", "x"), ("null", "0"),
        ("url", "http://["), ("url", "http://a:z/b"), ("url", "http://a b"), ("url", "http://a<b"),
    ])
    func `a word that is not of the type is status 65 and nothing is stored`(type: String, word: String)
        throws
    {
        let run = try place.run("write", "k", word, "--type", type, "-s", "player")
        #expect(run.status == 65 && run.errors.hasPrefix("defaultsctl: "))
        #expect(!FileManager.default.fileExists(atPath: place.file()))
    }

    @Test(arguments: ["write k 5", "modify k --by 5"])
    func `what is written beside a damaged file is kept, and the tool says where and how to mend it`(
        command: String
    ) throws {
        try place.run("write", "volume", "0.5", "-s", "player")
        let broken = "{\n  \"volume\": 0.5,\n  \"k\": 0,\n  \"theme\": oops\n}\n"
        try place.save(broken)
        let run = try place.shell("defaultsctl \(command) -s player")
        #expect(run.status == 0)
        #expect(run.errors.contains("\(place.file()):4:12") && run.errors.contains("is damaged"))
        #expect(run.errors.contains("kept in the journal") && run.errors.contains("\"edit\""))
        #expect(run.errors.contains("\"check --repair\""))
        #expect(try place.settings() == broken)
        try place.save(broken.replacing("oops", with: "\"dark\""))
        #expect(try place.run("read", "k", "-s", "player").output == "5\n")
    }

    @Test func `a file that never was a settings file is status 2, stays, and gets nothing beside it`()
        throws
    {
        let notes = place.path + "/notes.txt"
        try Data("hello\n".utf8).write(to: URL(filePath: notes))
        for _ in 0..<2 {
            let run = try place.run("write", "a", "1", "-f", notes)
            #expect(run.status == 2 && run.output == "")
            #expect(run.errors.contains("is no settings file, so nothing was written"))
            #expect(!run.errors.contains("--repair"))
        }
        let folder = URL(filePath: notes).deletingLastPathComponent().path
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasPrefix(".") })
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "hello\n")
    }

    @Test func `no folder is made on a path that leads out of it again`() throws {
        let run = try place.run("write", "a", "1", "-f", place.path + "/nope/../s.json")
        #expect(run.status == 74)
        #expect(!FileManager.default.fileExists(atPath: place.path + "/nope"))
        #expect(!FileManager.default.fileExists(atPath: place.path + "/s.json"))
    }

    @Test func `what begins as a list or object has to be one`() throws {
        let run = try place.run("write", "k", "{\"a\": 1,, }", "-s", "player")
        #expect(run.status == 65 && run.errors.contains("at 1:9"))
    }

    @Test(arguments: ["--tpye=int", "-x"])
    func `a mistyped option is no value`(_ word: String) throws {
        #expect(try place.run("write", "k", word, "-s", "player").status == 64)
    }

    @Test func `of several words the refusal says at once how they could be one value`() throws {
        let run = try place.run("write", "k", "a", "b", "-s", "player")
        #expect(run.status == 64)
        #expect(run.errors.contains("quote it where it has blanks, and add --type string"))
    }

    @Test(arguments: [
        ("--colour red", "--colour"), ("a -x", "-x"), ("0.5 --managed /tmp/m.json", "--managed"),
        ("0.5 --environment=APP_", "--environment"), ("0.5 --json", "--json"),
    ])
    func `an option that write does not have is named`(words: String, option: String) throws {
        let run = try place.shell("defaultsctl write k \(words) -s player")
        #expect(run.status == 64, "\(run)")
        #expect(
            run.errors.contains(
                "\"write\" has no option \(option); where it is part of the value, quote the value and add --type string"
            ))
        #expect(!FileManager.default.fileExists(atPath: place.file()))
    }

    @Test(arguments: ["9223372036854775807", "18446744073709551615", "-9223372036854775808"])
    func `an int is one that programs have a type for`(_ word: String) throws {
        #expect(try place.run("write", "k", word, "--type", "int", "-s", "player").status == 0)
        #expect(try stored() == "{\"k\": \(word)}")
    }

    @Test(arguments: ["9223372036854775807", "18446744073709551615"])
    func `a sum that no program has a type for is refused, and nothing is changed`(_ word: String) throws {
        try place.run("write", "k", word, "-s", "player")
        let run = try place.run("modify", "k", "--by", "18446744073709551615", "-s", "player")
        #expect(run.status == 65 && run.errors.contains("too large"))
        #expect(try stored() == "{\"k\": \(word)}")
        // One that was larger before is somebody's own.
        try place.run("write", "k", "99999999999999999999", "-s", "player")
        #expect(
            try place.run("modify", "k", "--increment", "-s", "player").output == "100000000000000000000\n")
    }

    @Test func `a value from standard input is in no complaint`() throws {
        let run = try place.run("write", "k", "-", "-s", "player", "-t", "int", input: "s3cret\n")
        #expect(
            run.status == 65 && run.errors.contains("the value is no int") && !run.errors.contains("s3cret"))
    }

    @Test(arguments: [("-x", #""-x""#), ("--suite", #""--suite""#), ("-5", "-5"), ("dark", #""dark""#)])
    func `what stands behind two dashes is a value`(word: String, text: String) throws {
        #expect(try place.run("write", "k", "-s", "player", "--", word).status == 0)
        #expect(try place.settings() == "{\n  \"k\": \(text)\n}\n")
    }

    @Test(arguments: [
        ("k --verbose", "k", "--verbose"), ("k -", "k", "-"), ("--weird 5", "--weird", "5"),
        ("k --", "k", "--"),
        ("--key --value", "--key", "--value"),
    ])
    func `key and value may both stand behind two dashes`(words: String, key: String, value: String) throws {
        #expect(try place.shell("defaultsctl write -s player -- \(words)").status == 0)
        let stored = try place.run("dump", "-s", "player").object()
        #expect(stored.mapValues { "\($0)" } == [key: value])
    }

    @Test(arguments: ["--verbose -s player -- k", "k --verbose -s player --", "k 1 -s player -- 2"])
    func `two dashes make no value of what stands in front of them`(words: String) throws {
        #expect(try place.shell("defaultsctl write \(words)").status == 64)
        #expect(!FileManager.default.fileExists(atPath: place.file()))
    }

    @Test func `a value comes from standard input without its last line end`() throws {
        try place.run("write", "k", "-", "-s", "player", "-t", "string", input: "a\nb\n")
        #expect(try place.settings() == "{\n  \"k\": \"a\\nb\"\n}\n")
        try place.run("write", "k", "-", "-s", "player", "-t", "string", input: "a\r\n")
        #expect(try place.settings() == "{\n  \"k\": \"a\"\n}\n")
        try place.run("write", "k", "-", "-s", "player", "-t", "int", input: "5\r\n")
        #expect(try place.settings() == "{\n  \"k\": 5\n}\n")
    }

    @Test(arguments: [
        "load -s player", "load /dev/zero -s player", "write k - -s player",
        "read -s other --defaults /dev/zero",
        "check -s other --schema /dev/zero",
    ])
    func `an input without an end is status 65 and does not take all memory`(_ command: String) throws {
        try place.run("write", "a", "1", "-s", "other")
        let run = try place.shell("ulimit -v 3000000; exec timeout 60 defaultsctl \(command) </dev/zero")
        #expect(run.status == 65 && run.errors.contains("is larger than 268435456 bytes"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: place.file()))
    }

    @Test func `comments and other members of the file stay as they are`() throws {
        try place.save("{\n  // loud\n  \"volume\": 0.50,\n  \"theme\": \"dark\"\n}\n")
        try place.run("write", "theme", "light", "-s", "player")
        #expect(try place.settings() == "{\n  // loud\n  \"volume\": 0.50,\n  \"theme\": \"light\"\n}\n")
    }

    @Test func `keys are removed, all or none`() throws {
        try place.save(#"{"a": 1, "b": 2, "c": 3}"#)
        let refused = try place.run("delete", "a", "x", "-s", "player")
        #expect(refused.status == 1 && refused.errors.contains("x is not stored"))
        #expect(try stored() == #"{"a": 1,"b": 2,"c": 3}"#)
        #expect(try place.run("delete", "a", "b", "-s", "player").status == 0)
        #expect(try stored() == #"{"c": 3}"#)
        #expect(try place.run("delete", "x", "c", "--force", "-s", "player").status == 0)
        #expect(try stored() == "{}")
    }

    @Test(arguments: [
        ("null", "--increment", "n", "1"), ("41", "--increment", "k", "42"), ("0.1", "--by=0.2", "k", "0.3"),
        ("5", "--by=-7", "k", "-2"), ("1e2", "--by=1", "k", "101"), ("1.50", "--by=0.5", "k", "2"),
        ("99999999999999999999999", "--by=1", "k", "100000000000000000000000"),
        ("1e300", "--by=1e300", "k", "2e+300"),
        // Exponents at the ends of what an integer can be, and beyond.
        ("2e-9223372036854775808", "--increment", "k", "1"), ("1", "--by=2e-9223372036854775808", "k", "1"),
        ("null", "--by=2e-9223372036854775808", "n", "0"), ("5", "--by=1e-99999999999999999999", "k", "5"),
        ("true", "--toggle", "k", "false"), ("null", "--toggle", "n", "true"),
        ("[1]", "--append=a", "k", #"[1, "a"]"#), ("null", "--append=[2]", "n", "[[2]]"),
        ("[1, 2, 1]", "--remove=1", "k", "[2]"),
    ])
    func `a value is changed by what it is`(old: String, change: String, key: String, new: String) throws {
        try place.save("{\"k\": \(old)}")
        let run = try place.run("modify", key, change, "-s", "player", "--json")
        #expect(run.status == 0 && run.errors == "")
        #expect(try place.run("read", key, "-s", "player", "--json").output == run.output)
        #expect(
            run.output.split(separator: "\n").joined().replacing("  ", with: "").replacing(",", with: ", ")
                == new)
    }

    @Test(arguments: [("dark", "--increment"), ("1", "--toggle"), ("{}", "--append=1"), ("null", "--by=1")])
    func `a value of another kind is status 65 and stays`(old: String, change: String) throws {
        try place.run("write", "k", old, "-s", "player")
        let before = try place.settings()
        #expect(try place.run("modify", "k", change, "-s", "player").status == 65)
        #expect(try place.settings() == before)
    }

    @Test func `two that modify at once lose nothing`() throws {
        let loop = "for i in $(seq 25); do defaultsctl modify n --by 1 -s player || exit 1; done >/dev/null"
        let run = try place.shell(
            "(\(loop)) & (\(loop)) & wait %1 && wait %2 && defaultsctl read n -s player")
        #expect(run == .init(status: 0, output: "50\n", errors: ""))
    }

    @Test func `load stores an object, and keeps or removes what it does not have`() throws {
        try place.save(#"{"a": 1, "b": 2}"#)
        let merged = try place.run("load", "-s", "player", "--json", input: #"{"b": 3, "c": [1.50], "a": 1}"#)
        #expect(try merged.object() as? [String: Int] == ["set": 2, "removed": 0, "unchanged": 1])
        #expect(try stored().replacing(" ", with: "") == #"{"a":1,"b":3,"c":[1.50]}"#)
        let replaced = try place.run("load", "--replace", "-s", "player", input: #"{"b": 3, "d": "x"}"#)
        #expect(replaced.output == "1 set, 2 removed, 1 unchanged\n")
        #expect(try stored() == #"{"b": 3,"d": "x"}"#)
    }

    @Test func `load with a plan prints what would change, and stores nothing`() throws {
        let before = #"{"a": 1, "b": 2}"#
        try place.save(before)
        let plan = try place.run(
            "load", "--plan", "--replace", "-s", "player", input: #"{"b": 3, "c": "x\u001b[31m", "a": 1}"#)
        #expect(plan == .init(status: 0, output: "b: 2 -> 3\nc: (none) -> \"x\\u001B[31m\"\n", errors: ""))
        let removal = try place.run(
            "load", "--plan", "--replace", "-s", "player", "--json", input: "{\"b\": 2}")
        let object = try #require(try removal.object() as? [String: [Any]])
        let changes = try #require(object["changes"] as? [[String: Any]])
        #expect(changes.map { $0["key"] as? String } == ["a"] && changes.map { $0["old"] as? Int } == [1])
        #expect(changes.first?["new"] == nil)
        #expect(object["problems"]?.isEmpty == true && object["conflicts"]?.isEmpty == true)
        #expect(try place.settings() == before)
    }

    @Test func `to replace everything leaves in place that versions are kept`() throws {
        try place.run("write", "a", "1", "-s", "player")
        try place.run("history", "--keep", "9", "-s", "player")
        try place.run("load", "--replace", "-s", "player", input: "{\"b\": 1}")
        #expect(try place.run("read", "$history", "-s", "player").status == 0)
        #expect(try place.run("undo", "a", "-s", "player").output == "1\n")
    }

    @Test func `a plan for a suite that is not there makes none`() throws {
        let plan = try place.run("load", "--plan", "-s", "player", input: #"{"a": 1}"#)
        #expect(plan == .init(status: 0, output: "a: (none) -> 1\n", errors: ""))
        #expect(!FileManager.default.fileExists(atPath: place.path + "/config/player"))
    }

    @Test func `a plan ends with the status of the load, and names each problem`() throws {
        try place.save("{}")
        let long = String(repeating: "k", count: 65_536)
        let plan = try place.run(
            "load", "--plan", "-s", "player", input: "{\"a\": 2, \"\(long)1\": 1, \"\(long)2\": 1}")
        #expect(plan.status == 65 && plan.output == "a: (none) -> 2\n")
        #expect(plan.errors.components(separatedBy: "The key cannot be used").count == 3)
        #expect(try place.settings() == "{}")
    }

    @Test func `what dump prints, load takes again`() throws {
        let text = #"{"": 1, "k\ney": "v\u0000\u202E", "z": 1e400, "o": {"b": [], "a": {}}}"#.replacing(
            #""": 1, "#, with: "")
        try place.save(text)
        let dump = try place.run("dump", "-s", "player").output
        try place.run("load", "-s", "copy", input: dump)
        #expect(try place.run("dump", "-s", "copy").output == dump)
    }

    @Test(arguments: [
        ("{\n \"a\": 1,\n oops}", "standard input:3:2"), ("[1]", "one JSON object"),
        ("{\"a\": 1, \"a\": 2}", "twice"), ("", "1:1"),
    ])
    func `input that is no object is status 65 and stores nothing`(input: String, reason: String) throws {
        let run = try place.run("load", "-s", "player", input: input)
        #expect(run.status == 65 && run.errors.contains(reason))
        #expect(!FileManager.default.fileExists(atPath: place.file()))
    }

    @Test func `one member that cannot be stored keeps all others out`() throws {
        try place.save("{\"a\": 1}")
        let deep = String(repeating: "[", count: 129) + String(repeating: "]", count: 129)
        let run = try place.run("load", "-s", "player", input: "{\"a\": 2, \"b\": \(deep)}")
        #expect(run.status == 65)
        #expect(try place.settings() == "{\"a\": 1}")
    }

    @Test func `what would make the file too large is status 65, and a file that is too large status 2`()
        throws
    {
        try place.save(#"{"a": 1}"#)
        let load = try place.script(
            """
            part() { printf '"%s": "' $1; head -c 14000000 /dev/zero | tr '\\0' x; printf '", '; }
            (printf '{'; for n in a b c d e; do part $n; done; printf '"f": 1}') | defaultsctl load -s player
            """)
        let refused = try place.shell("sh \(load)")
        #expect(refused.status == 65 && refused.errors.contains("whole file under 64 MiB"))
        #expect(try place.settings() == #"{"a": 1}"#)
        try place.shell("truncate -s 67108865 \(place.file())")
        for line in ["read -s player", "write a 2 -s player"] {
            #expect(try place.shell("defaultsctl \(line)").status == 2)
        }
    }

    @Test func `a folder that everybody can write is status 77`() throws {
        try place.save("{}")
        try place.shell("chmod 777 \(place.path)/config/player")
        let run = try place.run("write", "a", "1", "-s", "player")
        #expect(run.status == 77 && run.errors.contains("chmod go-w"))
        #expect(try place.run("write", "a", "1", "-s", "player", "--allow-insecure-directory").status == 0)
    }

    @Test func `a write beside a writer that keeps the lock is status 75 and changes nothing`() throws {
        try place.run("write", "a", "1", "-s", "player")
        let before = try place.settings()
        let lock = place.file(".settings.json.lock")
        let run = try place.shell("flock \(lock) defaultsctl write a 2 -s player")
        #expect(run.status == 75 && run.errors.contains("Another writer kept the suite's lock"), "\(run)")
        #expect(try place.settings() == before)
        #expect(try place.run("read", "a", "-s", "player").output == "1\n")
    }

    @Test func `output that cannot be written is status 74`() throws {
        try place.save("{\"a\": 1}")
        #expect(try place.shell("defaultsctl dump -s player >/dev/full").status == 74)
    }
}
