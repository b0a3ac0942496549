/// `edit` while writes are in the journal alone: their writer died before the settings file had them.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct EditBesideJournalTests {
    private let place: Workplace
    private let before: String

    init() throws {
        place = try Workplace()
        let long = String(repeating: "x", count: 2_000)
        before = "{\n  // loud\n  \"volume\": 0.50,\n  \"theme\": \"dark\",\n  \"long\": \"\(long)\"\n}\n"
        try place.save(before)
    }

    private func edit(_ script: String) throws -> Workplace.Run {
        try place.run("edit", "-s", "player", environment: ["EDITOR": try place.editor(script)])
    }

    /// Lines of a script that write a value and are killed at the checkpoint: once the suite has a lock file, of all that
    /// they write the new settings file alone is longer than the limit, 1024 bytes.
    private func killedWrite(_ key: String, _ value: String) -> String {
        "if (ulimit -f 2; exec defaultsctl write \(key) \(value) -s player); then exit 9; fi 2>/dev/null\n"
    }

    private func stored(_ key: String) throws -> String { try place.run("read", key, "-s", "player").output }

    @Test func `a write of the same key stays, and the edit is status 75`() throws {
        let run = try edit(killedWrite("volume", "0.9") + #"sed -i s/0.50/0.7/ "$1""#)
        #expect(run.status == 75 && run.errors.contains("volume was changed by others meanwhile"))
        #expect(try stored("volume") == "0.9\n")
    }

    @Test func `a write of another key is kept beside the edit`() throws {
        let run = try edit(killedWrite("volume", "0.9") + #"sed -i s/dark/light/ "$1""#)
        #expect(
            run.status == 0 && run.output.hasPrefix("saved 1 key over what others have written meanwhile"))
        #expect(
            try place.settings() == before.replacing("dark", with: "light").replacing("0.50", with: "0.9"))
    }

    @Test func `writes that come to what was there before do not undo the edit`() throws {
        let run = try edit(
            killedWrite("volume", "0.9") + killedWrite("volume", "0.50")
                + #"sed -i 's/0.50/0.7/; s/loud/louder/' "$1""#)
        #expect(run == .init(status: 0, output: "saved \(place.file())\n", errors: ""))
        #expect(try stored("volume") == "0.7\n")
        #expect(try stored("theme") == "dark\n")
        try place.run("check", "--repair", "-s", "player")
        #expect(
            try place.settings() == before.replacing("0.50", with: "0.7").replacing("loud", with: "louder"))
    }

    @Test func `a broken file is mended beside writes that it does not have`() throws {
        // Makes the lock file, which is longer than the limit too.
        try place.run("write", "theme", "dark", "-s", "player")
        #expect(try place.shell(killedWrite("volume", "0.9")).status == 0)
        try place.save(before.replacing("0.50,", with: "0.50,,"))
        let run = try edit(#"sed -i 's/,,/,/; s/dark/light/' "$1""#)
        let saved =
            "saved \(place.file()) with 3 keys; the file that could not be read is kept in \(place.file()).damaged-1\n"
        #expect(run == .init(status: 0, output: saved, errors: ""))
        #expect(try stored("theme") == "light\n")
        #expect(try stored("volume") == "0.9\n")
    }
}
