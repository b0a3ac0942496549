/// `edit`: a copy, an editor, and nothing lost.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct EditTests {
    private let place: Workplace
    private let before = "{\n  // loud\n  \"volume\": 0.50,\n  \"theme\": \"dark\"\n}\n"

    init() throws {
        place = try Workplace()
        try place.save(before)
    }

    private func edit(_ script: String) throws -> Workplace.Run {
        try place.run("edit", "-s", "player", environment: ["EDITOR": try place.editor(script)])
    }

    /// The copies that were kept.
    private func copies() throws -> [String] {
        try place.shell("find \(place.path)/tmp -name settings.json -exec cat {} +").output.split(
            separator: "\n"
        )
        .map(String.init)
    }

    @Test func `a good edit takes the file's place, every byte of it`() throws {
        let run = try edit(#"sed -i 's/dark/light/; s/loud/louder/' "$1""#)
        #expect(run == .init(status: 0, output: "saved \(place.file())\n", errors: ""))
        #expect(
            try place.settings() == before.replacing("dark", with: "light").replacing("loud", with: "louder"))
        #expect(try place.run("read", "theme", "-s", "player").output == "light\n")
        #expect(try place.shell("ls -A \(place.path)/tmp").output == "")
        #expect(try place.run("check", "-s", "player").output.hasSuffix("ok  \(place.file())\n"))
    }

    @Test func `an edit that changes nothing writes nothing`() throws {
        #expect(try edit("true").output == "nothing was changed\n")
        #expect(try place.settings() == before)
    }

    @Test(arguments: [("true", 0), ("false", 70), (#"echo '{' >"$1""#, 65)])
    func `an edit that is given up makes no suite`(script: String, status: Int32) throws {
        let editor = try place.editor(script)
        let run = try place.run("edit", "-s", "plyer", environment: ["EDITOR": editor])
        #expect(run.status == status)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == ["player"])
    }

    @Test func `a syntax error is status 65 with its place, the file stays and the copy is kept`() throws {
        let run = try edit(#"sed -i 's/0.50,/0.50/' "$1""#)
        #expect(run.status == 65)
        #expect(run.errors.contains("settings.json:4:3: expected a comma or }"))
        #expect(run.errors.contains("your edit is kept in \(place.path)/tmp/defaultsctl-"))
        #expect(try place.settings() == before)
        #expect(try copies().contains("  \"volume\": 0.50"))
    }

    @Test func `what another process writes meanwhile is not lost`() throws {
        let run = try edit("defaultsctl write volume 0.9 -s player\nsed -i s/dark/light/ \"$1\"")
        #expect(
            run.status == 0 && run.output.hasPrefix("saved 1 key over what others have written meanwhile"))
        #expect(
            try place.settings()
                == before.replacing("dark", with: "light").replacing("0.50", with: "0.9"))
    }

    @Test func `a change of spelling is kept beside what another process writes meanwhile`() throws {
        let run = try edit("defaultsctl write theme light -s player\nsed -i s/0.50/0.5000/ \"$1\"")
        #expect(
            run.status == 0 && run.output.hasPrefix("saved 1 key over what others have written meanwhile"))
        #expect(
            try place.settings()
                == before.replacing("dark", with: "light").replacing("0.50", with: "0.5000"))
    }

    @Test func `what is saved by hand meanwhile is not lost`() throws {
        let run = try edit("sed -i s/0.50/0.9/ \(place.file())\nsed -i s/dark/light/ \"$1\"")
        #expect(run.status == 0)
        #expect(
            try place.settings() == before.replacing("dark", with: "light").replacing("0.50", with: "0.9"))
    }

    @Test func `the same key changed by both is status 75, theirs stays and the copy is kept`() throws {
        let run = try edit("defaultsctl write theme blue -s player\nsed -i s/dark/light/ \"$1\"")
        #expect(run.status == 75)
        #expect(run.errors.contains("theme was changed by others meanwhile"))
        #expect(try place.settings() == before.replacing("dark", with: "blue"))
        #expect(try copies().contains("  \"theme\": \"light\""))
    }

    @Test func `the same change by both is none to ask about`() throws {
        let run = try edit("defaultsctl write theme light -s player\nsed -i s/dark/light/ \"$1\"")
        #expect(run.status == 0)
        #expect(try place.settings() == before.replacing("dark", with: "light"))
    }

    @Test func `a broken file is mended in the editor`() throws {
        // A suite that was written before: what never was one is not written to.
        try place.run("write", "volume", "1", "-s", "player")
        try place.save("{\"volume\": 1,, \"theme\": \"dark\"}")
        try place.run("write", "name", "x", "-s", "player")
        let run = try edit(#"sed -i 's/,,/,/' "$1""#)
        let kept = place.file("settings.json.damaged-1")
        let told = "saved \(place.file()) with 3 keys; the file that could not be read is kept in \(kept)\n"
        #expect(run == .init(status: 0, output: told, errors: ""))
        #expect(try place.settings().contains("{\"volume\": 1, \"theme\": \"dark\""))
        #expect(try place.run("read", "name", "-s", "player").output == "x\n")
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "{\"volume\": 1,, \"theme\": \"dark\"}")
    }

    @Test func `an empty file is edited as an object without members`() throws {
        try place.save("")
        #expect(try edit("true").output == "nothing was changed\n")
        #expect(try place.settings() == "")
        #expect(try edit(#"grep -q '{' "$1" && echo '{"a": 1}' >"$1""#).output == "saved \(place.file())\n")
        #expect(try place.settings() == "{\"a\": 1}\n")
    }

    @Test func `a file that is not UTF-8 keeps every byte, until the editor saves it as UTF-8`() throws {
        let file = URL(filePath: place.file())
        let bytes = Data(#"{"name": "J"#.utf8) + [0xE4] + Data(#"r"}"#.utf8)
        try bytes.write(to: file)
        #expect(try edit("true").output == "nothing was changed\n")
        #expect(try Data(contentsOf: file) == bytes)
        let run = try edit(#"echo >>"$1""#)
        #expect(run.status == 65 && run.errors.contains("is not UTF-8"))
        #expect(try Data(contentsOf: file) == bytes)
        #expect(try edit(#"iconv -f LATIN1 -t UTF-8 -o "$1.new" "$1" && mv "$1.new" "$1""#).status == 0)
        #expect(try place.settings() == #"{"name": "Jär"}"#)
    }

    @Test func `an edit of more than 64 MiB is status 65, the file stays and the copy is kept`() throws {
        let run = try edit(#"head -c 67108864 /dev/zero | tr '\0' ' ' >>"$1""#)
        #expect(run.status == 65 && run.errors.contains("settings.json is larger than 67108864 bytes"))
        #expect(run.errors.contains("your edit is kept in"))
        #expect(try place.settings() == before)
        #expect(try place.run("read", "theme", "-s", "player").output == "dark\n")
    }

    @Test func `of a copy that the editor has taken away nothing is said to be kept, and nothing stays`()
        throws
    {
        let run = try edit(#"rm "$1""#)
        #expect(run.status == 70 && run.errors.contains("the editor has taken"))
        #expect(!run.errors.contains("is kept"))
        #expect(try place.settings() == before)
        #expect(try place.shell("ls -A \(place.path)/tmp").output == "")
    }

    @Test func `where the copy cannot be made no folder stays`() throws {
        try place.save("{\"long\": \"\(String(repeating: "x", count: 2_000))\"}")
        // Makes the lock file, which is longer than the limit too.
        try place.run("write", "theme", "dark", "-s", "player")
        let run = try place.shell(
            "trap '' XFSZ; ulimit -f 2; EDITOR=true exec defaultsctl edit -s player")
        #expect(run.status == 74 && run.errors.contains("the output could not be written"))
        #expect(try place.shell("ls -A \(place.path)/tmp").output == "")
    }

    @Test func `a file whose name begins with an accent is edited`() throws {
        let path = place.file("\u{301}a.json")
        try place.run("write", "volume", "1", "-f", path)
        let run = try place.run(
            "edit", "-f", path, environment: ["EDITOR": try place.editor(#"sed -i s/1/2/ "$1""#)])
        #expect(run == .init(status: 0, output: "saved \(path)\n", errors: ""))
        #expect(try place.run("read", "volume", "-f", path).output == "2\n")
        #expect(try place.shell("ls -A \(place.path)/tmp").output == "")
    }

    @Test func `an editor that fails is status 70 and changes nothing`() throws {
        let run = try edit(#"sed -i s/dark/light/ "$1"; exit 3"#)
        #expect(run.status == 70 && run.errors.contains("ended with status 3"))
        #expect(run.errors.contains("your edit is kept in"))
        #expect(try place.settings() == before)
    }

    @Test func `the file keeps its mode, and a link to it stays a link`() throws {
        try place.shell(
            "cd \(place.path)/config/player && mkdir -m 700 ../dots && mv settings.json ../dots/real.json && chmod 640 ../dots/real.json && ln -s ../dots/real.json settings.json"
        )
        #expect(try edit(#"sed -i s/dark/light/ "$1""#).status == 0)
        let list = try place.shell(
            "cd \(place.path)/config && stat -c '%F %a' player/settings.json dots/real.json; grep theme dots/real.json"
        )
        #expect(list.output == "symbolic link 777\nregular file 640\n  \"theme\": \"light\"\n")
    }

    @Test func `a suite that is not there is made by its first edit`() throws {
        let run = try place.run(
            "edit", "-s", "new",
            environment: ["VISUAL": try place.editor(#"echo '{"a": 1}' >"$1""#), "EDITOR": "false"])
        #expect(run.status == 0)
        #expect(try place.run("read", "-s", "new").output == "a\t1\n")
    }

    @Test func `on a terminal a mistake can be edited again`() throws {
        let editor = try place.editor(
            #"if grep -q oops "$1"; then sed -i s/oops/1/ "$1"; else sed -i s/0.50/oops/ "$1"; fi"#)
        let terminal = try Terminal(place, "edit", "-s", "player", environment: ["EDITOR": editor])
        try terminal.wait(for: "Edit again? [Y/n]")
        try terminal.type("y\n")
        let (status, screen) = try terminal.end()
        #expect(status == 0 && screen.contains(":3:13: ") && screen.contains("saved "))
        #expect(try place.settings() == before.replacing("0.50", with: "1"))
    }

    @Test(arguments: [("m", "light", 0), ("t", "blue", 0), ("", "blue", 75)])
    func `on a terminal a person says whose value counts`(answer: String, theme: String, status: Int32) throws
    {
        let editor = try place.editor(
            "defaultsctl write theme blue -s player\nsed -i 's/dark/light/; s/0.50/1/' \"$1\"")
        let terminal = try Terminal(place, "edit", "-s", "player", environment: ["EDITOR": editor])
        try terminal.wait(for: "[m]ine, [t]heirs")
        try terminal.type(answer + "\n")
        #expect(try terminal.end().status == status)
        let volume = status == 0 ? "1" : "0.50"
        #expect(
            try place.settings()
                == before.replacing("dark", with: theme).replacing("0.50", with: volume))
    }
}
