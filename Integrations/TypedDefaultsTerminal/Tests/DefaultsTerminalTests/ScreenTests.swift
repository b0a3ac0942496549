/// The screen in a real terminal, key by key.
@_spi(TypedDefaults) @testable import DefaultsTerminal
import Foundation
import Glibc
import Synchronization
import Testing
import TypedDefaults

@Suite(.serialized, .timeLimit(.minutes(5))) struct ScreenTests {
    private static let sizes = [(60, 16), (80, 24), (200, 60)]
    private let place: Place

    init() throws { place = try Place("{\n  // not too loud\n  \"volume\": 0.25\n}\n") }

    @Test(arguments: sizes)
    func `a person finds a setting, changes it, stores it and takes it back`(_ columns: Int, _ rows: Int)
        throws
    {
        let player = try Player(place, columns: columns, rows: rows)
        try player.wait(for: "10 settings")
        try player.press([
            "/": "/", "loud": "1 of 10", Sent.enter: "* stored", Sent.enter: "Enter draft",
            Sent.clear + "2\r": "it is outside 0.0...1.0", "\u{7F}0.75": "> 0.75",
            Sent.enter: "in the draft: 0.75",
            "a": "1 change is stored", "u": "volume is 0.25 as before", "q": "left",
        ])
        #expect(try player.readToEnd() == 0)
        #expect(player.isRestored && player.emulator.unknown == [])
        try place.suite().checkpoint()
        let text = try String(contentsOfFile: place.file, encoding: .utf8)
        #expect(text == "{\n  // not too loud\n  \"volume\": 0.25\n}\n")
    }

    @Test(arguments: sizes)
    func `everything that stands on the screen fits it`(_ columns: Int, _ rows: Int) throws {
        try place.save(#"{"window.title": "\#(String(repeating: "日本", count: 5_000))", "volume": 0.25}"#)
        let player = try Player(place, columns: columns, rows: rows)
        try player.wait(for: "10 settings")
        try player.press([
            ":window.title\r": "> ", Sent.enter: "> ", Sent.escape: "? help", "?": "any key leaves",
        ])
        #expect(player.emulator.unknown == [])
    }

    @Test
    func `several changes are stored in one transaction, with allowed values chosen and a default restored`()
        throws
    {
        let changes = Recorder<[String]>()
        let suite = try place.suite()
        let observation = suite.observeAll(options: [.new]) { change in
            changes.add(change.map(\.key))
        }
        let player = try Player(place)
        try player.wait(for: "10 settings")
        try player.press([
            ":theme\r": "How the window looks", " ": "in the draft: dark", ":volume\r": "How loud",
            "r": "back to the default", ":window.width\r": "Its columns", "\r": "Enter draft",
            Sent.clear + "640\r": "3 in the draft", "a": "3 changes are stored", "q": "left",
        ])
        #expect(try player.readToEnd() == 0)
        try #expect(suite.storedValues() == ["theme": "dark", "window.width": 640])
        #expect(changes.all.map(\.count).max() == 3)
        observation.invalidate()
    }

    @Test func `a draft that is dropped stores nothing, and leaving asks`() throws {
        let player = try Player(place)
        try player.wait(for: "10 settings")
        try player.press([
            ":theme\r": "How the window looks", " ": "in the draft: dark",
            Sent.escape: "drop the draft's 1 change?",
            "y": "? help", " ": "in the draft: dark", "q": "1 change not stored", "d": "left",
        ])
        #expect(try player.readToEnd() == 0)
        try #expect(place.suite().storedValues() == ["volume": 0.25])
    }

    @Test func `a change by another process is there within 50 ms and is marked`() throws {
        let suite = try place.suite()
        let player = try Player(place)
        try player.press([":theme\r": "How the window looks"])
        var best = Duration.seconds(60)
        for round in 1...5 {
            let value = Double(round) / 10
            let clock = ContinuousClock()
            let begin = clock.now
            try suite.set(value, forKey: "volume")
            try player.wait(for: "-> \(value) by process \(getpid())")
            best = min(best, begin.duration(to: clock.now))
            #expect(player.screen.contains(" + volume"))
        }
        #expect(best < .milliseconds(50), "\(best)")
        // A save by hand does not take back what is not in the file yet.
        try suite.checkpoint()
        try place.save(#"{"volume": 0.875}"#)
        try player.wait(for: "volume: 0.5 -> 0.875 by an edit of the file")
    }

    @Test func `what others have changed meanwhile is stored over only when that is confirmed`() throws {
        let suite = try place.suite()
        let player = try Player(place)
        try player.press([":volume\r": "How loud", "\r\u{15}0.75\r": "in the draft: 0.75"])
        try suite.set(0.5, forKey: "volume")
        try player.wait(for: ">! volume")
        try suite.set("dark", forKey: "theme")
        try player.press(["a": "others have changed volume", Sent.escape: "? help"])
        #expect(suite.double(forKey: "volume") == 0.5)
        try player.press(["a": "others have changed volume", "y": "1 change is stored"])
        #expect(suite.double(forKey: "volume") == 0.75)
        #expect(suite.string(forKey: "theme") == "dark")
    }

    @Test func `with a history, undo goes back further and redo forward`() throws {
        let suite = try place.suite()
        try suite.setUnchecked("hunter1", forKey: "token")
        try suite.keepHistory(.versions(20, maximumBytes: 1 << 20))
        for value in [0.5, 0.75] {
            try suite.set(value, forKey: "volume")
            try suite.checkpoint()
        }
        let player = try Player(place)
        try player.press([
            ":volume\r": "How loud", "u": "volume is 0.5 as before", "u": "volume is 0.25 as before",
            "U": "volume is 0.5 again", ":theme\r": "How the window looks", "u": "no earlier value of theme",
        ])
        #expect(suite.double(forKey: "volume") == 0.5)
        #expect(!player.screen.contains("hunter"))
    }

    @Test func `a secret is typed and stored, and shown nowhere`() throws {
        let player = try Player(place)
        try player.press([":token\r": "The account's token", "\r": "> ", "hunter2": "> *******"])
        #expect(!player.screen.contains("hunter"))
        try player.press(["\r": "in the draft: (secret)", "a": "1 change is stored", "q": "left"])
        #expect(!player.screen.contains("hunter"))
        try #expect(place.suite().storedValues()["token"] == "hunter2")
    }

    @Test func `only the keys that the program names are shown, in their order`() throws {
        let player = try Player(place, "keys")
        try player.wait(for: "2 settings")
        #expect(!player.screen.contains("theme"))
        #expect(player.emulator.line(1).hasPrefix(">  window.width"))
        #expect(player.emulator.line(2).contains("volume"))
    }

    @Test func `a terminal that shrinks while a value is typed says so and keeps it`() throws {
        let player = try Player(place)
        try player.press([":volume\r": "How loud", "\r\u{15}0.75": "> 0.75"])
        try player.resize(columns: 40, rows: 10)
        try player.wait(for: "This terminal has 40 columns and 10")
        try player.resize(columns: 200, rows: 60)
        try player.wait(for: "> 0.75")
        try player.press(["\r": "in the draft: 0.75"])
        #expect(player.emulator.unknown == [])
    }

    @Test func `a key costs a few hundred bytes, and nothing costs none`() throws {
        let player = try Player(place, columns: 200, rows: 60)
        try player.wait(for: "q quit")
        let before = player.count
        try player.press([Sent.down: ">  folders"])
        #expect(player.count - before < 2_000, "\(player.count - before)")
        // What does nothing writes nothing: the next bytes are the next key's.
        let middle = player.count
        try player.press([Sent.home + Sent.up: ">  crash"])
        #expect(player.count - middle < 2_000, "\(player.count - middle)")
    }

    /// Not with Swift's tasks: Dispatch, on which they run, looks every second whether one of its threads is blocked.
    @Test func `while nothing happens no thread of the program waits for a time`() throws {
        let player = try Player(place, "blocking")
        try player.wait(for: "q quit")
        let isIdle = eventually { timers(of: player.process) == [] }
        #expect(isIdle, "\(timers(of: player.process))")
    }

    @Test func `colours are left out with NO_COLOR`() throws {
        let coloured = try Player(place)
        try coloured.wait(for: "q quit")
        #expect(coloured.emulator.styles.contains("36"))
        let plain = try Player(place, environment: ["NO_COLOR": "1"])
        try plain.wait(for: "q quit")
        #expect(plain.emulator.styles.isDisjoint(with: ["31", "32", "33", "36"]))
        #expect(plain.screen == coloured.screen)
    }
}

/// The calls of a program's threads that are no wait without a limit: number and arguments, as the kernel tells them.
///
/// The library's threads look after minutes whether they have missed a signal, as glibc makes them, in a futex (202).
private func timers(of process: pid_t) -> [String] {
    let tasks = "/proc/\(process)/task"
    do {
        return try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { thread in
            let call = try String(contentsOfFile: "\(tasks)/\(thread)/syscall", encoding: .utf8)
            let words = call.split(whereSeparator: \.isWhitespace)
            let isPoll = words[0] == "7" && words.count > 3 && words[3] == "0xffffffff"
            // rt_sigsuspend, in which the main thread is.
            return isPoll || words[0] == "202" || words[0] == "130" ? nil : call
        }
    } catch {
        return ["\(error)"]
    }
}

/// Whether something comes true within a while.
func eventually(_ isSo: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
        if isSo() { return true }
        poll(nil, 0, 5)
    }
    return false
}

/// A list that threads add to.
private final class Recorder<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])

    var all: [Element] { list.withLock { $0 } }
    func add(_ element: Element) { list.withLock { $0.append(element) } }
}
