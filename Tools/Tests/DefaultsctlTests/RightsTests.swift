/// What belongs to others, or may not be written, is status 77, and the message says what to do.
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: geteuid() == 0, "needs root, to give files away"))
struct RightsTests {
    private let place: Workplace

    /// A folder of nobody's, with a link of nobody's to a folder of root's.
    init() throws {
        place = try Workplace()
        let made = try place.shell(
            """
            cd \(place.path) && mkdir -m 755 theirs mine && echo '{"a": 1}' >mine/settings.json
            chmod 600 mine/settings.json && ln -s ../mine theirs/player && chown -h 65534 theirs theirs/player
            """)
        try #require(made.status == 0)
    }

    private func shell(_ line: String) throws -> Workplace.Run {
        try place.shell("cd \(place.path) && " + line)
    }

    @Test(
        arguments: ["-s player -d theirs", "-f theirs/player/other.json", "-f theirs/player/settings.json"],
        ["", "--allow-insecure-directory"])
    func `another user's link leads root nowhere`(where: String, more: String) throws {
        // Of a file that is not there nothing but a write comes so far.
        let others = `where`.contains("other") ? [] : ["read a", "edit", "check --repair"]
        for line in ["write a 2"] + others {
            let run = try shell("EDITOR='sed -i s/1/2/' defaultsctl \(line) \(`where`) \(more)")
            let isTold = (run.output + run.errors).contains("sudo -u nobody")
            #expect(run.status == 77 && isTold, "\(line): \(run)")
        }
        let files = try shell("cat mine/settings.json && ls -A mine")
        #expect(files.output == "{\"a\": 1}\nsettings.json\n")
    }

    @Test func `root makes nothing in the home of the user who has called sudo`() throws {
        let run = try shell("env -u XDG_CONFIG_HOME HOME=$PWD/theirs defaultsctl write a 1 -s new")
        #expect(run.status == 77 && run.errors.contains("sudo -u nobody"), "\(run)")
        let allowed = try shell("defaultsctl write a 1 -s new -d theirs --allow-insecure-directory")
        #expect(allowed.status == 77 && allowed.errors.contains("sudo -u nobody"), "\(allowed)")
        #expect(try shell("ls -A theirs").output == "player\n")
    }

    @Test func `a file that its owner made read-only stays as it is`() throws {
        try place.run("write", "a", "1", "-s", "player")
        try place.shell("chmod 444 \(place.file())")
        let run = try place.run("write", "a", "2", "-s", "player")
        #expect(run.status == 77 && run.errors.contains("chmod u+w"), "\(run)")
        #expect(try place.run("read", "a", "-s", "player").output == "1\n")
        try place.shell("chmod 600 \(place.file())")
        #expect(try place.run("read", "a", "-s", "player").output == "1\n")
        #expect(try place.run("write", "a", "2", "-s", "player").status == 0)
    }

    @Test func `where the folder may not be changed, a write says that the file stays behind`() throws {
        try place.run("write", "a", "1", "-s", "player")
        try place.shell("chmod 500 \(place.path)/config/player")
        let run = try place.shell("\(Workplace.withoutPower) defaultsctl write a 2 -s player")
        try place.shell("chmod 700 \(place.path)/config/player")
        #expect(run.status == 0 && run.errors.contains("stays behind"), "\(run)")
        #expect(try place.run("read", "a", "-s", "player").output == "2\n")
    }
}
