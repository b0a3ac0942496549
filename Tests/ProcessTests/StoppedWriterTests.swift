/// A process that is stopped while it holds the writer's lock stops nobody's reads.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct StoppedWriterTests {
    @Test func `Reads do not block: readers answer beside a stopped writer, and writers give up`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(1, forKey: "n")
        let peers = try (0..<4).map { _ in try Peer.opening(in: folder) }
        let (holder, reader, writer, adder) = (peers[0], peers[1], peers[2], peers[3])
        #expect(try holder.ask("begin") == "held")
        holder.stop()

        // Both wait for the lock for five seconds, and meanwhile everybody reads.
        try writer.send("set n 2")
        try adder.send("modify n subscript 1")
        let newcomer = try Peer.opening(in: folder)
        for _ in 0..<100 {
            // Who waits for the lock does so for five seconds.
            let read = try [reader, newcomer].map { try $0.ask("get n", within: .seconds(4.9)) }
            #expect(read == ["1", "1"])
            let start = ContinuousClock.now
            #expect(suite.value(forKey: "n") == 1)
            #expect(ContinuousClock.now - start < .seconds(4.9), "nobody waited for the lock")
        }
        #expect(try writer.receive() == "error lockTimeout")
        #expect(try adder.receive() == "ok")
        #expect(try adder.ask("failures") == "accessNotStored")
        #expect(try reader.ask("get n") == "1")

        holder.resume()
        #expect(try holder.ask("set n 5") == "ok")
        #expect(try holder.ask("release") == "released")
        #expect(try adder.ask("modify n subscript 1") == "ok")
        #expect(try writer.ask("get n") == "6")
    }
}
