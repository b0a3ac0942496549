/// The command line itself: what is refused, what help says, what shells are told.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct CommandLineTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    @Test(arguments: [
        "read", "read -s a -f b", "read -f a -d b", "write k -s a", "write k 1 2 -s a", "modify k -s a",
        "modify k --toggle --increment -s a", "modify k --by x -s a", "watch -c 0 -s a", "nonsense",
        "read -s ''",
    ])
    func `what cannot be understood is status 64 and touches nothing`(_ line: String) throws {
        let run = try place.shell("defaultsctl \(line)")
        #expect(run.status == 64 && run.output == "" && !run.errors.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == [])
    }

    @Test(arguments: [#"write k "$(printf 'caf\351')" -s a"#, #"write "$(printf '\377')" 1 -s a"#])
    func `an argument that is not UTF-8 is refused, and not stored as something else`(_ line: String) throws {
        let run = try place.shell("defaultsctl \(line)")
        #expect(run.status == 64 && run.output == "" && run.errors.contains("is not UTF-8"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == [])
    }

    @Test func `help lists each command and each exit status, and says that secrets are not known`() throws {
        let help = try place.run("--help")
        #expect(help.status == 0)
        for word in [
            "list", "read", "write", "delete", "modify", "watch", "explain", "dump", "load", "check", "edit",
            "path",
        ] {
            #expect(help.output.contains("\n  \(word) "))
        }
        for status in ["0", "1", "2", "64", "65", "66", "70", "74", "75", "77"] {
            #expect(help.output.contains("\n  \(status) "))
        }
        #expect(help.output.contains("secret"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `there is a completion script for each shell`(_ shell: String) throws {
        let run = try place.run("--generate-completion-script", shell)
        #expect(run.status == 0 && run.output.contains("defaultsctl"))
    }

    @Test func `keys and suites are completed in bash`() throws {
        try place.save(#"{"volume": 1, "voice": 2, "theme": 3, "two words": 4, "vo$": 6, "e\u001b": 5}"#)
        try place.run("read", "-s", "player")
        let script = """
            set +e
            source <(defaultsctl --generate-completion-script bash)
            complete_line() {
                COMP_LINE="$*"; COMP_WORDS=($*); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_POINT=${#COMP_LINE}
                COMPREPLY=(); _defaultsctl defaultsctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "${COMPREPLY[@]}" | sed 's/ *$//' | sort
            }
            complete_line defaultsctl read --suite player vo
            complete_line defaultsctl read --suite pl
            """
        let file = try place.script(script)
        let run = try place.shell("bash \(file)")
        #expect(run.output == "voice\nvolume\nplayer\n", "\(run.errors)")
    }
}
