/// Files that somebody deletes, moves, edits or links while programs run.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct ForeignFileTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let peer: Peer
    private let heard = Recorder<DefaultsChange>()

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        peer = try Peer.opening(in: folder)
        try peer.ask("save n 1")
    }

    private func observe() -> DefaultsObservation {
        suite.observe(forKey: "n", options: [.old, .new]) { [heard] in heard.append($0) }
    }

    @Test func `a deleted settings file is heard by both processes and made anew by a write`() throws {
        let observation = observe()
        try peer.ask("observe n")
        try FileManager.default.removeItem(atPath: folder.settingsPath())
        #expect(heard.wait(for: 1))
        #expect(heard.all.map(\.oldValue) == [1])
        #expect(heard.all.map(\.newValue) == [nil])
        #expect(heard.all.map(\.cause) == [.fileEdited])
        #expect(try peer.ask("events 1") == #"[[1, null, "fileEdited"]]"#)
        #expect(
            try [suite.value(forKey: "n")?.description ?? "none", peer.ask("get n")] == ["none", "none"])
        observation.invalidate()

        #expect(try peer.ask("set m 2") == "ok")
        #expect(try suite.storedValues() == ["m": 2])
    }

    @Test func `a deleted folder is nobody's write, whoever wrote last and however soon it is made again`()
        throws
    {
        let observation = observe()
        defer { observation.invalidate() }
        #expect(try peer.ask("observe n") == "ok")
        try FileManager.default.removeItem(atPath: folder.path + "/settings")
        #expect(heard.wait(for: 1))
        #expect(heard.all.map(\.cause) == [.fileEdited])
        #expect(try peer.ask("events 1") == #"[[1, null, "fileEdited"]]"#)
    }

    @Test(arguments: [true, false])
    func `what goes with a deleted folder is nobody's write, though this process writes at once`(
        isInFile: Bool
    ) throws {
        if !isInFile { #expect(try peer.ask("leaveout scheduledCheckpoints") == "ok") }
        #expect(try peer.ask("set m 5") == "ok")
        let observation = observe()
        defer { observation.invalidate() }
        #expect(suite.value(forKey: "m") == 5)
        try FileManager.default.removeItem(atPath: folder.path + "/settings")
        try suite.set(2, forKey: "n")
        #expect(heard.wait { $0.last?.newValue == 2 })
        // In one step or in two: that the old value is gone is told of, or only what has come.
        #expect(heard.all.dropLast().allSatisfy { $0.newValue == nil && $0.cause == .fileEdited })
        #expect(heard.all.last?.cause == .thisProcess)
    }

    @Test(arguments: [true, false])
    func `a save in place is heard though its program keeps the file open`(isObserved: Bool) throws {
        let observation = isObserved ? observe() : nil
        defer { observation?.invalidate() }
        // Until this process listens, each read looks at the files.
        for _ in 0..<100 { _ = suite.value(forKey: "n") }
        let file = try #require(FileHandle(forUpdatingAtPath: folder.settingsPath()))
        for number in 2...4 {
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data("{\n  \"n\": \(number)\n}\n".utf8))
            if isObserved { #expect(heard.wait { $0.last?.newValue == DefaultsValue(number) }) }
            #expect(eventually { suite.value(forKey: "n") == DefaultsValue(number) })
        }
        try file.close()
        #expect(heard.all.allSatisfy { $0.cause == .fileEdited })
    }

    @Test func `a save in place is heard of a file that this process, or another, has just put in place`()
        throws
    {
        let observation = observe()
        defer { observation.invalidate() }
        for number in 2...6 {
            if number % 2 == 0 {
                try suite.set(DefaultsValue(number), forKey: "n")
                try suite.checkpoint()
            } else {
                #expect(try [peer.ask("set n \(number)"), peer.ask("checkpoint")] == ["ok", "ok"])
            }
            #expect(heard.wait { $0.last?.newValue == DefaultsValue(number) })
            let file = try #require(FileHandle(forUpdatingAtPath: folder.settingsPath()))
            try file.write(contentsOf: Data("{\n  \"n\": \(number + 1_0)\n}".utf8))
            #expect(heard.wait { $0.last?.newValue == DefaultsValue(number + 10) })
            try file.close()
        }
    }

    @Test func `a save that is cut off after another process's checkpoint costs no value`() throws {
        #expect(try peer.ask("set m 2") == "ok")
        #expect(try suite.storedValues() == ["n": 1, "m": 2])
        #expect(try peer.ask("checkpoint") == "ok")
        suite.onFailure = { _ in }
        try folder.write("{", to: "settings/settings.json")
        #expect(suite.value(forKey: "m") == 2)
        try suite.set(3, forKey: "k")
        #expect(["n", "m", "k"].map { suite.value(forKey: $0) } == [1, 2, 3])
        #expect(try [peer.ask("get n"), peer.ask("get m"), peer.ask("get k")] == ["1", "2", "3"])
        _ = try suite.repairFiles()
        #expect(try suite.storedValues() == ["n": 1, "m": 2, "k": 3])
    }

    @Test func `values read before another process's writes are not put over them when the file is damaged`()
        throws
    {
        suite.onFailure = { _ in }
        #expect(suite.value(forKey: "n") == 1)
        #expect(try [peer.ask("set n 2"), peer.ask("checkpoint")] == ["ok", "ok"])
        try folder.write("{\n  \"n\": 2,\n  oops\n}\n", to: "settings/settings.json")
        #expect(suite.value(forKey: "n") == 2)
        try suite.set(3, forKey: "k")
        #expect(try [peer.ask("get n"), peer.ask("get k")] == ["2", "3"])
    }

    @Test(arguments: ["checkpoint", "set m 3"])
    func `Acknowledged means kept: values whose journal was taken away, the lock file too, come to others`(
        _ next: String
    ) throws {
        let writer = try Peer.opening(in: folder)
        #expect(try writer.answers(to: ["leaveout scheduledCheckpoints", "set n 2"]) == ["ok", "ok"])
        for name in [".settings.json.lock", ".settings.json.journal"] {
            try FileManager.default.removeItem(atPath: "\(folder.path)/settings/\(name)")
        }
        #expect(try writer.ask(next) == "ok")
        #expect(try Peer.opening(in: folder).ask("get n") == "2")
    }

    @Test func `Acknowledged means kept: a journal that was taken away is made again by a write`() throws {
        let writer = try Peer.opening(in: folder)
        #expect(try writer.answers(to: ["leaveout scheduledCheckpoints", "set n 2"]) == ["ok", "ok"])
        try FileManager.default.removeItem(atPath: folder.path + "/settings/.settings.json.journal")
        #expect(try writer.ask("set m 3") == "ok")
        #expect(try Peer.opening(in: folder).ask("stored") == #"{"m": 3, "n": 2}"#)
    }

    @Test func `a transaction whose lock file was taken away does not undo what it has not seen (F8)`() throws
    {
        let key = Defaults.Key<Int>("n", default: 0, suite: suite)
        // Cached from here on.
        #expect((Defaults[key], Defaults[key]) == (1, 1))
        let error = #expect(throws: DefaultsError.self) {
            try suite.withTransaction { _ in
                let seen = Defaults[key]
                try FileManager.default.removeItem(atPath: folder.path + "/settings/.settings.json.lock")
                #expect(try Peer.opening(in: folder).ask("modify n subscript 1") == "ok")
                Defaults[key] = seen + 1
            }
        }
        #expect(error?.code == .conflict)
        #expect(try suite.storedValues() == ["n": 2])
    }

    @Test func `an edit right after another process's checkpoint is the editor's change`() throws {
        let observer = try Peer.opening(in: folder)
        #expect(try observer.ask("observe n") == "ok")
        #expect(try peer.ask("set n 2") == "ok")
        #expect(try observer.ask("events 1").hasPrefix(#"[[1, 2, "otherProcess "#))
        // It sleeps through the checkpoint and the edit, and finds both at once.
        observer.stop()
        #expect(try peer.ask("checkpoint") == "ok")
        try folder.write(#"{"n": 3}"#, to: "settings/settings.json")
        observer.resume()
        let heard = try observer.ask("events 1")
        #expect(heard == #"[[2, 3, "fileEdited"]]"#)
    }

    @Test func `a deleted folder is made anew by the next write, and every process reads it`() throws {
        let observation = observe()
        try FileManager.default.removeItem(atPath: folder.path + "/settings")
        #expect(try peer.ask("set n 3") == "ok")
        #expect(heard.wait { $0.last?.newValue == 3 })
        #expect(suite.value(forKey: "n") == 3)
        try suite.set(4, forKey: "n")
        #expect(try peer.ask("get n") == "4")
        observation.invalidate()
    }

    /// Read before or after that, or both.
    @Test(arguments: [(true, false), (true, true), (false, true)])
    func `what a killed program wrote comes into the file, though its lock file was taken away`(
        isReadBefore: Bool, isReadAfter: Bool
    ) throws {
        #expect(suite.value(forKey: "n") == 1)
        for command in ["leaveout scheduledCheckpoints", "set n 3"] { #expect(try peer.ask(command) == "ok") }
        peer.kill()
        if isReadBefore { #expect(suite.value(forKey: "n") == 3) }
        try FileManager.default.removeItem(atPath: folder.path + "/settings/.settings.json.lock")
        if isReadAfter { #expect(suite.value(forKey: "n") == 3) }
        let file = URL(filePath: folder.settingsPath())
        #expect(try eventually { try String(contentsOf: file, encoding: .utf8).contains("\"n\": 3") })
    }

    @Test func `a deleted folder is not made anew by a program that ends`() throws {
        for command in ["leaveout scheduledCheckpoints", "set n 3"] { #expect(try peer.ask(command) == "ok") }
        try FileManager.default.removeItem(atPath: folder.path + "/settings")
        try peer.close()
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/settings"))
    }

    @Test func `a deleted folder that is made anew later is found by a process that saw it go`() throws {
        let observation = observe()
        try FileManager.default.removeItem(atPath: folder.path + "/settings")
        #expect(heard.wait(for: 1))
        #expect(heard.all.map(\.newValue) == [nil])
        #expect(try peer.ask("set n 3") == "ok")
        #expect(heard.wait { $0.last?.newValue == 3 })
        #expect(suite.value(forKey: "n") == 3)
        observation.invalidate()
    }

    @Test func `Acknowledged means kept: a newcomer reads what is written after a folder moved`() throws {
        try FileManager.default.moveItem(atPath: folder.path + "/settings", toPath: folder.path + "/moved")
        #expect(try peer.ask("set n 3") == "ok")
        #expect(try Peer.opening(in: folder).ask("get n") == "3")
    }

    @Test func `a deleted lock file is made anew, and no update is lost after that`() throws {
        let observation = observe()
        try FileManager.default.removeItem(atPath: folder.path + "/settings/.settings.json.lock")
        try peer.send("threads n modify 2 25")
        let key = Defaults.Key<Int>("n", default: 0, suite: suite)
        try withThreads(2) { [suite] _ in
            for _ in 0..<25 { try suite.modify(key) { $0 += 1 } }
        }
        #expect(try peer.receive(within: .seconds(120)) == "ok")
        #expect(heard.wait { $0.last?.newValue == 101 })
        #expect(try [suite.value(forKey: "n")?.description ?? "none", peer.ask("get n")] == ["101", "101"])
        observation.invalidate()
    }

    @Test func `The file is yours: another process's write keeps every other byte`() throws {
        let text = """
            {
              // by hand
              "theme" : {"dark":true,   "name":"\\u00e9"},
              "pi": 3.141592653589793238462643383279,
              "n": 1
            }

            """
        try folder.write(text, to: "settings/settings.json")
        // It has to live until the file has followed.
        let writer = try Peer.opening(in: folder)
        #expect(try [writer.ask("set n 2"), writer.ask("checkpoint")] == ["ok", "ok"])
        let expected = text.replacingOccurrences(of: #""n": 1"#, with: #""n": 2"#)
        #expect(try folder.read("settings/settings.json") == expected)
    }

    private struct Frame: Codable, Sendable { var w = 800, h = 600 }

    @Test func `The file is yours: an older program leaves a newer one's members and comments`() throws {
        try folder.write(
            "{\n  \"frame\": {\n    \"w\": 800, // left\n    \"h\": 600\n  }\n}\n",
            to: "settings/settings.json")
        // The newer one has a depth.
        let newer = try Peer.opening(in: folder)
        #expect(try newer.ask(#"set frame {"w":800,"h":600,"depth":3}"#) == "ok")
        let frame = Defaults.Key<Frame>("frame", default: Frame(), suite: suite)
        Defaults[frame].w = 801
        #expect(try newer.ask("get frame") == #"{"w": 801, "h": 600, "depth": 3}"#)
        #expect(try newer.ask(#"set frame {"w":801,"h":600,"depth":4}"#) == "ok")
        try suite.set(frame, to: Frame(w: 802))
        try suite.checkpoint()
        #expect(
            try folder.read("settings/settings.json")
                == "{\n  \"frame\": {\n    \"w\": 802, // left\n    \"h\": 600,\n    \"depth\": 4\n  }\n}\n")
    }

    @Test func `a link in the settings file's place stays a link, and its target gets the change`() throws {
        let linked = try TemporaryFolder()
        try folder.write(#"{ "n": 1 }"#, to: "dotfiles/mine.json")
        try linked.write("", to: "settings/other")
        let (link, target) = (linked.settingsPath(), folder.path + "/dotfiles/mine.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let (first, second) = (try Peer.opening(in: linked), try Peer.opening(in: linked))
        #expect(try first.ask("modify n subscript 1") == "ok")
        #expect(try second.ask("modify n subscript 1") == "ok")
        #expect(try second.ask("checkpoint") == "ok")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try folder.read("dotfiles/mine.json") == #"{ "n": 3 }"#)
        #expect(try first.ask("get n") == "3")
    }
}
