/// `read`, `dump`, `list`, `path`: what is there, for people and for scripts.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReadingTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.save(#"{"volume": 0.5, "theme": "dark", "list": [1, {"a": null}], "on": true}"#)
    }

    @Test(arguments: [
        ("volume", "0.5\n", "0.5\n"), ("theme", "dark\n", "\"dark\"\n"), ("on", "true\n", "true\n"),
        ("list", "[\n  1,\n  {\n    \"a\": null\n  }\n]\n", "[\n  1,\n  {\n    \"a\": null\n  }\n]\n"),
    ])
    func `a value is printed plainly, and as JSON where asked for`(key: String, plain: String, json: String)
        throws
    {
        #expect(try place.run("read", key, "-s", "player") == .init(status: 0, output: plain, errors: ""))
        #expect(
            try place.run("read", key, "-s", "player", "--json") == .init(status: 0, output: json, errors: "")
        )
    }

    @Test func `all values are a line each, or one object`() throws {
        let table = try place.run("read", "--suite", "player")
        #expect(
            table.output == """
                volume\t0.5
                theme\t"dark"
                list\t[1, {"a": null}]
                on\ttrue

                """)
        // Another key's length changes nothing.
        try place.run("write", String(repeating: "k", count: 1_000), "1", "-s", "player")
        #expect(try place.run("read", "-s", "player").output.hasPrefix(table.output + "kk"))
        #expect(try place.shell("defaultsctl read -s player | cut -f2 | head -1").output == "0.5\n")
        let object = try place.run("read", "--suite", "player", "--json").object()
        #expect(Set(object.keys.filter { $0.count < 1_000 }) == ["volume", "theme", "list", "on"])
        #expect(object["volume"] as? Double == 0.5)
    }

    @Test func `half of a surrogate pair, in a value or a name, is printed as it is written, and stays`()
        throws
    {
        try place.save(#"{"nick": "x\ud83d", "in": {"\udc00": 1}, "a": 1}"#)
        #expect(try place.run("read", "nick", "-s", "player").output == "\"x\\uD83D\"\n")
        #expect(
            try place.run("dump", "-s", "player").output
                == "{\n  \"nick\": \"x\\uD83D\",\n  \"in\": {\n    \"\\uDC00\": 1\n  },\n  \"a\": 1\n}\n")
        #expect(try place.run("explain", "nick", "-s", "player").output.contains(#""x\ud83d""#))
        #expect(try place.run("check", "-s", "player").status == 0)
        #expect(try place.run("write", "a", "2", "-s", "player").status == 0)
        #expect(try place.settings() == #"{"nick": "x\ud83d", "in": {"\udc00": 1}, "a": 2}"#)
    }

    @Test func `a key that is not there is status 1, and one like it is named`() throws {
        let run = try place.run("read", "volme", "-s", "player")
        #expect(
            run
                == .init(
                    status: 1, output: "",
                    errors: "defaultsctl: there is no value for volme; did you mean volume?\n"))
    }

    @Test(arguments: ["read", "dump", "check", "explain a", "watch", "delete a"])
    func `a suite that is not there is status 66, and asking does not make it`(_ command: String) throws {
        try place.run("list")
        let run = try place.shell("defaultsctl \(command) -s plyer")
        #expect(run.status == 66)
        #expect(run.errors.contains("there is no suite plyer in \(place.path)/config"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == ["player"])
    }

    @Test(arguments: [
        "read", "read volume", "dump", "explain theme", "write volume 1", "modify volume --increment",
        "delete volume", "check",
    ])
    func `a file that cannot be read is told once, with its place`(_ command: String) throws {
        try place.save("{\"theme\": \"dark\", oops}")
        let run = try place.shell("defaultsctl \(command) -s player")
        let texts = (run.output + run.errors).components(separatedBy: "settings.json:1:19")
        #expect(texts.count == 2, "\(run)")
    }

    @Test(arguments: ["read", "read volume", "dump", "explain volume", "write volume 1", "check"])
    func `a file that is larger than any may be is status 2`(_ command: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: place.file()))
        try file.truncate(atOffset: 64 << 20 + 1)
        try file.close()
        let run = try place.shell("defaultsctl \(command) -s player")
        #expect(run.status == 2, "\(run)")
        #expect((run.output + run.errors).contains("64 MiB"))
    }

    @Test func `a broken file is status 2 with its place, and no value`() throws {
        try place.save("{\n  \"volume\": 0.5,\n  \"theme\" \"dark\"\n}\n")
        for command in ["read", "dump"] {
            let run = try place.run(command, "-s", "player")
            #expect(run.status == 2 && run.output == "")
            #expect(run.errors.contains("\(place.file()):3:11"))
        }
    }

    @Test func `dump has the order of the file and every digit`() throws {
        try place.save(#"{"z": 123456789012345678901234567890, "a": 1e400}"#)
        let run = try place.run("dump", "-s", "player")
        #expect(run.output == "{\n  \"z\": 123456789012345678901234567890,\n  \"a\": 1e400\n}\n")
    }

    @Test func `any file can be read by its path`() throws {
        let run = try place.run("read", "theme", "--file", place.file())
        #expect(run == .init(status: 0, output: "dark\n", errors: ""))
        #expect(try place.run("read", "--file", place.path + "/none.json").status == 66)
    }

    @Test func `list names the suites with their keys, in any folder`() throws {
        try place.run("write", "a", "1", "-s", "com.example/other")
        try place.use()
        let suites = try #require(try place.run("list", "--json").json() as? [[String: Any]])
        #expect(suites.map { $0["name"] as? String } == ["com.example/other", "player"])
        #expect(suites.map { $0["keys"] as? Int } == [1, 4])
        #expect(suites.map { $0["path"] as? String }.last == place.file())
        #expect(try suites.last?["size"] as? Int == place.settings().utf8.count)
        let saved = try #require(suites.last?["saved"] as? String)
        #expect(saved.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil, "\(saved)")
        let table = try place.run("list").output
        #expect(table.split(separator: "\n").count == 2 && table.contains("\nplayer\t4\t"))
        #expect(try place.run("list", "--json", "--directory", place.path + "/none").output == "[]\n")
    }

    @Test func `a suite whose settings file is a link, as stow makes them, is listed`() throws {
        try place.shell(
            """
            cd \(place.path) && mkdir -m 700 dotfiles && mv config/player/settings.json dotfiles/player.json
            ln -s ../../dotfiles/player.json config/player/settings.json
            """)
        #expect(try place.run("list", "--json").output == "[]\n")
        try place.run("write", "volume", "1", "-s", "player")
        let suites = try #require(try place.run("list", "--json").json() as? [[String: Any]])
        #expect(suites.map { $0["name"] as? String } == ["player"] && suites.first?["keys"] as? Int == 4)
    }

    @Test func `a folder that list may not enter is named`() throws {
        try place.run("write", "a", "1", "-s", "other")
        try place.run("write", "a", "1", "-s", "player")
        let run = try place.shell(
            """
            chmod 0 config/other && test $(id -u) != 0 || chown 65534 config/other
            \(Workplace.withoutPower) defaultsctl list | cut -f1
            """)
        #expect(run.output == "player\n", "\(run)")
        #expect(
            run.errors
                == "defaultsctl: note: a folder may not be entered, and suites in it are not shown: \(place.path)/config/other\n"
        )
        try place.shell("chmod 700 config/other && chown -R $(id -u) config/other")
    }

    private static let commands = [
        "read", "read a", "dump", "explain a", "watch", "write a 1", "delete a", "modify n --increment",
        "load --replace", "edit", "check",
    ]

    @Test(arguments: commands)
    func `what is another user's, or closed to this one, is status 77 of every command`(_ command: String)
        throws
    {
        try place.run("write", "a", "1", "-s", "player")
        let call = "\(Workplace.withoutPower) defaultsctl \(command) -s player"
        let kinds = [
            "chmod 0 settings.json", "chmod 0 .", "chown 65534 settings.json",
        ]
        let isRoot = geteuid() == 0
        for kind in kinds where isRoot || !kind.contains("chown") {
            // What root may not read either is another's.
            let own =
                isRoot ? kind.replacing("chmod 0 ", with: "chown 65534:65534 ") + " && chmod go-rwx ." : kind
            let run = try place.shell(
                """
                cd config/player && \(own) && cd / && echo '{"b": 1}' | EDITOR=true \(call); echo $?
                chown -R $(id -u) ~/config; chmod 700 ~/config/player; chmod 600 ~/config/player/settings.json
                """)
            #expect(run.output.hasSuffix("77\n"), "\(kind): \(run)")
        }
    }

    @Test func `list says which suite is damaged`() throws {
        try place.use()
        try place.save("{")
        let suites = try #require(try place.run("list", "--json").json() as? [[String: Any]])
        #expect(suites.first?["isDamaged"] as? Bool == true)
        #expect(try place.run("list").output.contains("damaged"))
    }

    @Test func `of a suite that may not be read, list does not say that it is damaged`() throws {
        try place.run("write", "a", "1", "-s", "other")
        try place.run("write", "a", "1", "-s", "player")
        // What another user owns, not even root's program reads.
        let file = place.file(of: "other")
        try place.shell("chmod 0 \(file); test $(id -u) != 0 || chown 65534 \(file)")
        let suites = try #require(try place.run("list", "--json").json() as? [[String: Any]])
        #expect(suites.map { $0["isDamaged"] as? Bool } == [false, false])
        #expect(suites.map { $0["keys"] as? Int } == [nil, 5])
        let table = try place.run("list")
        #expect(table.status == 0 && table.output.contains("unreadable") && !table.output.contains("damaged"))
    }

    @Test func `path tells where a suite is, whether or not it is there`() throws {
        #expect(try place.run("path", "-s", "player").output == place.file() + "\n")
        #expect(try place.run("path", "-s", "none").output == place.file(of: "none") + "\n")
        #expect(try place.run("path", "-s", "none", "--json").object()["exists"] as? Bool == false)
        #expect(try place.run("path", "-s", "a/b", "-d", "/x").output == "/x/a%2Fb/settings.json\n")
    }
}
