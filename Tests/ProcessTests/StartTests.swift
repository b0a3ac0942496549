/// A program that a bad setting makes crash in a loop: it comes up with the values of its last healthy start.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct StartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Starts the program; nil if the setting makes it crash.
    private func start() throws -> (peer: Peer, answer: String)? {
        let peer = try Peer.opening(in: folder)
        do {
            return (peer, try peer.ask("beginstart 3 mode"))
        } catch Peer.Failure.ended {
            #expect(try peer.close() == .signal(9))
            return nil
        }
    }

    /// A start that works, with the settings of before.
    private func healthyStart() throws {
        let (peer, answer) = try #require(try start())
        #expect(answer == "usual")
        try peer.expectOK("healthy")
        try peer.close()
    }

    private func edit(_ text: String) throws { try folder.saveByRename(text) }

    @Test
    func `the fourth start of a crash loop comes up with what worked, says so, and serves a mend at once`()
        throws
    {
        try folder.write(#"{"mode": "good", "other": 1}"#, to: "settings/settings.json")
        try healthyStart()
        try edit("{\n  \"mode\": \"bad\",\n  \"other\": 2\n}\n")
        let file = try folder.read("settings/settings.json")
        for _ in 0..<3 { #expect(try start() == nil) }
        let (peer, answer) = try #require(try start())
        #expect(answer == "safe")
        #expect(try peer.ask("get mode") == "\"good\"")
        #expect(try peer.ask("get other") == "1")
        #expect(
            try peer.ask("withheld") == #"["mode: \"good\" -> \"bad\"", "other: 1 -> 2"]"#)
        #expect(try peer.ask("failures") == "withheld")
        let lines = try peer.ask("explainall mode")
        #expect(lines.contains("good.json:1:10): applies"), "\(lines)")
        #expect(lines.contains("settings.json:2:11): withheld after 3 failed starts"), "\(lines)")
        #expect(try folder.read("settings/settings.json") == file)

        // The rest is withheld until it is mended too, or accepted.
        try edit(#"{"mode": "mended", "other": 2}"#)
        #expect(try eventually { try peer.ask("get mode") == "\"mended\"" })
        #expect(try peer.ask("get other") == "1")
        try peer.expectOK("accept")
        #expect(try peer.ask("get other") == "2")
        #expect(try peer.ask("withheld") == "[]")
        try peer.expectOK("healthy")
        try peer.close()
        try healthyStart()
    }

    @Test func `a mend between two starts of a crash loop is served at the next one`() throws {
        try folder.write(#"{"mode": "good"}"#, to: "settings/settings.json")
        try healthyStart()
        try edit(#"{"mode": "bad"}"#)
        for _ in 0..<3 { #expect(try start() == nil) }
        try edit(#"{"mode": "mended"}"#)
        let (peer, answer) = try #require(try start())
        #expect(answer == "usual")
        #expect(try peer.ask("get mode") == "\"mended\"")
    }

    @Test func `a crash loop without a change is never safe`() throws {
        try folder.write(#"{"mode": "bad"}"#, to: "settings/settings.json")
        for _ in 0..<5 { #expect(try start() == nil) }
        try edit(#"{"mode": "good"}"#)
        try healthyStart()
        // Killed for another reason, each time.
        for _ in 0..<5 {
            let (peer, answer) = try #require(try start())
            #expect(answer == "usual")
            peer.kill()
        }
    }

    @Test func `a value that another process stores is served by a safe start`() throws {
        try folder.write(#"{"mode": "good"}"#, to: "settings/settings.json")
        try healthyStart()
        try edit(#"{"mode": "bad"}"#)
        for _ in 0..<3 { #expect(try start() == nil) }
        let (peer, answer) = try #require(try start())
        #expect(answer == "safe")
        try folder.suite().set("new", forKey: "mode")
        #expect(try peer.ask("get mode") == "\"new\"")
        try peer.expectOK("healthy")
        try peer.close()
        try healthyStart()
    }

    @Test func `a kill at any moment of a start costs at most that start, and leaves whole files`() throws {
        try folder.write(#"{"mode": "good"}"#, to: "settings/settings.json")
        try healthyStart()
        try edit(#"{"mode": "other"}"#)
        let history = "\(folder.path)/settings/.settings.json.history"
        var (counted, answered) = (0, 0)
        for round in 0..<Soak.times(40) {
            let peer = try Peer.opening(in: folder)
            let isMarked = round % 4 == 3
            try peer.send("beginstart 3 mode")
            if isMarked { try peer.send("healthy") }
            // Now and then when it has answered, so that this is met on any machine.
            let first = round % 5 == 0 ? [try peer.receive()] : []
            spin(for: .microseconds(.random(in: 0...20_000)))
            peer.kill()
            let lines = try first + linesLeft(of: peer)
            #expect(lines.allSatisfy { ["safe", "usual", "ok"].contains($0) }, "\(lines)")
            // The settings are what they were, and each file is the old one or the new one.
            #expect(try folder.read("settings/settings.json") == #"{"mode": "other"}"#)
            let good = try object(history + "/good.json")
            #expect([["mode": "good"], ["mode": "other"]].contains(good as? [String: String]))
            let present =
                FileManager.default.fileExists(atPath: history + "/start.json")
                ? try #require(try object(history + "/start.json")["failed"] as? Int) : 0
            if !isMarked {
                #expect(present == counted + 1 || present == counted && lines.isEmpty)
                #expect(good["mode"] as? String == "good")
            }
            (counted, answered) = (present, answered + (lines.isEmpty ? 0 : 1))
            if isMarked {
                // Begin again with a change.
                let healthy = try Peer.opening(in: folder)
                _ = try healthy.ask("beginstart 3 mode")
                try healthy.expectOK("accept")
                try edit(#"{"mode": "good"}"#)
                #expect(try eventually { try healthy.ask("get mode") == "\"good\"" })
                try healthy.expectOK("healthy")
                try healthy.close()
                try edit(#"{"mode": "other"}"#)
                counted = 0
            }
        }
        #expect(answered > 0)
    }

    @Test func `processes that begin a start at the same time damage nothing`() throws {
        try folder.write(#"{"mode": "good"}"#, to: "settings/settings.json")
        try healthyStart()
        try edit(#"{"mode": "other"}"#)
        let peers = try (0..<6).map { _ in try Peer.opening(in: folder) }
        for _ in 0..<Soak.times(10) {
            for (number, peer) in peers.enumerated() {
                try peer.send("beginstart 3 mode")
                try peer.send(number == 0 ? "healthy" : number == 1 ? "accept" : "withheld")
            }
            for peer in peers {
                #expect(["safe", "usual"].contains(try peer.receive()))
                #expect(try !peer.receive().hasPrefix("error"))
            }
        }
        #expect(try peers.map { try $0.ask("failures") }.allSatisfy { !$0.contains("malformed") })
        #expect(try folder.read("settings/settings.json") == #"{"mode": "other"}"#)
    }

    private func object(_ path: String) throws -> [String: Any] {
        let text = try Data(contentsOf: URL(filePath: path))
        return try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    }

    private func linesLeft(of peer: Peer) throws -> [String] {
        var lines: [String] = []
        while true {
            do { lines.append(try peer.receive()) } catch Peer.Failure.ended { return lines }
        }
    }

    /// Moves the kill to a random place of the start; nothing rests on how long it takes.
    private func spin(for time: Duration) {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {}
    }
}
