/// How many threads a process takes for an observer: few, however fast others write.
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct ObserverThreadTests {
    private func threads(of peer: Peer) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(peer.processID)/task").count
    }

    @Test func `an observer beside a writer that never pauses takes few threads`() throws {
        let folder = try TemporaryFolder()
        let observer = try Peer()
        let before = try threads(of: observer)
        try observer.expectOK("open \(folder.path) settings")
        try observer.expectOK("observe n")
        let writer = try Peer.opening(in: folder)
        try writer.send("count n 30000")
        var most = 0
        var answer: String?
        while answer == nil {
            most = max(most, try threads(of: observer))
            do { answer = try writer.receive(within: .milliseconds(3)) } catch Peer.Failure.timedOut {
                continue
            }
        }
        #expect(answer == "ok")
        // Two that wait for events, those that load and call handlers, and one that sees to it that nobody waits for
        // these. The rest is for a busy machine, whose threads are late: where those that are coming are not counted,
        // there are twenty and more.
        #expect(most - before <= 10)
    }
}
