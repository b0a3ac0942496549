/// A tool with eleven options, started as people do.
import Foundation
import Testing
import TypedDefaults

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The tool stands beside the tests."),
    .timeLimit(.minutes(5)))
struct ToolTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    @Test func `the help says what each setting is for, what is allowed, and what applies and why`() throws {
        try place.store(#"{"volume": 0.25, "theme": "dark", "folders": ["/music", "/more"], "pin": 4711}"#)
        let managed = try place.manage(#"{"title": "Kiosk"}"#)
        let run = try place.run(
            "--help",
            environment: ["PLAYER_VERBOSE": "yes", "PLAYER_TOKEN": "hunter2-token", "MANAGED": managed])
        #expect(run.status == 0 && run.errors == "")
        let options = try #require(run.output.components(separatedBy: "OPTIONS:\n").last)
        #expect(
            options == """
                  -v, --volume <volume>   How loud it plays. (0 to 1) [0.25, from settings.json]
                  --theme <theme>         The colours. (values: light, dark, system) [dark,
                                          from settings.json]
                  --folders <folders>     Where the music is. [["/music", "/more"], from
                                          settings.json]
                  --title <title>         The window's title. [Kiosk, locked by managed.json]
                  --ratings <ratings>     What is played. [[4, 5], the default]
                  --server-port <server-port>
                                          Where it listens. (values: 80, 8080) [8080, the
                                          default]
                  --fade-time <fade-time> How long a title fades. [2s, the default]
                  --verbose/--no-verbose  Whether it says more. [yes, from PLAYER_VERBOSE]
                  --shuffle/--no-shuffle  Whether the order is another one. [true, the default]
                  --token <token>         The account's token. [(secret), from PLAYER_TOKEN]
                  --pin <pin>             The parents' number. (1000 to 9999) [(secret), from
                                          settings.json]
                  -h, --help              Show help information.


                """)
        #expect(!run.output.contains("hunter2") && !run.output.contains("4711"))
    }

    @Test func `the help of a tool without settings has the defaults`() throws {
        let run = try place.run("--help")
        #expect(run.status == 0)
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for text in [
            "[0.5, the default]", "[system, the default]", "[[], the default]", "[not set]",
            "[(secret), the default]",
        ] {
            #expect(words.contains(text), "\(text)")
        }
    }

    @Test func `what is stored is not printed as it likes`() throws {
        try place.store(
            "{\"title\": \"a\\u001b[2Jb\\nc\\u202ed\", \"folders\": [\"\(String(repeating: "x", count: 99))\"]}"
        )
        let run = try place.run("--help")
        #expect(run.output.contains("a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d"))
        #expect(run.output.contains("xx..., from"))
        #expect(!run.output.contains("\u{1B}") && !run.output.contains(String(repeating: "x", count: 50)))
    }

