/// `history`, `undo`, `redo`, `diff`, `restore`: what the settings were.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct TakingBackTests {
    private let place: Workplace

    /// A suite whose volume was 0.5, then 0.7, then 0.9.
    init() throws {
        place = try Workplace()
        try write("volume", "0.5")
        try place.run("history", "--keep", "50", "-s", "player")
        try write("volume", "0.7")
        try write("volume", "0.9")
    }

    private func write(_ key: String, _ value: String) throws {
        try #require(try place.run("write", key, value, "-s", "player").status == 0)
    }

    /// The identifiers of the versions, newest first.
    private func versions() throws -> [String] {
        try place.run("history", "-s", "player").output.split(separator: "\n").map {
            String($0.prefix { $0 != "\t" })
        }
    }

    private func file(of version: String) -> String { place.file(".settings.json.history/\(version).json") }

    private func run(_ line: String) throws -> Workplace.Run {
        try place.shell("defaultsctl \(line) -s player")
    }

    @Test func `each version has a line with its identifier, time and size, newest first`() throws {
        let run = try run("history")
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0 && run.errors == "" && lines.count == 4)
        for line in lines {
            let form = /\d{8}T\d{6}\.\d{6}Z\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\t\d+/
            #expect(line.wholeMatch(of: form) != nil, "\(line)")
        }
        #expect(lines == lines.sorted().reversed())
        let json = try #require(try place.run("history", "--json", "-s", "player").json() as? [[String: Any]])
        #expect(try json.map { $0["id"] as? String } == versions())
        let path = try #require(json.first?["path"] as? String)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == place.settings())
        #expect(try json.first?["size"] as? Int == place.settings().utf8.count)
        let date = json.first?["date"] as? String
        #expect(date?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    }

    @Test func `of a key each value has a line, and a time without one too`() throws {
        try place.run("delete", "volume", "-s", "player")
        try write("theme", "dark")
        let values = try run("history volume").output.split(separator: "\n").map {
            $0.split(separator: "\t")[2]
        }
        #expect(values == ["(none)", "0.9", "0.7", "0.5"])
        let json = try #require(
            try place.run("history", "volume", "--json", "-s", "player").json() as? [[String: Any]])
        #expect(json.map { $0["value"] as? Double } == [nil, 0.9, 0.7, 0.5])
        #expect(json.map { $0["isSet"] as? Bool } == [false, true, true, true])
        #expect(try json.last?["version"] as? String == versions().last)
        let none = try run("history volum")
        #expect(none.status == 1 && none.output == "")
        #expect(none.errors == "defaultsctl: no version has a value for volum\n")
        #expect(try run("history them").errors.hasSuffix("; did you mean theme?\n"))
    }

    @Test func `without versions, what would keep them is said`() throws {
        try place.run("write", "a", "1", "-s", "other")
        let words = "no versions of this suite are kept; \"history --keep 50\" keeps them from then on\n"
        let list = try place.run("history", "-s", "other")
        #expect(list == .init(status: 0, output: "", errors: "defaultsctl: note: " + words))
        let json = try place.run("history", "--json", "-s", "other")
        #expect(json.status == 0 && json.output == "[]\n")
        for (command, status) in [
            ("history a", 1), ("undo a", 1), ("redo a", 1), ("diff latest", 66), ("restore latest", 66),
        ] as [(String, Int32)] {
            let run = try place.shell("defaultsctl \(command) -s other")
            #expect(run == .init(status: status, output: "", errors: "defaultsctl: " + words), "\(command)")
        }
    }

    @Test func `as many versions are kept as was asked for, and none when it is off`() throws {
        #expect(try run("history --keep 2 --max-bytes 100000") == .init(status: 0, output: "", errors: ""))
        try write("volume", "1")
        #expect(try versions().count == 2)
        #expect(
            try place.run("read", "$history", "-s", "player", "--json").object()["maximumBytes"] as? Int
                == 100_000)
        #expect(try run("history --off") == .init(status: 0, output: "", errors: ""))
        #expect(try versions() == [])
        try write("volume", "2")
        #expect(try versions() == [])
        #expect(try run("undo volume").status == 1)
    }

    @Test func `that no more versions are kept is said beside those that there are`() throws {
        try place.save("{\"volume\": 1}")
        let run = try run("history")
        #expect(try run.status == 0 && versions().count == 4)
        #expect(
            run.errors.contains("note: no more versions are kept; \"history --keep 50\" keeps them again"))
    }

    @Test func `undo goes back value by value and redo forward, and each prints what it has come to`() throws
    {
        #expect(try run("undo volume") == .init(status: 0, output: "0.7\n", errors: ""))
        #expect(try run("undo volume --json").output == "0.5\n")
        let end = try run("undo volume")
        #expect(end.status == 1 && end.output == "")
        #expect(
            end.errors
                == "defaultsctl: volume stays as it is: no version has another value from before\n")
        #expect(try run("read volume").output == "0.5\n")
        #expect(try run("redo volume").output == "0.7\n")
        #expect(try run("redo volume").output == "0.9\n")
        let other = try run("redo volume")
        #expect(other.status == 1 && other.errors.contains("there is no undo of it to take back"))
    }

    @Test func `a delete is undone, and the first write of a key`() throws {
        try write("theme", "dark")
        try place.run("delete", "theme", "-s", "player")
        #expect(try run("undo theme").output == "dark\n")
        let first = try run("undo theme")
        #expect(
            first == .init(status: 0, output: "", errors: "defaultsctl: note: theme is not stored any more\n")
        )
        #expect(try run("read theme").status == 1)
        #expect(try run("undo volum").errors.hasSuffix("; did you mean volume?\n"))
    }

    @Test func `a save by hand is undone`() throws {
        try place.save(place.settings().replacing("0.9", with: "0.1"))
        #expect(try run("undo volume").output == "0.9\n")
        #expect(try place.settings().contains("0.9"))
    }

    @Test func `a save by hand is the last change, before it has a version and behind it`() throws {
        try place.save(place.settings().replacing("0.9", with: "0.1"))
        #expect(try run("diff previous").output == "volume: 0.9 -> 0.1\n")
        #expect(try run("restore previous").output == "1 set, 0 removed\n")
        #expect(try run("read volume").output == "0.9\n")
        #expect(try run("diff previous").output == "volume: 0.1 -> 0.9\n")
        #expect(try run("restore previous").output == "1 set, 0 removed\n")
        #expect(try run("read volume").output == "0.1\n")
    }

    @Test func `diff shows what has changed since, and its status says whether anything has`() throws {
        try write("theme", "dark")
        #expect(try run("diff latest") == .init(status: 0, output: "", errors: ""))
        #expect(
            try run("diff previous") == .init(status: 1, output: "theme: (none) -> \"dark\"\n", errors: ""))
        let first = try #require(try versions().last)
        #expect(try run("diff \(first)").output == "theme: (none) -> \"dark\"\nvolume: 0.5 -> 0.9\n")
        let json = try #require(try run("diff \(first) --json").json() as? [[String: Any]])
        #expect(json.map { $0["key"] as? String } == ["theme", "volume"])
        #expect(json[0]["old"] == nil && json[1]["old"] as? Double == 0.5 && json[1]["new"] as? Double == 0.9)
        #expect(try run("diff latest --json") == .init(status: 0, output: "[]\n", errors: ""))
    }

    @Test func `diff compares two versions`() throws {
        try write("theme", "dark")
        try place.run("delete", "volume", "-s", "player")
        let ids = try versions()
        // Newest first: deleted, dark, 0.9, 0.7, 0.5 with and without a history.
        try #require(ids.count == 6)
        #expect(try run("diff \(ids[3]) \(ids[2])").output == "volume: 0.7 -> 0.9\n")
        #expect(try run("diff \(ids[2]) \(ids[3])").output == "volume: 0.9 -> 0.7\n")
        #expect(
            try run("diff \(ids[3]) latest").output == "theme: (none) -> \"dark\"\nvolume: 0.7 -> (none)\n")
        #expect(try run("diff \(ids[3]) \(ids[3])") == .init(status: 0, output: "", errors: ""))
        #expect(try run("diff \(ids[5]) \(ids[4])") == .init(status: 0, output: "", errors: ""))
    }

    @Test func `diff knows keys apart that differ by their bytes alone`() throws {
        try place.save(place.settings().replacing("}\n}", with: "}, \"\\u00e9\": 1, \"e\\u0301\": 2\n}"))
        try write("volume", "1")
        try place.run("delete", "\u{E9}", "e\u{301}", "-s", "player")
        let lines = try run("diff previous latest").output.split(separator: "\n").map { Array($0.utf8) }
        #expect(Set(lines) == [Array("\u{E9}: 1 -> (none)".utf8), Array("e\u{301}: 2 -> (none)".utf8)])
    }

    @Test func `restore stores what a version has, and can be taken back`() throws {
        try write("theme", "dark")
        let first = try #require(try versions().last)
        let before = try place.settings()
        let plan = try run("restore \(first) --plan")
        #expect(
            plan == .init(status: 0, output: "theme: \"dark\" -> (none)\nvolume: 0.9 -> 0.5\n", errors: ""))
        let json = try place.run("restore", first, "--plan", "--json", "-s", "player").object()
        #expect((json["changes"] as? [Any])?.count == 2 && (json["problems"] as? [Any])?.isEmpty == true)
        #expect(try place.settings() == before)
        #expect(try run("restore \(first)") == .init(status: 0, output: "1 set, 1 removed\n", errors: ""))
        #expect(try run("read volume").output == "0.5\n" && run("read theme").status == 1)
        #expect(try run("restore latest").output == "0 set, 0 removed\n")
        let back = try place.run("restore", "previous", "--json", "-s", "player").object()
        #expect(back["set"] as? Int == 2 && back["removed"] as? Int == 0)
        #expect(try run("read theme").output == "dark\n" && run("read volume").output == "0.9\n")
        #expect(try run("read '$history'").status == 0)
    }

    @Test func `a version is named by the beginning of its identifier, and a wrong name is status 66`() throws
    {
        let ids = try versions()
        let newest = try #require(ids.first)
        #expect(try run("restore \(newest.dropLast()) --plan").status == 0)
        let several = try run("diff 2")
        #expect(several.status == 66 && several.output == "")
        #expect(several.errors.contains("4 versions begin with 2, from \(ids[3]) to \(newest)"))
        let none = try run("restore 19700101")
        #expect(none.status == 66 && none.output == "")
        #expect(none.errors == "defaultsctl: there is no version 19700101; \"history\" lists them\n")
        #expect(try run("diff prevoius").errors.hasSuffix("; did you mean previous?\n"))
        try place.shell("cd \(place.file(".settings.json.history")) && ls | head -n 3 | xargs rm")
        let only = try run("restore previous")
        #expect(only.status == 66 && only.errors.contains("no version before the latest one, \(newest)"))
    }

    @Test func `a version that is broken is status 2 with its place, and the others are of use`() throws {
        let ids = try versions()
        try Data("{\n  oops".utf8).write(to: URL(filePath: file(of: ids[1])))
        for command in ["diff", "restore --plan", "restore"] {
            let run = try run("\(command) \(ids[1])")
            #expect(run.status == 2 && run.output == "")
            #expect(run.errors.contains("the version cannot be read as settings: \(file(of: ids[1])):2:3"))
            #expect(!run.errors.contains("--repair"))
        }
        #expect(try run("diff \(ids[2])").output == "volume: 0.5 -> 0.9\n")
        #expect(try run("history volume").output.split(separator: "\n").count == 2)
        #expect(try run("undo volume").output == "0.5\n")
    }

    @Test func `a version that is a link is status 77, and of a key's history a warning`() throws {
        let id = try versions()[1]
        try place.shell("ln -sf /etc/passwd \(file(of: id))")
        for command in ["diff \(id)", "restore \(id)"] {
            let run = try run(command)
            #expect(run.status == 77 && run.output == "" && run.errors.contains(file(of: id)), "\(run)")
        }
        let run = try run("history volume")
        #expect(run.status == 0 && run.errors.contains(file(of: id)), "\(run)")
        #expect(run.output.split(separator: "\n").count == 2, "\(run)")
    }

    @Test(arguments: ["undo volume", "redo volume", "diff latest", "restore latest --plan", "restore latest"])
    func `beside a broken file it is status 2, said once, and nothing is changed`(_ command: String) throws {
        let broken = "{\"volume\": 1, oops"
        try place.save(broken)
        let run = try run(command)
        #expect(run.status == 2 && run.output == "")
        #expect(run.errors.components(separatedBy: "\(place.file()):1:15").count == 2, "\(run)")
        #expect(run.errors.contains("\"check --repair\"") && !run.errors.contains("repairFiles"))
        #expect(try place.settings() == broken)
    }

    @Test func `after a repair the latest version is restored`() throws {
        try write("theme", "dark")
        try place.save("{oops")
        try place.run("check", "--repair", "-s", "player")
        // The member that has versions kept is one of them.
        #expect(try run("restore latest").output == "3 set, 0 removed\n")
        #expect(try place.settings().contains("$history"))
        #expect(try run("read theme").output == "dark\n")
    }

    @Test func `names and values that a terminal would obey are escaped`() throws {
        let key = "e\u{1B}[31m"
        try write(key, "x\u{1B}]0;y\u{7}")
        let shown = #""e\u001B[31m": (none) -> "x\u001B]0;y\u0007""# + "\n"
        #expect(try run("diff previous").output == shown)
        #expect(try place.run("history", key, "-s", "player").output.contains(#""x\u001B]0;y\u0007""#))
        for command in ["undo", "undo", "redo", "restore", "diff", "wait --timeout 0"] {
            let run = try place.shell("defaultsctl \(command) \"$(printf 'e\\033[31m')\" -s player")
            #expect(!(run.errors + run.output).contains("\u{1B}[31m"), "\(run)")
        }
    }

    @Test func `what is no settings file gets nothing beside it`() throws {
        let notes = place.path + "/scripts/notes.txt"
        try Data("hello\n".utf8).write(to: URL(filePath: notes))
        for command in ["undo a", "redo a", "history --keep 5", "history --off", "restore latest"] {
            let run = try place.shell("defaultsctl \(command) -f \(notes)")
            #expect(run.status == 2 && run.errors.contains("is no settings file, so nothing was written"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/scripts") == ["notes.txt"])
    }

    @Test(arguments: [
        "history", "history --keep 5", "history --off", "undo a", "redo a", "diff latest", "restore latest",
    ])
    func `a suite that is not there is status 66, and none is made`(_ command: String) throws {
        let run = try place.shell("defaultsctl \(command) -s plyer")
        #expect(run.status == 66 && run.output == "" && run.errors.contains("there is player"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/config") == ["player"])
    }

    @Test func `to look makes no file`() throws {
        try place.shell("rm \(place.file(".settings.json.lock")) \(place.file(".settings.json.journal"))")
        let before = try place.shell("ls -AlR --full-time ~/config").output
        for command in [
            "history", "history volume", "diff previous", "restore previous --plan", "wait volume",
        ] {
            #expect(try [0, 1].contains(run(command).status))
        }
        #expect(try place.shell("ls -AlR --full-time ~/config").output == before)
    }
}

