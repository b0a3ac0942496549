/// Real file systems that lose their power, and what the store finds on them afterwards.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct ShutdownTests {
    /// What a power loss left behind, and what had been said before it.
    private struct Round: Equatable {
        /// The last number that was promised to survive, and the last that was begun to be written.
        var promised: Int
        var begun: Int
        /// The settings file, read without the store.
        var inFile: [String: Int] = [:]
        var found: [String: Int] = [:]
        var answers: [String] = []

        /// The keys are written in one transaction, each time to the same number.
        var isRight: Bool {
            let number = found["a"] ?? 0
            return (promised...max(promised, begun)).contains(number) && found["b"] ?? 0 == number
                && inFile["a"] == inFile["b"] && inFile["a"] ?? 0 <= number
                && answers == ["ok", "ok", "ok", "\(begun)"]
        }
    }

    @Test(.powerLoss(on: .ext4), arguments: DiskImage.PowerLoss.allCases)
    func `what was promised survives when ext4 loses its power`(_ loss: DiskImage.PowerLoss) throws {
        try expectPromisesKept(on: .ext4, loss)
    }

    @Test(.powerLoss(on: .xfs), arguments: DiskImage.PowerLoss.allCases)
    func `what was promised survives when XFS loses its power`(_ loss: DiskImage.PowerLoss) throws {
        try expectPromisesKept(on: .xfs, loss)
    }

    @Test(.powerLoss(on: .ext4)) func `what nobody has waited for is lost when ext4 loses its power`() throws
    {
        try expectRestLost(on: .ext4)
    }

    @Test(.powerLoss(on: .xfs)) func `what nobody has waited for is lost when XFS loses its power`() throws {
        try expectRestLost(on: .xfs)
    }

    @Test(.powerLoss(on: .ext4))
    func `of many threads that wait for the disk at once each has its write there`() throws {
        let disk = try DiskImage(.ext4)
        let peer = try Peer()
        #expect(
            try peer.answers(to: ["open \(disk.path) settings", "leaveout scheduledCheckpoints"]) == [
                "ok", "ok",
            ])
        #expect(try [peer.ask("synchronizers 64"), peer.ask("failures")] == ["ok", ""])
        try disk.losePower(.withoutLog)
        try peer.close()
        try disk.mountAgain()
        let own = (0..<64).map { ("own\($0)", $0) }
        #expect(try stored(Peer(), on: disk) == Dictionary(uniqueKeysWithValues: own))
    }

    private func expectPromisesKept(on kind: DiskImage.Kind, _ loss: DiskImage.PowerLoss) throws {
        let disk = try DiskImage(kind)
        var rounds: [Round] = []
        for _ in 0..<Soak.times(8) {
            let last = rounds.last?.found["a"] ?? 0
            rounds.append(try round(on: disk, loss, after: last))
        }
        #expect(rounds.filter { !$0.isRight } == [])
        #expect(rounds.contains { $0.promised > 0 })
    }

    /// Has a process write and promise for a while, cuts the power, and has another one look and write on.
    private func round(on disk: DiskImage, _ loss: DiskImage.PowerLoss, after last: Int) throws -> Round {
        var round = Round(promised: last, begun: last)
        let writer = try Peer()
        #expect(try writer.ask("open \(disk.path) settings") == "ok")
        try writer.send("promise a b")
        for _ in 0..<Int.random(in: 1...60) { note(try writer.receive(), in: &round) }
        try disk.losePower(loss)
        // Who waits for the disk in this very moment may be told by the kernel that all is well, on ext4 and XFS alike;
        // with the power the process would be gone too. So what is promised from here on does not count.
        let promised = round.promised
        var line = try writer.receive()
        while !line.hasPrefix("error") {
            note(line, in: &round)
            line = try writer.receive()
        }
        round.promised = promised
        #expect(["error ioFailure", "error readOnly"].contains(line))
        try writer.close()

        try disk.mountAgain()
        round.inFile = try numbersInFile(on: disk)
        let next = try Peer()
        round.found = try stored(next, on: disk).filter { $0.key != "next" }
        round.answers = try ["set next \(round.begun)", "synchronize", "checkpoint", "get next"].map {
            try next.ask($0)
        }
        try next.close()
        return round
    }

    private func note(_ line: String, in round: inout Round) {
        let words = line.split(separator: " ")
        guard let number = words.last.flatMap({ Int($0) }) else { return }
        if words[0] == "begun" { round.begun = number }
        if words[0] == "promised" { round.promised = number }
    }

    /// Without this the others would prove nothing: the power loss is one.
    private func expectRestLost(on kind: DiskImage.Kind) throws {
        let disk = try DiskImage(kind)
        let peer = try Peer()
        let said = try peer.answers(to: [
            "open \(disk.path) settings", "leaveout scheduledCheckpoints", "set a 1", "synchronize",
            "set a 2",
            "get a",
        ])
        #expect(said == ["ok", "ok", "ok", "ok", "ok", "2"])
        try disk.losePower(.withoutLog)
        try peer.close()
        try disk.mountAgain()
        #expect(try stored(Peer(), on: disk) == ["a": 1])
    }

    /// All values, as a process finds them.
    private func stored(_ peer: Peer, on disk: DiskImage) throws -> [String: Int] {
        #expect(try peer.ask("open \(disk.path) settings") == "ok")
        return try numbers(Data(peer.ask("stored").utf8))
    }

    private func numbersInFile(on disk: DiskImage) throws -> [String: Int] {
        let path = disk.path + "/settings/settings.json"
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        return try numbers(Data(contentsOf: URL(filePath: path)))
    }

    private func numbers(_ bytes: Data) throws -> [String: Int] {
        try #require(
            try JSONSerialization.jsonObject(with: bytes) as? [String: Int],
            "\(String(decoding: bytes, as: UTF8.self))")
    }
}
