/// The settings file follows what is written, whoever writes and however much, and costs a small part of the time.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct FollowingFileTests {
    private let folder: TemporaryFolder
    private let peer: Peer

    init() throws {
        folder = try TemporaryFolder()
        peer = try Peer.opening(in: folder)
    }

    @Test func `the file follows each write by itself`() throws {
        for number in 1...Soak.times(5) {
            #expect(try peer.ask("set n \(number)") == "ok")
            let start = ContinuousClock.now
            #expect(try eventually { try folder.numbersInFile() == ["n": number] })
            // A tenth of a second is promised; the machine may be busy with other tests.
            #expect(ContinuousClock.now - start < .seconds(10))
        }
    }

    @Test func `the file follows a writer that never pauses`() throws {
        let last = 1_000_000_000
        try peer.send("count n \(last)")
        var seen = 0
        for _ in 0..<Soak.times(5) {
            let before = seen
            #expect(
                try eventually {
                    seen = try folder.numbersInFile()["n"] ?? 0
                    return seen > before
                })
        }
        #expect(seen > 0 && seen < last)
        peer.kill()
        #expect(try peer.close() == .signal(9))
    }

    /// How long each of three values is.
    @Test(.strace, arguments: Soak.isWhole ? [1 << 16, 1 << 20] : [1 << 16])
    func `checkpoints of a large file on a slow disk are few`(length: Int) throws {
        let large = String(repeating: "x", count: length)
        for number in 0..<3 { #expect(try peer.ask("set large\(number) \"\(large)\"") == "ok") }
        #expect(try peer.ask("checkpoint") == "ok")
        // In microseconds; each checkpoint waits at least once for its file, so it takes that long.
        let strace = try Strace(
            holding: [peer],
            ["-f", "-e", "trace=fsync,renameat2", "-e", "inject=fsync:delay_enter=100000"])
        let start = ContinuousClock.now
        let before = try savedAt()
        var number = 0
        // One that took long beside other tests is followed by the next that much later.
        let isOver = try eventually {
            number += 1
            try peer.expectOK("set n \(number)")
            return try ContinuousClock.now - start > .seconds(5) && savedAt() != before
        }
        #expect(isOver)
        let passed = (ContinuousClock.now - start) / .milliseconds(1)
        let exchanges = try strace.log().split(separator: "\n").count { $0.contains("renameat2(") }
        // They take a twentieth of the time at most: so often fits a wait for the file into it, and the first that
        // does not know yet how long one takes, and the one that has begun.
        #expect((1...(2 + Int(passed / 2_000))).contains(exchanges))
        #expect(number > 20)
    }

    private func savedAt() throws -> Date? {
        let path = folder.path + "/settings/settings.json"
        return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
}