/// Old values of what a schema calls `writeOnly` are not shown unless that is asked for.
@Suite(.timeLimit(.minutes(5))) struct RevealVersionsTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.save(#"{"$schema": "./s.json", "token": "s3cret", "volume": 0.5}"#)
        try Data(#"{"properties": {"token": {"writeOnly": true}}}"#.utf8)
            .write(to: URL(filePath: place.file("s.json")))
    }

    private func run(_ line: String) throws -> Workplace.Run {
        try place.shell("defaultsctl \(line) -s player")
    }

    private func keepVersions() throws {
        try place.run("history", "--keep", "50", "--including-secrets", "-s", "player")
        try place.run("write", "token", "n3w", "-s", "player")
    }

    @Test func `to keep old values of secrets has to be said`() throws {
        let before = try place.settings()
        let run = try run("history --keep 50")
        #expect(run.status == 77 && run.output == "" && run.errors.contains("writeOnly (token)"))
        #expect(run.errors.contains("say --including-secrets if that is meant"))
        #expect(try place.settings() == before && self.run("history --json").output == "[]\n")
        #expect(
            try self.run("history --keep 50 --including-secrets") == .init(status: 0, output: "", errors: ""))
        #expect(try self.run("history --off").status == 0)
    }

    @Test(
        arguments: [
            ("history token", 0), ("history token --json", 0), ("diff previous", 1),
            ("diff previous --json", 1),
            ("diff previous latest", 1), ("restore previous --plan", 0),
            ("restore previous --plan --json", 0),
            ("restore previous", 0), ("undo token", 0), ("undo token --json", 0), ("wait token", 0),
            ("wait token=x --timeout 0", 75),
        ] as [(String, Int32)])
    func `no command shows a secret, also where what is stored has lost the schema's name`(
        _ command: String, status: Int32
    ) throws {
        try keepVersions()
        let one = try run(command)
        #expect(one.status == status && !(one.output + one.errors).contains(/s3cret|n3w/), "\(one)")
        guard !command.hasPrefix("wait") else { return }
        try place.save(#"{"volume": 1, "token": "n3w"}"#)
        let other = try run(command.replacing("previous", with: "latest"))
        #expect(!(other.output + other.errors).contains(/s3cret|n3w/), "\(other)")
    }

    @Test func `that it changes is shown, and with reveal both values`() throws {
        try keepVersions()
        #expect(try run("diff previous").output == "token: (hidden) -> (hidden)\n")
        #expect(try run("diff previous --reveal").output == #"token: "s3cret" -> "n3w""# + "\n")
        #expect(try run("restore previous --plan --reveal").output == #"token: "n3w" -> "s3cret""# + "\n")
        let values = try run("history token").output.split(separator: "\n").map {
            $0.split(separator: "\t")[2]
        }
        #expect(values == ["(hidden)", "(hidden)"])
        #expect(try run("history token --reveal").output.contains("\"s3cret\""))
        let undone = try run("undo token")
        #expect(undone.status == 0 && undone.output == "" && undone.errors.contains("--reveal shows it"))
        #expect(try run("redo token --reveal").output == "n3w\n")
        #expect(try run("wait token --reveal").output == "n3w\n")
    }
}
