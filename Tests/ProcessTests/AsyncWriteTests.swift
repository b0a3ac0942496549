/// Tasks that wait for another process's lock keep no thread from other tasks.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct AsyncWriteTests {
    private let folder: TemporaryFolder
    private let holder: Peer

    /// Another process has the writer's lock until it is told to release it.
    init() throws {
        folder = try TemporaryFolder()
        try folder.suite().set(1, forKey: "n")
        holder = try Peer.opening(in: folder)
        try #require(try holder.ask("begin") == "held")
    }

    /// A process that runs all its tasks on one thread.
    private func narrowPeer() throws -> Peer {
        let peer = try Peer(environment: ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"])
        try peer.expectOK("open \(folder.path) settings")
        #expect(try peer.ask("get n") == "1")
        return peer
    }

    @Test func `other tasks go on while two wait for the lock, on a pool of one thread`() throws {
        let peer = try narrowPeer()
        try peer.expectOK("asyncset a 2")
        try peer.expectOK("asyncmodify n")
        #expect(try eventually { try peer.ask("asyncisbusy") == "true" })
        try peer.expectOK("ticks 10000")
        #expect(try peer.ask("asyncdone") == "0", "the lock was held all the time")
        #expect(try holder.ask("release") == "released")
        #expect(try peer.ask("asyncoutcomes 2") == "ok ok")
        #expect(try peer.ask("stored") == #"{"a": 2, "n": 2}"#)
    }

    @Test func `a hundred tasks that wait take one thread, and leave at once when they are cancelled`() throws
    {
        let peer = try narrowPeer()
        // The threads that this and a timer need are there then.
        try peer.expectOK("asyncset first 1")
        #expect(try eventually { try peer.ask("asyncisbusy") == "true" })
        try peer.expectOK("asyncset second 1")
        #expect(try eventually { try peer.ask("asyncwaiting") == "1" })
        let threads = try #require(Int(try peer.ask("threadcount")))
        try peer.expectOK("asyncsets 100")
        #expect(try eventually { try peer.ask("asyncwaiting") == "101" })
        let more = try #require(Int(try peer.ask("threadcount"))) - threads
        #expect(more <= 1)
        try peer.expectOK("asynccancel")
        #expect(
            try peer.ask("asyncoutcomes 102")
                == Array(repeating: "CancellationError", count: 102).joined(separator: " "))
        #expect(try holder.ask("release") == "released")
        #expect(try peer.ask("stored") == #"{"n": 1}"#)
        #expect(try peer.ask("set n 2") == "ok")
    }

    @Test func `after five seconds a task that waits is told so, and so are those behind it`() throws {
        let peer = try narrowPeer()
        let begin = ContinuousClock.now
        try peer.expectOK("asyncsets 4")
        #expect(try peer.ask("asyncoutcomes 4") == "lockTimeout lockTimeout lockTimeout lockTimeout")
        // Each five seconds anew would be twenty.
        #expect(ContinuousClock.now - begin < .seconds(15))
        #expect(try holder.ask("release") == "released")
        #expect(try peer.ask("stored") == #"{"n": 1}"#)
    }

    @Test func `threads that wait for another process's lock give up together`() throws {
        let suite = try folder.suite()
        let codes = Recorder<DefaultsError.Code?>()
        let begin = ContinuousClock.now
        withThreads(4) { number in
            do throws(DefaultsError) {
                if number < 2 {
                    try suite.set(2, forKey: "n")
                } else {
                    try suite.removeAll()
                }
                codes.append(nil)
            } catch {
                codes.append(error.code)
            }
        }
        #expect(codes.all == Array(repeating: .lockTimeout, count: 4))
        #expect(ContinuousClock.now - begin < .seconds(15))
        #expect(try holder.ask("release") == "released")
    }
}
