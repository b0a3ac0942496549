/// A person saves the settings file while a checkpoint stands between two system calls: nothing that was saved is lost.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct SavedMeanwhileTests {
    private let folder: TemporaryFolder
    private let writer: Peer

    init() throws {
        folder = try TemporaryFolder()
        writer = try Peer.opening(in: folder)
        try writer.expectOK("listen")
        // Or the file may follow meanwhile, on a thread that is not traced.
        #expect(try writer.ask("leaveout scheduledCheckpoints") == "ok")
        #expect(try writer.answers(to: ["save w 1", "save w 2"]) == ["ok", "ok"])
    }

    /// What was saved by hand beside a checkpoint, and where it is.
    private struct Round: Equatable {
        let calls: [Strace.Call]
        /// Those of them that the writer made this time.
        let made: [Strace.Call]
        let answer: String
        let written: Int
        /// The keys that a person has added, each with the number of the round.
        let saved: [String]
        let inFile: [String: Int]
        /// The texts that were kept beside the file.
        let kept: [[String: Int]]
        let leftovers: [String]
        let next: String

        var isRight: Bool {
            let isSaved = saved.allSatisfy { key in
                inFile[key] == written || kept.contains { $0[key] == written }
            }
            // The last save is the one that a person sees.
            let last = saved.last.map { inFile[$0] == written } ?? true
            return answer == "ok" && inFile["w"] == written && isSaved && last && leftovers == []
                && next == "ok"
        }
    }

    @Test func `a save at any step of a checkpoint is in the file`() throws {
        let calls = try callsOfSave()
        #expect(
            Set(["flock", "openat", "linkat", "renameat2", "unlinkat"]).subtracting(calls.map(\.name)) == [])
        let rounds = try calls.indices.map { try round(stoppingAt: [calls[$0]], number: 100 + $0) }
        #expect(rounds.filter { !$0.isRight || !$0.kept.isEmpty } == [])
        #expect(rounds.filter { $0.saved.count != $0.made.count } == [])
        // A look more or less is made, by how young the file and its folder are. Whoever lets go of a descriptor
        // last closes it: that may be the thread that listens.
        let unsure: Set = ["statx", "newfstatat", "close"]
        #expect(rounds.filter { $0.made.isEmpty }.flatMap(\.calls).filter { !unsure.contains($0.name) } == [])
    }

    @Test func `of two saves at two steps of a checkpoint both are in the file or kept beside it`() throws {
        let calls = try callsOfSave()
        let pairs = zip(calls, calls.dropFirst()).filter { $0.name != $1.name }
        let rounds = try zip(pairs, 100...).map { try round(stoppingAt: [$0.0, $0.1], number: $1) }
        #expect(rounds.filter { !$0.isRight } == [])
        #expect(rounds.contains { $0.saved.count == 2 })
    }

    @Test func `two saves around an exchange: the second is in the file, the first is kept`() throws {
        let link = Strace.Call(name: "linkat", occurrence: 1)
        let exchange = Strace.Call(name: "renameat2", occurrence: 1)
        let round = try round(stoppingAt: [link, exchange], number: 100, isForgetful: true)
        #expect(round.isRight)
        #expect(round.saved.count == 2)
        #expect(round.kept.map { $0["saved0"] } == [100])
        #expect(round.inFile == ["w": 100, "saved1": 100])
    }

    @Test func `who reads between the exchange and the journal's new beginning sees the next save by hand`()
        throws
    {
        let reader = try Peer.opening(in: folder)
        #expect(try reader.ask("get w") == "2")
        let stop = ["-e", "trace=%file,%desc", "-e", "inject=renameat2:signal=STOP:when=1"]
        let strace = try Strace(holding: [writer], stop)
        try writer.send("save w 3")
        #expect(try writer.answerOrStop() == nil)
        #expect(try reader.ask("get w") == "3")
        writer.resume()
        #expect(try writer.answerOrStop() == "ok")
        strace.finish()
        #expect(try reader.ask("get w") == "3")
        try saveByHand("w", 4, forgetting: [])
        #expect(try eventually { try reader.ask("get w") == "4" })
    }

    @Test func `where two names cannot be exchanged the file is replaced all the same`() throws {
        let strace = try Strace(writer, "renameat2:error=EINVAL")
        #expect(try writer.ask("save w 3") == "ok")
        let calls = try strace.calls()
        #expect(calls.contains { $0.name == "renameat2" })
        #expect(try folder.numbersInFile() == ["w": 3])
        #expect(try leftovers() == [])
    }

    /// The calls of a checkpoint and of the write before it.
    private func callsOfSave() throws -> [Strace.Call] {
        let strace = try Strace(writer)
        #expect(try writer.ask("save w 3") == "ok")
        // The answer is the end.
        return try strace.calls().filter { $0.name != "write" }
    }

    /// Stops the writer behind some calls, and saves the file each time.
    ///
    /// - Parameter isForgetful: whether a person's second save knows nothing of the first, as that of another program.
    private func round(
        stoppingAt calls: [Strace.Call], number: Int, isForgetful: Bool = false
    ) throws -> Round {
        let faults = calls.flatMap { ["-e", "inject=\($0.name):signal=STOP:when=\($0.occurrence)"] }
        let strace = try Strace(holding: [writer], ["-e", "trace=%file,%desc"] + faults)
        defer { strace.finish() }
        var saved: [String] = []
        try writer.send("save w \(number)")
        var answer = try writer.answerOrStop()
        while answer == nil {
            let key = "saved\(saved.count)"
            try saveByHand(key, number, forgetting: isForgetful ? saved : [])
            saved.append(key)
            writer.resume()
            answer = try writer.answerOrStop()
        }
        let made = Set(try strace.calls())
        return Round(
            calls: calls, made: calls.filter(made.contains), answer: answer ?? "", written: number,
            saved: saved,
            inFile: try folder.numbersInFile(), kept: try takeKept(), leftovers: try leftovers(),
            next: try Peer.opening(in: folder).ask("save other \(number)"))
    }

    /// Adds a key to what is in the file, as an editor saves: a new file that takes the name.
    private func saveByHand(_ key: String, _ number: Int, forgetting others: [String]) throws {
        var numbers = try folder.numbersInFile()
        numbers[key] = number
        for other in others { numbers[other] = nil }
        let bytes = try JSONSerialization.data(withJSONObject: numbers)
        try bytes.write(to: URL(filePath: folder.settingsPath()), options: .atomic)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/settings").sorted()
    }

    private func leftovers() throws -> [String] {
        try names().filter { $0.hasSuffix(".tmp") || $0.hasSuffix(".old") }
    }

    /// The files that were kept, which go with that.
    private func takeKept() throws -> [[String: Int]] {
        try names().filter { $0.contains("damaged") }.map { name in
            let file = URL(filePath: "\(folder.path)/settings/\(name)")
            let numbers = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Int])
            try FileManager.default.removeItem(at: file)
            return numbers
        }
    }
}
