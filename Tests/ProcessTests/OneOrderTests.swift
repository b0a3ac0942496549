/// All processes see the values of a key in one order.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct OrderConcurrencyTests {
    @Test func `One order: no process sees a counter go back or behind what was acknowledged`() throws {
        let folder = try TemporaryFolder()
        let key = Defaults.Key<Int>("n", default: 0, suite: try folder.suite())
        let (writer, reader) = (try Peer.opening(in: folder), try Peer.opening(in: folder))
        try writer.send("writeforever n")
        var history: [Int] = []
        for _ in 1...Soak.times(150) {
            history.append(try #require(Int(try writer.receive())))
            history.append(Defaults[key])
            history.append(try #require(Int(try reader.ask("getint n"))))
            history.append(Defaults[key])
        }
        writer.kill()
        // An acknowledgement may be older than what was read before it came; a read never is.
        let reads = history.enumerated().filter { $0.offset % 4 != 0 }.map(\.element)
        let behind = stride(from: 0, to: history.count, by: 4).filter { history[$0] > history[$0 + 1] }
        #expect(reads == reads.sorted())
        #expect(behind == [])
        #expect(Set(reads).count > 1)
    }

    @Test func `One order: each addition to a shared counter gives a number of its own`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let key = Defaults.Key<Int>("n", default: 0, suite: suite)
        let peer = try Peer.opening(in: folder)
        let drawn = Recorder<Int>()
        try peer.send("threads n modify 2 50")
        try withThreads(2) { _ in
            for _ in 0..<50 {
                drawn.append(
                    try suite.modify(key) { number in
                        number += 1
                        return number
                    })
            }
        }
        #expect(try peer.receive(within: .seconds(120)) == "ok")
        #expect(Set(drawn.all).count == 100)
        #expect(Defaults[key] == 200)
    }
}
