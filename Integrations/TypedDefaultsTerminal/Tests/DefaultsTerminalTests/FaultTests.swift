/// Whatever happens, the terminal is as before, nothing is lost, and what failed is said.
@_spi(TypedDefaults) @testable import DefaultsTerminal
import Foundation
import Glibc
import Testing
import TypedDefaults

@Suite(.serialized, .timeLimit(.minutes(5))) struct FaultTests {
    private let place: Place

    init() throws { place = try Place(#"{"volume": 0.25}"#) }

    private func started() throws -> Player {
        let player = try Player(place)
        try player.wait(for: "q quit")
        try #require(player.emulator.isOnOtherPage && !player.hasUsualModes)
        return player
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT])
    func `a signal that ends the program ends it with the terminal as before`(_ signal: Int32) throws {
        let player = try started()
        kill(player.process, signal)
        #expect(try player.readToEnd() == -signal)
        #expect(player.isRestored)
    }

    @Test func `a program that stays after a signal gets the terminal back, and an error`() throws {
        let player = try Player(place, "stay")
        try player.wait(for: "q quit")
        kill(player.process, SIGTERM)
        try player.wait(for: "failed: signal 15 has ended the screen")
        #expect(try player.readToEnd() == 1)
        #expect(player.isRestored)
    }

    @Test func `a task that is cancelled gets the terminal back, and an error`() throws {
        let player = try Player(place, "cancel")
        try player.wait(for: "q quit")
        try place.suite().set(0.5, forKey: "volume")
        try player.wait(for: "failed: CancellationError")
        #expect(try player.readToEnd() == 1)
        #expect(player.isRestored)
    }

    @Test func `control-C leaves, and asks first where the draft has changes`() throws {
        var player = try started()
        try player.press(["\u{3}": "left"])
        #expect(try player.readToEnd() == 0)
        #expect(player.isRestored)
        player = try started()
        try player.press([
            ":theme\r": "How the window", " ": "1 in the draft", "\u{3}": "1 change not stored",
            "\u{3}": "left",
        ])
        #expect(try player.readToEnd() == 0)
        #expect(player.isRestored)
    }

    @Test func `a crash and an exit elsewhere in the program leave the terminal as before`() throws {
        let suite = try place.suite()
        for (key, status) in [("crash", -SIGILL), ("leave", 3)] {
            let player = try started()
            try suite.set(true, forKey: key)
            #expect(try player.readToEnd() == status)
            #expect(player.isRestored, "\(key)")
            try suite.removeValue(forKey: key)
        }
    }

    @Test func `control-Z stops the program with the terminal as before, and fg goes on with what was typed`()
        throws
    {
        let player = try Player(place, shell: #""$@"; echo stopped; read line; fg >/dev/null; echo ended $?"#)
        try player.wait(for: "q quit")
        try player.press([":volume\r": "How loud", "\r\u{15}0.75": "> 0.75", "\u{1A}": "stopped"])
        #expect(player.isRestored)
        try player.type("\n")
        try player.wait("the page again") { $0.isOnOtherPage && $0.text.contains("> 0.75") }
        #expect(!player.hasUsualModes)
        try player.press(["\r": "in the draft: 0.75", "a": "1 change is stored", "q": "ended 0"])
        #expect(player.isRestored)
    }

    @Test func `a program that was stopped without asking draws its screen anew`() throws {
        let player = try started()
        kill(player.process, SIGSTOP)
        kill(player.process, SIGCONT)
        let before = player.count
        try player.wait("the page again") { _ in player.count > before + 500 }
        try player.press(["q": "left"])
        #expect(player.isRestored)
    }

    @Test func `a terminal that is closed ends the program`() throws {
        let player = try started()
        player.hangUp()
        // By the signal, or by the error that run throws where the end of the input is seen first.
        #expect([-SIGHUP, 1].contains(player.end()))
    }

    @Test(arguments: ["</dev/null", ">/dev/null", "| cat"])
    func `without a terminal nothing is drawn, and that is said`(_ redirection: String) throws {
        let player = try Player(place, shell: #""$@" \#(redirection); echo ended"#)
        try player.wait(for: "ended")
        #expect(!player.emulator.isOnOtherPage)
        if redirection != ">/dev/null" {
            #expect(player.screen.contains("failed: standard input and output have to be"))
        }
        let dumb = try Player(place, environment: ["TERM": "dumb"])
        try dumb.wait(for: "failed: TERM says")
    }

    @Test func `another writer that is killed in the middle leaves a screen that shows what is stored`()
        throws
    {
        let player = try started()
        for _ in 0..<3 {
            let writer = try spawn([Player.tool, "write", place.file])
            try player.wait(for: "by process \(writer)")
            kill(writer, SIGKILL)
            var status: Int32 = 0
            #expect(waitpid(writer, &status, 0) == writer)
        }
        let suite = try place.suite()
        try suite.set("dark", forKey: "theme")
        try player.wait(for: "theme: light -> dark")
        let volume = try #require(suite.value(forKey: "volume"))
        try player.press([":volume\r": "* stored      \(volume)"])
        try player.press(["q": "left"])
    }

    @Test
    func `a damaged file is said, the last good values stay, and what is stored comes with the mended one`()
        throws
    {
        let player = try started()
        try place.save("{\"volume\": 0.25,,}")
        try player.wait(for: "the last good values are shown. The file cannot be read as JSON")
        #expect(player.screen.contains("settings.json:1:"))
        try player.press([":volume\r": "0.25", "\r\u{15}0.75\r": "in the draft: 0.75", "a": "is stored"])
        try place.save("{\"theme\": \"dark\"}")
        try player.wait("the mended file") {
            $0.text.contains("dark") && !$0.text.contains("last good values")
        }
        try player.press([":volume\r": "* stored      0.75", "q": "left"])
    }

    @Test func `a suite that is deleted shows its defaults, and can be written anew`() throws {
        let player = try started()
        try player.press([":volume\r": "* stored"])
        for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
            try FileManager.default.removeItem(atPath: "\(place.path)/\(name)")
        }
        try player.wait(for: "* registered  0.5")
        try player.press(["\r\u{15}0.75\r": "in the draft: 0.75", "a": "1 change is stored"])
        try #expect(place.suite().storedValues() == ["volume": 0.75])
    }

    @Test func `a locked key is not edited, and says who has locked it`() throws {
        try place.save(#"{"volume": 0.125}"#, as: "managed.json")
        let player = try Player(place, "managed", place.path + "/managed.json")
        try player.wait(for: "q quit")
        try player.press([":volume\r": "locked by", "\r": "volume is locked by"])
        #expect(player.screen.contains(">= volume") && player.screen.contains("0.125"))
        try player.press([":edit 0.5\r": "volume is locked by"])
        // What is stored below it may be reset.
        try player.press(["r": "back to the default", "a": "1 change is stored"])
        try #expect(place.suite().storedValues() == [:])
    }

    @Test func `where nothing may be written, that is said and the draft stays`() throws {
        let player = try Player(place, "read-only")
        try player.wait(for: "q quit")
        try player.press([
            ":volume\r": "How loud", "\r\u{15}0.75\r": "in the draft: 0.75", "a": "nothing is stored: ",
        ])
        #expect(
            player.screen.contains("The suite can only be read here")
                && player.screen.contains("1 in the draft"))
    }

    @Test func `without the right to write or to read, that is said`() throws {
        // Root may do everything, unless it gives that up.
        let power = "-dac_override,-dac_read_search"
        let shell =
            geteuid() == 0 ? "setpriv --bounding-set=\(power) --inh-caps=\(power) -- \"$@\"" : "\"$@\""
        try #require(chmod(place.file, 0o400) == 0 && chmod(place.path, 0o500) == 0)
        defer { chmod(place.path, 0o700) }
        var player = try Player(place, shell: shell)
        try player.wait(for: "q quit")
        try player.press([
            ":volume\r": "0.25", "\r\u{15}0.75\r": "in the draft: 0.75", "a": "nothing is stored: ",
        ])
        #expect(player.screen.contains("1 in the draft"))
        try #require(chmod(place.file, 0) == 0)
        player = try Player(place, shell: shell)
        try player.wait(for: "the last good values are shown.")
        try player.press(["q": "left"])
    }

    @Test func `hostile names and values are shown harmless and can be edited`() throws {
        let name = "a\n\u{1B}]0;pwned\u{7}\u{9B}31m\u{202E}z"
        let suite = try place.suite()
        try suite.set(
            DefaultsValue.string(name + String(repeating: "\u{200B}x", count: 10_000)), forKey: name)
        try suite.set(DefaultsValue.string(String(repeating: "e\u{301}日", count: 10_000)), forKey: "b" + name)
        for (columns, rows) in [(60, 16), (200, 60)] {
            let player = try Player(place, columns: columns, rows: rows)
            try player.wait(for: "12 settings")
            #expect(player.screen.contains(#"a\n\u001B]0;pwned\u0007\u009B31m\u202E"#) || columns == 60)
            try player.press([
                Sent.home: ">  a", "\r": "> ", Sent.home + "new ": "> new a", "\r": "1 in the draft",
            ])
            try player.press(["a": "1 change is stored", Sent.down: "b", "q": "left"])
            #expect(player.emulator.unknown == [] && player.isRestored)
            #expect(suite.string(forKey: name)?.hasPrefix("new a\n\u{1B}") == true)
            try suite.set(DefaultsValue.string(name), forKey: name)
        }
    }

    @Test func `ten thousand keys are searched and changed`() throws {
        let player = try Player(place, "count", "10000")
        try player.wait(for: "10010 settings")
        try player.press([
            "/": "/", "key9999": "1 of 10010", "\r": "number 9999", "\r\u{15}1\r": "in the draft: 1",
            "a": "is stored",
        ])
        try #expect(place.suite().storedValues()["key9999.of-many"] == 1)
    }
}
