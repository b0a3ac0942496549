/// A process that is stopped in the middle of a checkpoint, while a person writes into its journal.
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .ownThread, .strace)
struct StoppedInCheckpointTests {
    @Test(arguments: ["fsync", "fdatasync"])
    func `a line that somebody writes into the journal during a checkpoint is kept (F3)`(_ call: String)
        throws
    {
        let folder = try TemporaryFolder()
        let writer = try Peer.opening(in: folder)
        #expect(try writer.ask("leaveout scheduledCheckpoints") == "ok")
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
}
