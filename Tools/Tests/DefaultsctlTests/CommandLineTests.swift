/// The command line itself: what is refused, what help says, what shells are told.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct CommandLineTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    @Test(arguments: [
        "read", "read -s a -f b", "read -f a -d b", "write k -s a", "write k 1 2 -s a", "modify k -s a",
        "modify k --toggle --increment -s a", "modify k --by x -s a", "watch -c 0 -s a", "nonsense",
        "read -s ''", "undo -s a", "diff -s a", "diff '' -s a", "restore -s a", "restore x y -s a",
        "history --keep 0 -s a", "history --keep 5 --off -s a", "history k --off -s a",
        "history --max-bytes 5 -s a",
        "history --keep 5 --max-bytes 0 -s a", "history --including-secrets -s a", "wait -s a",
        "wait =1 -s a",
        "wait k --type int -s a", "wait k --timeout nan -s a", "wait k --timeout=-1 -s a",
        "wait k --timeout 5s -s a",
    ])
    func `what cannot be understood is status 64 and touches nothing`(_ line: String) throws {
        let run = try place.shell("defaultsctl \(line)")
        #expect(run.status == 64 && run.output == "" && !run.errors.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == [])
    }

    @Test(arguments: [
        ("write a 1 --file='~/x.json' && cat ~/x.json", "{\n  \"a\": 1\n}\n"),
        ("write a 1 -s b -d '~/deep' && defaultsctl list -d '~/deep' | grep -o '^b.1'", "b\t1\n"),
        ("path -s b -d '~'", "HOME/b/settings.json\n"),
        ("load '~/in.json' -s b", "1 set, 0 removed, 0 unchanged\n"),
        ("read volume -f '~/in.json' --managed '~/managed.json'", "2\n"),
        ("read theme -f '~/in.json' --defaults '~/managed.json'", "dark\n"),
        (
            "check -f '~/in.json' --schema '~/schema.json' | grep -o 'the schema asks for this key'",
            "the schema asks for this key\n"
        ),
    ])
    func `a tilde that the shell has left alone is the home folder`(_ line: String, output: String) throws {
        try place.shell(
            """
            cd && chmod 700 . && echo '{"volume": 1}' >in.json && echo '{"required": ["x"]}' >schema.json
            echo '{"volume": 2, "theme": "dark"}' >managed.json && chmod 600 *.json
            """)
        let run = try place.shell("mkdir -p ~/here && cd ~/here && defaultsctl \(line) && test ! -e '~'")
        #expect(run.output == output.replacing("HOME", with: place.path) && run.status == 0, "\(run)")
    }

    @Test(arguments: [
        "read -f '~ann/x'", "list -d '~ann/x'", "load '~ann/x' -s a", "read -s a --managed '~ann/x'",
    ])
    func `a path that begins with the name of a user is refused, with what to write`(_ line: String) throws {
        let run = try place.shell("defaultsctl \(line)")
        #expect(
            run.status == 64 && run.output == "" && run.errors.contains("or ./~ann/x for a folder"), "\(run)")
    }

    @Test(arguments: [
        ("read -f ~", "is a folder; name a file in it"),
        ("write k 1 -f ~/", "is a folder; name a file in it"),
        ("check -f ~", "is a folder; name a file in it"), ("watch -f ~", "is a folder; name a file in it"),
        ("load ~ -s a", "is a folder; name a file in it"),
        ("read -s a --defaults ~", "is a folder; name a file in it"),
        ("read -s a --managed ~", "is a folder; name a file in it"),
        ("check -s a --schema ~", "is a folder; name a file in it"), ("list -d ~/file", "is no folder"),
        ("read -s a -d ~/file", "is no folder"),
    ])
    func `a folder in a file's place is called one, and a file in a folder's`(_ line: String, words: String)
        throws
    {
        try Data("{}".utf8).write(to: URL(filePath: place.path + "/file"))
        let run = try place.shell("defaultsctl \(line)")
        #expect(run.status == 64 && run.output == "" && run.errors.contains(words), "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == [])
    }

    @Test func `an administrator's file that is named has to be there`() throws {
        try place.save("{}", of: "a")
        let run = try place.run("read", "-s", "a", "--managed", place.path + "/none.json")
        #expect(run.status == 66 && run.errors.contains("there is no file \(place.path)/none.json"))
    }

    @Test(arguments: ["read", "modify volume --increment", "watch --initial"])
    func `without standard files the output is refused, and becomes nothing else's`(_ command: String) throws
    {
        try place.save(#"{"volume": 0}"#)
        let run = try place.shell("defaultsctl \(command) -s player <&- >&-; echo $?")
        #expect(run.output == "74\n" && run.errors.contains("could not be written"), "\(run)")
        #expect(try place.run("check", "-s", "player").status == 0)
    }

    @Test(arguments: [#"write k "$(printf 'caf\351')" -s a"#, #"write "$(printf '\377')" 1 -s a"#])
    func `an argument that is not UTF-8 is refused, and not stored as something else`(_ line: String) throws {
        let run = try place.shell("defaultsctl \(line)")
        #expect(run.status == 64 && run.output == "" && run.errors.contains("is not UTF-8"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == [])
    }

    @Test func `help lists each command and each exit status, and says which secrets are known`() throws {
        let help = try place.run("--help")
        #expect(help.status == 0)
        for word in [
            "list", "read", "write", "delete", "modify", "watch", "explain", "dump", "load", "check", "edit",
            "path", "wait", "undo", "redo", "history", "diff", "restore", "describe", "find", "reset", "docs",
        ] {
            #expect(help.output.contains("\n  \(word) "))
        }
        for status in ["0", "1", "2", "64", "65", "66", "70", "74", "75", "77"] {
            #expect(help.output.contains("\n  \(status) "))
        }
        #expect(help.output.contains("secret") && help.output.contains("nothing is hidden"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `there is a completion script for each shell`(_ shell: String) throws {
        let run = try place.run("--generate-completion-script", shell)
        #expect(run.status == 0 && run.output.contains("defaultsctl"))
    }

    /// What bash offers behind these words, the last of which may be empty, in a folder of its own.
    private func offered(_ words: String..., after command: String = ":") throws -> [String] {
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let file = try place.script(
            """
            set +e
            \(command)
            mkdir -p \(place.path)/here && cd \(place.path)/here
            source <(defaultsctl --generate-completion-script bash)
            COMP_WORDS=(defaultsctl \(line)); COMP_LINE="${COMP_WORDS[*]}"
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_POINT=${#COMP_LINE}
            complete=$(complete -p defaultsctl | sed 's/.* -F \\([^ ]*\\) .*/\\1/')
            COMPREPLY=(); $complete defaultsctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}" | sed 's/ *$//' | sort
            """)
        return try place.shell("bash \(file)").output.split(separator: "\n").map(String.init)
    }

    @Test func `keys of the schema and the values that it lists are completed in bash`() throws {
        try place.save(#"{"$schema": "./s.json", "volume": 1}"#)
        try place.use()
        try Data(
            #"""
            {"properties": {"$schema": {}, "theme": {"enum": ["light", "dark", "$(touch x)", 5, null]},
             "mute": {"type": "boolean"}, "volume": {"type": "number"}}}
            """#.utf8
        ).write(to: URL(filePath: place.file("s.json")))
        #expect(try offered("describe", "-s", "player", "").contains("theme"))
        #expect(
            try offered("write", "-s", "player", "").filter { !$0.hasPrefix("-") } == [
                "mute", "theme", "volume",
            ])
        #expect(try offered("write", "-s", "player", "theme", "") == ["5", "dark", "light", "null"])
        #expect(try offered("write", "--suite", "=", "player", "mute", "t") == ["true"])
        #expect(try offered("write", "-s", "player", "volume", "") == [])
    }

    @Test func `keys and suites are completed in bash`() throws {
        try place.save(#"{"volume": 1, "voice": 2, "theme": 3, "two words": 4, "vo$": 6, "e\u001b": 5}"#)
        try place.use()
        #expect(try offered("read", "--suite", "player", "vo") == ["voice", "volume"])
        #expect(try offered("read", "--suite", "pl") == ["player"])
    }

    @Test func `versions and the keys that they have are completed in bash`() throws {
        try place.run("write", "theme", "dark", "-s", "player")
        try place.run("history", "--keep", "9", "-s", "player")
        try place.run("write", "x`id>pwned`", "1", "-s", "player")
        try place.run("delete", "theme", "-s", "player")
        let ids = try place.run("history", "-s", "player").output.split(separator: "\n").map {
            String($0.prefix { $0 != "\t" })
        }
        #expect(ids.count == 4)
        #expect(try offered("undo", "--suite", "player", "") == ["theme"])
        #expect(try offered("read", "--suite", "player", "") == [])
        #expect(try offered("restore", "-s", "player", "") == ids.reversed() + ["latest", "previous"])
        #expect(try offered("diff", "-s", "player", "previous", "20") == ids.reversed())
    }

    @Test func `a value behind the sign = is completed in bash, which takes such a word apart`() throws {
        try place.save(#"{"volume": 1, "voice": 2, "theme": 3}"#)
        try place.use()
        #expect(try offered("read", "--suite", "=", "pl") == ["player"])
        #expect(try offered("read", "--suite", "=") == ["player"])
        #expect(try offered("read", "--suite", "=", "player", "vo") == ["voice", "volume"])
        #expect(try offered("read", "--json", "--suite", "=", "player", "theme", "--fi") == ["--file"])
        #expect(try offered("delete", "--file", "=", place.file(), "vo") == ["voice", "volume"])
        #expect(
            try offered("write", "--directory", "=", place.path + "/config", "-s", "player", "t") == ["theme"]
        )
    }

    @Test func `a folder below the home folder is found, which bash hands over as it was typed`() throws {
        try place.save(#"{"volume": 1}"#)
        try place.use()
        let environment = "unset XDG_CONFIG_HOME"
        #expect(try offered("read", "-d", "~/config", "-s", "pl", after: environment) == ["player"])
        #expect(try offered("read", "-d", "~/config", "-s", "player", "v", after: environment) == ["volume"])
        #expect(try offered("read", "-f", "~/config/player/settings.json", "v") == ["volume"])
    }

    /// Names that bash would execute or take apart, were they offered.
    private static let hostileNames = [
        "x`id>pwned`", "<(id>pwned)", "$(id>pwned)", "a;id", "a&b", "c|d", "it's", "quo\"te", "back\\slash",
        "b{1,2}", "~", "*", "q?", "[z]", "!x", "#y", "^o", "-f", "=ls", "e:f", "\u{2028}", "no\u{A0}break",
    ]

    /// A suite with these keys.
    private func save(keys: [String]) throws {
        let members = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
        try place.save(String(decoding: JSONSerialization.data(withJSONObject: members), as: UTF8.self))
    }

    @Test(arguments: hostileNames)
    func `of the keys in a file, bash executes nothing and is offered the plain ones`(key: String) throws {
        try save(keys: [key, "volume"])
        #expect(try offered("read", "--suite", "player", "") == ["volume"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/here") == [])
    }

    @Test func `signs that mean nothing to a shell, and letters of all languages, are offered`() throws {
        let keys = ["a.b/c-d", "m@n", "o+p,q", "r_1", "t%20", "éü", "日本"]
        try save(keys: keys)
        #expect(try Set(offered("read", "--suite", "player", "")) == Set(keys))
    }

    @Test func `of suites' names, bash executes nothing either`() throws {
        for name in Self.hostileNames + ["player"] { try place.run("write", "a", "1", "--suite=\(name)") }
        #expect(try place.run("list").output.split(separator: "\n").count == Self.hostileNames.count + 1)
        #expect(try offered("read", "--suite", "") == ["player"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/here") == [])
    }
}
