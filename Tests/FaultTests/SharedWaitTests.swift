/// Threads that wait for the disk at once share the wait.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct SharedWaitTests {
    private let folder: TemporaryFolder
    private let peer: Peer

    init() throws {
        folder = try TemporaryFolder()
        peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
    }

    @Test(.strace) func `threads that wait for the disk at once wait together`() throws {
        #expect(try peer.answers(to: ["save n 1", "set n 2", "synchronize"]) == ["ok", "ok", "ok"])
        // A slow disk, in microseconds: by the time that the first wait is over, all have come.
        let strace = try Strace(
            holding: [peer],
            ["-f", "-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=1000000"])
        #expect(try [peer.ask("synchronizers 64"), peer.ask("failures")] == ["ok", ""])
        let waits = try strace.log().split(separator: "\n").filter { $0.contains("fdatasync(") }
        #expect((1...16).contains(waits.count))
        #expect(try folder.numbers().count == 65)
    }
}
