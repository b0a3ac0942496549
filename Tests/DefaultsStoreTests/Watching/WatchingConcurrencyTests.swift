/// What is read while somebody begins to listen is never older than what was done before.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct WatchingConcurrencyTests {
    private let folder: TemporaryFolder
    private let peer: Peer

    init() throws {
        folder = try TemporaryFolder()
        try folder.suite().set(0, forKey: "n")
        peer = try Peer.opening(in: folder)
    }

    @Test(arguments: 1...Soak.times(20))
    func `no read misses another process's set while one thread begins to listen`(round: Int) throws {
        let (suite, peer) = (try folder.suite(), peer)
        _ = suite.value(forKey: "n")
        let seen = Recorder<Int>()
        try withThreads(2) { number in
            guard number == 0 else { return try suite.context.startWatching() }
            for step in 1...3 {
                try peer.expectOK("set n \(step)")
                seen.append(suite.integer(forKey: "n"))
            }
        }
        #expect(seen.all == [1, 2, 3])
        try peer.expectOK("set n 4")
        #expect(suite.integer(forKey: "n") == 4)
    }

    @Test(arguments: 1...Soak.times(10))
    func `threads that read go on from looking to listening and never back in time`(round: Int) throws {
        let (suite, peer) = (try folder.suite(), peer)
        let outcome = Recorder<[Int]>()
        try withThreads(4) { number in
            if number == 0 {
                for step in 1...10 { try peer.expectOK("set n \(step)") }
            } else {
                outcome.append((0..<60).map { _ in suite.integer(forKey: "n") })
            }
        }
        #expect(outcome.all.allSatisfy { $0 == $0.sorted() })
        #expect(suite.integer(forKey: "n") == 10)
        #expect(try suite.context.store().isWatched)
    }
}
