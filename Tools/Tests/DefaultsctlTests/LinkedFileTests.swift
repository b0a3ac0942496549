/// A settings file that is a link, whose target is yet to be made: what was written is in the journal beside the target.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct LinkedFileTests {
    private let place: Workplace

    /// Two links, the second in another folder, and a suite without its settings file.
    init() throws {
        place = try Workplace()
        let made = try place.shell(
            """
            cd \(place.path)/config && mkdir -m 700 dotfiles
            ln -s dotfiles/b.json a.json && ln -s c.json dotfiles/b.json && ln -s none.json lost.json
            defaultsctl write volume 1 -f dotfiles/c.json && rm dotfiles/c.json && ls -A dotfiles
            """)
        try #require(made.status == 0 && made.output.contains(".c.json.lock"))
    }

    @Test(arguments: ["read", "dump"])
    func `it is there, unless nothing of a suite is beside the target`(_ command: String) throws {
        #expect(try place.run(command, "-f", place.path + "/config/a.json").status == 0)
        #expect(try place.run(command, "-f", place.path + "/config/lost.json").status == 66)
    }

    @Test func `an edit makes the target and leaves the links`() throws {
        let editor = try place.editor(#"echo '{"volume": 2}' >"$1""#)
        let run = try place.run(
            "edit", "-f", place.path + "/config/a.json", environment: ["EDITOR": editor])
        #expect(run.status == 0)
        let kinds = try place.shell("cd \(place.path)/config && test -L a.json && test -L dotfiles/b.json")
        #expect(kinds.status == 0)
        #expect(try place.run("read", "volume", "-f", place.path + "/config/dotfiles/c.json").output == "2\n")
    }
}
