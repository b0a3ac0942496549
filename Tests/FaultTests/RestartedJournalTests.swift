/// Another process reads while a checkpoint begins the journal anew: nothing is damaged, and nothing is kept as if it were.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct RestartedJournalTests {
    private let folder: TemporaryFolder
    private let (writer, reader): (Peer, Peer)

    init() throws {
        folder = try TemporaryFolder()
        writer = try Peer.opening(in: folder)
        reader = try Peer.opening(in: folder)
        for peer in [writer, reader] {
            try peer.expectOK("listen")
            #expect(try peer.ask("leaveout scheduledCheckpoints") == "ok")
        }
        #expect(try writer.answers(to: ["save w 1", "save w 2"]) == ["ok", "ok"])
        #expect(try reader.ask("get w") == "2")
    }

    private func copies() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/settings").filter {
            $0.contains("damaged")
        }
    }

    /// The write of the new header, behind which the records of the earlier run are removed.
    private func writeOfHeader() throws -> Strace.Call {
        let strace = try Strace(writer)
        #expect(try writer.ask("save w 3") == "ok")
        let calls = try strace.calls()
        let cut = try #require(calls.lastIndex { $0.name == "ftruncate" })
        return try #require(calls[..<cut].last { $0.name == "pwrite64" })
    }

    @Test func `a write that its checkpoint has marked in the journal is the writer's, and no edit by hand`()
        throws
    {
        let trace = try Strace(writer)
        #expect(try writer.ask("save w 3") == "ok")
        let calls = try trace.calls()
        // The mark is synced before the journal begins anew.
        let sync = try #require(calls.lastIndex { $0.name == "fdatasync" })
        let mark = try #require(calls[..<sync].last { $0.name == "pwrite64" })
        let store = try folder.suite().context.store()
        let old = try store.state()
        let stop = "inject=\(mark.name):signal=STOP:when=\(mark.occurrence)"
        let strace = try Strace(holding: [writer], ["-e", "trace=%file,%desc", "-e", stop])
        try writer.send("save w 4")
        #expect(try writer.answerOrStop() == nil)
        let next = try store.loader.reload()
        #expect(next.journal?.isFullyCheckpointed == true)
        #expect(next.cause(since: old) == .otherProcess(writer.processID))
        writer.resume()
        #expect(try writer.answerOrStop() == "ok")
        strace.finish()
    }

    @Test(arguments: ["set v 5", "save v 5"])
    func `who reads between the new header and the removal of the old records keeps no copy (F12)`(
        next: String
    ) throws {
        let call = try writeOfHeader()
        let stop = "inject=\(call.name):signal=STOP:when=\(call.occurrence)"
        let strace = try Strace(holding: [writer], ["-e", "trace=%file,%desc", "-e", stop])
        try writer.send("save w 4")
        #expect(try writer.answerOrStop() == nil)
        #expect(try reader.ask("get w") == "4")
        writer.resume()
        #expect(try writer.answerOrStop() == "ok")
        strace.finish()
        #expect(try reader.answers(to: [next, "get w"]) == ["ok", "4"])
        #expect(try copies() == [])
        #expect(try writer.answers(to: ["get v", "save w 6"]) == ["5", "ok"])
        #expect(try reader.answers(to: ["get v", "get w"]) == ["5", "6"])
        #expect(try copies() == [])
    }
}
