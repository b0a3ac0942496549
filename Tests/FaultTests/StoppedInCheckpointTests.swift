/// A process that is stopped in the middle of a checkpoint, while a person writes into its journal, or others go on.
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct StoppedInCheckpointTests {
    @Test(arguments: ["fsync", "fdatasync"])
    func `a line that somebody writes into the journal during a checkpoint is kept (F3)`(_ call: String)
        throws
    {
        let folder = try TemporaryFolder()
        let writer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        #expect(try writer.ask("set a 1") == "ok")
        let strace = try Strace(writer, "\(call):signal=STOP:when=1")
        #expect(try writer.answerOrStop(to: "checkpoint") == nil)
        let hand = try FileHandle(
            forUpdating: URL(filePath: "\(folder.path)/settings/.settings.json.journal"))
        try hand.seekToEnd()
        try hand.write(contentsOf: Data("a note\n".utf8))
        try hand.close()
        writer.resume()
        #expect(try writer.receive() == "ok")
        strace.finish()
        let kept = try String(
            contentsOfFile: folder.path + "/settings/settings.json.damaged-1", encoding: .utf8)
        #expect(kept.hasSuffix("a note\n"))
        #expect(try writer.ask("set b 2") == "ok")
        #expect(try writer.ask("checkpoint") == "ok")
        let text = try String(contentsOfFile: folder.path + "/settings/settings.json", encoding: .utf8)
        #expect(text == "{\n  \"a\": 1,\n  \"b\": 2\n}\n")
    }

    /// The waits for the next file, for the journal, and for the folder.
    @Test(arguments: [("fsync", 1), ("fdatasync", 1), ("fsync", 2)])
    func `while a checkpoint waits for the disk, others write, and what they write stays (F18)`(
        _ call: String, _ occurrence: Int
    ) throws {
        let folder = try TemporaryFolder()
        let peers = try (0..<2).map { _ in try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints") }
        let (stopped, writer) = (peers[0], peers[1])
        #expect(try stopped.ask("set a 1") == "ok")
        #expect(try stopped.ask("set b 1") == "ok")
        let strace = try Strace(stopped, "\(call):signal=STOP:when=\(occurrence)")
        try #require(try stopped.answerOrStop(to: "checkpoint") == nil)
        // Whoever had to wait for the lock would be told an error in the end.
        #expect(try writer.ask("set a 2") == "ok")
        #expect(try writer.ask("transact c 2 d 2") == "ok")
        let newcomer = try Peer.opening(in: folder)
        let all = #"{"a": 2, "b": 1, "c": 2, "d": 2}"#
        #expect(try newcomer.ask("stored") == all)
        stopped.resume()
        #expect(try stopped.receive() == "ok")
        strace.finish()
        // What it was asked for is that the file holds all.
        #expect(try folder.numbersInFile() == ["a": 2, "b": 1, "c": 2, "d": 2])
        for peer in peers + [newcomer] { #expect(try peer.ask("stored") == all) }
        #expect(try writer.ask("set b 3") == "ok")
        #expect(try stopped.ask("get b") == "3")
    }

    /// What another program makes of the file, what is stored then, and the value that an observer of `a` is given.
    struct Save: Sendable {
        var text: String?
        let stored: String
        var change: String?
    }

    /// A save of the key, of another one, and a removal of the file.
    static let saves = [
        Save(text: #"{"a": 9}"#, stored: #"{"a": 9}"#, change: "9"),
        Save(text: #"{"a": 2, "b": 9}"#, stored: #"{"a": 2, "b": 9}"#),
        Save(stored: "{}", change: "null"),
    ]

    @Test(arguments: saves, [false, true])
    func `a save over a file that had the records is not taken back, and is observed (F26)`(
        _ save: Save, _ isWrittenMeanwhile: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let peers = try (0..<2).map { _ in try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints") }
        let (stopped, other) = (peers[0], peers[1])
        for command in ["set a 1", "checkpoint", "set a 2"] { #expect(try stopped.ask(command) == "ok") }
        #expect(try other.ask("get a") == "2")
        try stopped.expectOK("observe a")
        // The new file has its name, and the folder is waited for.
        let strace = try Strace(stopped, "fsync:signal=STOP:when=2")
        try #require(try stopped.answerOrStop(to: "checkpoint") == nil)
        #expect(try folder.numbersInFile() == ["a": 2])
        if isWrittenMeanwhile { #expect(try other.ask("set c 3") == "ok") }
        let file = URL(filePath: folder.settingsPath())
        if let text = save.text {
            try Data(text.utf8).write(to: file, options: .atomic)
        } else {
            try FileManager.default.removeItem(at: file)
        }
        // It may have loaded the save with the records over it.
        _ = try other.ask("stored")
        stopped.resume()
        #expect(try stopped.receive() == "ok")
        strace.finish()
        let rest = isWrittenMeanwhile ? #""c": 3}"# : "}"
        let stored = save.stored.dropLast() + (isWrittenMeanwhile && save.stored != "{}" ? ", " : "") + rest
        for peer in try peers + [Peer.opening(in: folder)] {
            #expect(try eventually { try peer.ask("stored") == stored })
        }
        if let change = save.change {
            #expect(try stopped.ask("events 1") == "[[2, \(change), \"fileEdited\"]]")
        }
        #expect(try other.ask("checkpoint") == "ok")
        let numbers = try JSONDecoder().decode([String: Int].self, from: Data(stored.utf8))
        #expect(try folder.numbersInFile() == numbers)
    }

    @Test func `what the file that made way had on the disk is freed when the lock has been given back`()
        throws
    {
        let folder = try TemporaryFolder()
        let stopped = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        for command in ["set a 1", "checkpoint", "set a 2"] { #expect(try stopped.ask(command) == "ok") }
        // While the folder is waited for.
        let strace = try Strace(stopped, "fsync:signal=STOP:when=2")
        try #require(try stopped.answerOrStop(to: "checkpoint") == nil)
        #expect(try deletedFiles(of: stopped).contains { $0.contains("settings.json") })
        stopped.resume()
        #expect(try stopped.receive() == "ok")
        strace.finish()
        // The thread that listens may have it open for as long as it looks.
        #expect(try eventually { try !deletedFiles(of: stopped).contains { $0.contains("settings.json") } })
    }

    private func deletedFiles(of peer: Peer) throws -> [String] {
        let open = "/proc/\(peer.processID)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: open).compactMap {
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: open + "/" + $0)
            // The name that it was opened by may be gone, and the file have another.
            var status = stat()
            let hasNone = stat("\(open)/\($0)", &status) == 0 && status.st_nlink == 0
            return hasNone ? target : nil
        }
    }
}
