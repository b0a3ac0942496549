/// A person edits one member of an object while a program's change of another one is on its way to the file.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread) struct MemberRecordTests {
    private let folder: TemporaryFolder
    private let peers: [Peer]

    init() throws {
        let folder = try TemporaryFolder()
        peers = try (0..<2).map { _ in try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints") }
        self.folder = folder
        for command in [#"set o {"a": 1, "b": 1, "c": {"d": 1, "e": 1}}"#, "checkpoint"] {
            #expect(try peers[0].ask(command) == "ok")
        }
    }

    private func save(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.settingsPath()), options: .atomic)
    }

    private func expectEverywhere(_ value: String) throws {
        for peer in try peers + [Peer.opening(in: folder)] {
            #expect(try eventually { try peer.ask("get o") == value })
        }
    }

    @Test func `a person's edit of another member is kept, whichever process brings it in (F25)`() throws {
        #expect(try peers[1].ask(#"set o {"a": 2, "b": 1, "c": {"d": 2, "e": 1}}"#) == "ok")
        try save("{\n  \"o\": {\"b\": 9, // mine\n    \"a\": 1, \"c\": {\"e\": 9, \"d\": 1}}\n}\n")
        let value = #"{"b": 9, "a": 2, "c": {"e": 9, "d": 2}}"#
        try expectEverywhere(value)
        #expect(try peers[0].ask("checkpoint") == "ok")
        let text = try String(contentsOfFile: folder.settingsPath(), encoding: .utf8)
        #expect(
            text
                == "{\n  \"o\": {\"b\": 9, // mine\n    \"a\": 2, \"c\": {\"e\": 9, \"d\": 2}}\n}\n")
        try expectEverywhere(value)
    }

    @Test func `several records of an object, removals among them, leave the rest alone (F25)`() throws {
        for value in [#"{"a": 2, "b": 1}"#, #"{"a": 2, "b": 1, "n": null}"#, #"{"a": 3, "b": 1, "n": null}"#]
        {
            #expect(try peers[1].ask("set o " + value) == "ok")
        }
        try save(#"{"o": {"a": 1, "b": 9, "c": {"d": 1}, "x": 1}}"#)
        try expectEverywhere(#"{"a": 3, "b": 9, "x": 1, "n": null}"#)
        #expect(try peers[1].ask("checkpoint") == "ok")
        try expectEverywhere(#"{"a": 3, "b": 9, "x": 1, "n": null}"#)
    }

    @Test func `what was removed and set again is whole (F25)`() throws {
        #expect(try peers[1].ask("remove o") == "ok")
        #expect(try peers[1].ask(#"set o {"a": 2}"#) == "ok")
        try save(#"{"o": {"a": 1, "b": 9}}"#)
        try expectEverywhere(#"{"a": 2}"#)
    }
}

/// Two processes set different members of one struct, as whole values and without looking at what is stored.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct UnreadMemberTests {
    private static let text = "{\n  \"p\": {\"a\": 0, \"b\": 0, // of b\n    \"c\": 0}\n}\n"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func peers(leavingOut parts: String? = nil) throws -> [Peer] {
        try folder.write(Self.text, to: "settings/settings.json")
        let peers = try (0..<2).map { _ in try Peer.opening(in: folder, leavingOut: parts) }
        // What each of them goes on from.
        for peer in peers { try peer.expectOK("setpart p 0 0") }
        return peers
    }

    private func save(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.settingsPath()), options: .atomic)
    }

    @Test func `neither of two processes undoes the other, nor what a person edits (F25)`() throws {
        let peers = try peers()
        let count = Soak.times(200)
        for (peer, member) in zip(peers, ["a", "b"]) { try peer.send("countpart p \(member) \(count)") }
        for edit in 1...3 {
            let text = try String(contentsOfFile: folder.settingsPath(), encoding: .utf8)
            try save(text.replacing(/"c": \d+/, with: "\"c\": \(edit)"))
        }
        for peer in peers { #expect(try peer.receive(within: .seconds(300)) == "ok") }
        // A person may have saved numbers of before.
        try peers[0].expectOK("setpart p \(count + 1) 0")
        try peers[1].expectOK("setpart p 0 \(count + 1)")
        let suite = try folder.suite()
        let value: DefaultsValue = [
            "a": .number(DefaultsNumber(count + 1)), "b": .number(DefaultsNumber(count + 1)), "c": 3,
        ]
        #expect(try suite.storedValues() == ["p": value])
        for peer in peers { try peer.expectOK("checkpoint") }
        #expect(
            try folder.read("settings/settings.json")
                == Self.text.replacing("\"a\": 0", with: "\"a\": \(count + 1)")
                .replacing("\"b\": 0", with: "\"b\": \(count + 1)")
                .replacing("\"c\": 0", with: "\"c\": 3"))
    }

    @Test(arguments: 0...2)
    func `killed processes' members and a person's are all kept, whichever was first (F25)`(
        _ place: Int
    ) throws {
        let peers = try peers(leavingOut: "scheduledCheckpoints")
        for (step, command) in ["setpart p 2 0", "setpart p 0 2", ""].enumerated() {
            if step == place { try save(Self.text.replacing("\"c\": 0", with: "\"c\": 9")) }
            guard step < 2 else { break }
            try peers[step].expectOK(command)
            peers[step].kill()
            #expect(try peers[step].close() == .signal(9))
        }
        let suite = try folder.suite()
        #expect(try suite.storedValues() == ["p": ["a": 2, "b": 2, "c": 9]])
        try suite.checkpoint()
        #expect(
            try folder.read("settings/settings.json")
                == "{\n  \"p\": {\"a\": 2, \"b\": 2, // of b\n    \"c\": 9}\n}\n")
    }
}