    @Test func `what is given is in the property, in Defaults, in explain, and heard of`() throws {
        try place.store(#"{"volume": 0.25}"#)
        let run = try place.run(
            "--volume", "0.75", "--theme=dark", "--folders", "/a", "--folders", "/b c", "--title", "5",
            "--verbose",
            "--no-shuffle", "--ratings", "1", "--ratings", "2", "--server-port", "80", "--token",
            "hunter2-token",
            "--pin", "4711", "--fade-time", "250ms")
        #expect(run.status == 0 && run.errors == "")
        #expect(run.line("fade") == "0.25 seconds")
        #expect(run.line("properties") == #"0.75 dark ["/a", "/b c"] 5"#)
        #expect(run.line("defaults") == run.line("properties"))
        #expect(run.line("flags") == "true false")
        #expect(run.line("lists") == "[1, 2] port: 80")
        #expect(run.line("secrets fit") == "true true")
        #expect(run.line("heard") == "0.25 -> 0.75")
        #expect(run.line("volume") == "arguments: 0.75 (argument 1, --volume): applies")
        #expect(run.line("folders") == #"arguments: ["/a", "/b c"] (argument 6, --folders): applies"#)
        #expect(run.line("verbose") == "arguments: true (argument 10, --verbose): applies")
        #expect(run.line("token")?.hasPrefix("arguments: (secret) ") == true)
        #expect(run.line("server.port") == "arguments: 80 (argument 16, --server-port): applies")
        #expect(!run.output.contains("hunter2") && !run.output.contains("4711"))
    }

    @Test(arguments: [
        ["--theme", "dark", "-v", "0.25"], ["--theme=dark", "--verbose", "-v=0.25"],
        ["--volume", "0.75", "-v", "0.25"], ["--verbose", "-v", "0.25", "--no-shuffle"],
    ])
    func `what is given under another name stands where it was given`(_ arguments: [String]) throws {
        let place = try #require(arguments.firstIndex { $0.hasPrefix("-v") }) + 1
        let run = try self.place.run(arguments)
        #expect(run.line("volume") == "arguments: 0.25 (argument \(place), --volume): applies")
    }

    @Test func `what is not given is what applies without`() throws {
        try place.store(#"{"volume": 0.25, "theme": "light", "folders": ["/a"], "verbose": true}"#)
        let run = try place.run(environment: ["PLAYER_TITLE": "Mine", "PLAYER_VOLUME": "0.75"])
        #expect(run.status == 0 && run.errors == "")
        #expect(run.line("properties") == #"0.75 light ["/a"] Mine"#)
        #expect(run.line("defaults") == run.line("properties"))
        #expect(run.line("flags") == "true true")
        #expect(run.line("heard") == nil)
        #expect(run.line("verbose")?.hasPrefix("stored: true ") == true)
    }

    @Test func `a flag that says what is so already counts from then on`() throws {
        try place.store(#"{"verbose": true}"#)
        let run = try place.run("--verbose")
        #expect(run.line("verbose") == "arguments: true (argument 1, --verbose): applies")
        #expect(try place.run("--verbose", "--no-verbose").line("flags") == "false true")
    }

    @Test(arguments: [
        (["--folders", #"["/a", "/b"]"#], #"["/a", "/b"]"#),
        (["--folders", "1", "--folders", "true"], #"["1", "true"]"#),
        (["--folders", #"["/a"]"#, "--folders", "/b"], #"["/a", "/b"]"#), (["--folders", "[]"], "[]"),
    ])
    func `a list is given by its elements or as JSON`(_ arguments: [String], _ list: String) throws {
        let run = try place.run(arguments)
        #expect(run.line("properties") == "0.5 system \(list) nil")
    }

    @Test func `of an option that is given twice the last one applies`() throws {
        let run = try place.run(
            "--volume", "0.75", "-v", "0.25", "--server-port", "80", "--server-port", "8080")
        #expect(run.line("defaults") == "0.25 system [] nil")
        #expect(run.line("lists") == "[4, 5] port: 8080")
    }

    @Test(arguments: [
        (
            ["--volume", "2"],
            "The value '2' is invalid for '--volume <volume>': it is outside 0.0...1.0; 0.5 would be taken"
        ),
        (
            ["--volume=loud"],
            "The value 'loud' is invalid for '--volume <volume>': expected Double, found a string; 0.5 would be taken"
        ),
        (
            ["-v", "2"],
            "The value '2' is invalid for '-v <volume>': it is outside 0.0...1.0; 0.5 would be taken"
        ),
        (
            ["--theme", "blue"],
            "The value 'blue' is invalid for '--theme <theme>': it is not one of light, dark, system"
        ),
        (
            ["--server-port", "81"],
            "The value '81' is invalid for '--server-port <server-port>': it is not one of 80, 8080"
        ),
        (
            ["--ratings", "1", "--ratings", "good"],
            "The value '1 good' is invalid for '--ratings <ratings>': [1]: expected Int, found a string; 4,5 would be taken"
        ),
        (
            ["--ratings", "1"],
            "The value '1' is invalid for '--ratings <ratings>': it does not pass the key's validation; 4,5 would be taken"
        ),
        (["--pin", "471111"], "The value is invalid for '--pin <pin>': it is outside 1000...9999"),
        (
            ["--pin", "hunter2"],
            "The value is invalid for '--pin <pin>': expected Int; no more is told, since the key is secret"
        ),
        (
            ["--fade-time", "long"],
            "The value 'long' is invalid for '--fade-time <fade-time>': expected Duration in units such as h, m, s and ms, "
                + "found another string; 2s would be taken"
        ),
        (["--fadeTime", "1s"], "Unknown option '--fadeTime'. Did you mean '--fade-time'?"),
        (["--volume"], "Missing value for '--volume <volume>'"),
        (["--token"], "Missing value for '--token <token>'"),
        (["--verbose=yes"], "The option '--verbose' does not take any value, but 'yes' was specified."),
        (["--volum", "1"], "Unknown option '--volum'. Did you mean '--volume'?"),
        (["loud"], "Unexpected argument 'loud'"),
    ])
    func `what does not fit is a usage error in the key's words`(_ arguments: [String], _ message: String)
        throws
    {
        let run = try place.run(arguments)
        #expect(run.status == 64 && run.output == "")
        let lines = run.errors.split(separator: "\n")
        #expect(lines.first == "Error: \(message)")
        #expect(lines.contains { $0.hasPrefix("Usage: play ") })
        #expect(!run.errors.contains("hunter2") && !run.errors.contains("471111"))
    }

    @Test func `a locked key is refused, with the file that locks it`() throws {
        let managed = try place.manage(#"{"volume": 0.125, "verbose": false}"#)
        let refused = try place.run("--volume", "0.75", environment: ["MANAGED": managed])
        #expect(refused.status == 64 && refused.output == "")
        #expect(
            refused.errors.hasPrefix(
                "Error: The value '0.75' is invalid for '--volume <volume>': it is locked, by \(managed):1:12\n"
            ))
        let flag = try place.run("--verbose", environment: ["MANAGED": managed])
        #expect(flag.status == 64)
        #expect(
            flag.errors.hasPrefix(
                "Error: The flag '--verbose' cannot be used: it is locked, by \(managed):1:"))
        let run = try place.run("--theme", "dark", environment: ["MANAGED": managed])
        #expect(run.line("properties") == "0.125 dark [] nil")
    }

    @Test func `a settings file with a mistake does not keep options from counting`() throws {
        try place.store(#"{"volume": 0.25,, "theme": "dark"}"#)
        let run = try place.run("--volume", "0.75")
        #expect(run.status == 0)
        #expect(run.line("properties") == "0.75 system [] nil")
        #expect(run.errors.contains("settings.json"))
    }

    @Test func `a value that cannot be used is reported once, unless the command corrects or hides it`()
        throws
    {
        try place.store(#"{"volume": 2}"#)
        let bad = try place.run()
        #expect(bad.line("properties")?.hasPrefix("0.5 ") == true)
        #expect(bad.errors.split(separator: "\n").count == 1 && bad.errors.contains("settings.json:1:12"))
        let hidden = try place.run("--keeps", "--volume", "0.25", environment: ["CORRECTING": "1"])
        #expect(hidden.status == 0 && hidden.errors == "")
        let waiting = try place.run("--waits", environment: ["CORRECTING": "1"])
        #expect(waiting.line("heard") == "invalidValue of volume")
        #expect(waiting.status == 0 && waiting.errors == "")
        #expect(try place.run(environment: ["CORRECTING": "1"]).errors == "")
        #expect(try place.run().errors == "")
    }

    @Test func `a command that only parses an option of a bad value reports it at its end`() throws {
        try place.store(#"{"volume": 2}"#)
        let help = try place.run("--help")
        #expect(help.status == 0 && help.errors.contains("settings.json:1:12"))
    }

    @Test func `a shell completes the allowed values`() throws {
        let run = try place.run("--generate-completion-script", "bash")
        #expect(run.status == 0)
        #expect(run.output.contains("light") && run.output.contains("8080"))
    }

    @Test(arguments: [
        ["--generate-completion-script", "zsh"], ["--generate-completion-script", "fish"],
        ["--generate-completion-script=bash"], ["--experimental-dump-help"],
    ])
    func `what goes to others has the keys' words, and nothing of the settings of who makes it`(
        _ arguments: [String]
    ) throws {
        try place.store(#"{"title": "Our wedding", "pin": 4711}"#)
        let run = try place.run(arguments, environment: ["PLAYER_TOKEN": "hunter2-token"])
        #expect(run.status == 0 && run.errors == "" && run.output.contains("title"))
        let hasWords = arguments != ["--generate-completion-script=bash"]
        #expect(run.output.contains("Where the music is.") == hasWords)
        for text in ["wedding", "settings.json", "PLAYER_TOKEN", "hunter2", "4711", "the default"] {
            #expect(!run.output.contains(text), "\(text)")
        }
    }

    @Test func `a secret that is declared as an option of its own ends the program, and says why`() throws {
        let run = try place.run(
            "--token", "hunter2", environment: ["SECRET_AS_OPTION": "1", "SWIFT_BACKTRACE": "enable=no"])
        #expect(run.status != 0 && run.output == "")
        #expect(run.errors.contains(#"the key "token" is secret: list it in DefaultsOptions instead"#))
        #expect(!run.errors.contains("hunter2"))
    }
}
