/// What a person sees: colours on a terminal alone, and no text of a file that the terminal would obey.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct TerminalTests {
    private let place: Workplace
    private let escape = "\u{1B}"

    init() throws {
        place = try Workplace()
        try place.save(#"{"volume": 0.5, "theme": "dark"}"#)
    }

    private static let commands = [
        ["read"], ["read", "volume"], ["dump"], ["explain", "volume"], ["check"],
    ]

    private func screen(_ words: [String], columns: UInt16 = 80, environment: [String: String] = [:]) throws
        -> String
    {
        let second = words.count > 1 ? words[1] : "--suite=player"
        return try Terminal(
            place, words[0], second, "--suite", "player", columns: columns, environment: environment
        ).end().screen
    }

    @Test(arguments: commands)
    func `on a terminal there are colours, and none with NO_COLOR or a dumb terminal`(_ words: [String])
        throws
    {
        let coloured = try screen(words)
        #expect(coloured.contains(escape + "["))
        let plain = coloured.replacing(/\u{1B}\[\d+m/, with: "")
        #expect(try screen(words, environment: ["NO_COLOR": "1"]) == plain)
        #expect(try screen(words, environment: ["TERM": "dumb"]) == plain)
    }

    @Test(arguments: commands)
    func `in a pipe there are no colours`(_ words: [String]) throws {
        let run = try place.shell("defaultsctl \(words.joined(separator: " ")) -s player | cat")
        #expect(!run.output.isEmpty && !run.output.contains(escape))
    }

    @Test func `a table fits the terminal, wide characters included`() throws {
        try place.save(
            "{\"long\": \"\(String(repeating: "x", count: 300))\", \"日本\": \"\(String(repeating: "世", count: 90))\"}"
        )
        let lines = try screen(["read"], columns: 50, environment: ["NO_COLOR": "1"]).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1] == "long  \"" + String(repeating: "x", count: 42) + "…")
        #expect(lines[2] == "日本  \"" + String(repeating: "世", count: 21) + "…")
    }

    /// A key with a line end, a title sequence, a bell, a C1 control and a mark that turns text around.
    private static let hostileKey = "a\n\u{1B}]0;pwned\u{7}\u{9B}31m\u{202E}z"

    /// A suite with that key, and a value that has a NUL too.
    private func saveHostile() throws {
        let text = try JSONSerialization.data(withJSONObject: [Self.hostileKey: Self.hostileKey + "\u{0}"])
        try place.save(String(decoding: text, as: UTF8.self))
    }

    @Test(arguments: [
        ["read"], ["dump"], ["read", "--json"], ["read", hostileKey], ["explain", hostileKey],
    ])
    func `hostile keys and values are shown escaped`(_ words: [String]) throws {
        try saveHostile()
        let screen = try screen(words, columns: 200, environment: ["NO_COLOR": "1"])
        #expect(
            screen.unicodeScalars.allSatisfy {
                $0 == "\n" || ($0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\u{202E}")
            })
        // As it is written in the file, escapes may have small letters.
        #expect(screen.lowercased().contains(#"a\n\u001b]0;pwned\u0007\u009b31m\u202ez\u0000"#), "\(screen)")
    }

    @Test func `a hostile path is shown escaped once it is edited`() throws {
        let folder = place.path + "/\(escape)[31mred\u{202E}"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try place.run("write", "a", "1", "-f", folder + "/s.json")
        let editor = try place.editor(#"sed -i s/1/2/ "$1""#)
        let screen = try Terminal(place, "edit", "-f", folder + "/s.json", environment: ["EDITOR": editor])
            .end()
            .screen
        #expect(screen == #"saved \#(place.path)/\u001B[31mred\u202E/s.json"# + "\n")
    }

    @Test func `hostile names are escaped in errors, whatever standard error is`() throws {
        let run = try place.run("read", Self.hostileKey, "-s", "player")
        #expect(run.status == 1 && !run.errors.contains(escape) && run.errors.contains(#"\u001B"#))
    }

    @Test func `a program that reads a text gets it byte for byte`() throws {
        try place.save(#"{"a": "x\u001b[31m\ny"}"#)
        #expect(try place.run("read", "a", "-s", "player").output == "x\u{1B}[31m\ny\n")
    }
}
