/// Who goes first at the writer's lock.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct LongestWaiterTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let files: SuiteFiles
    /// For how long a waiter's note counts, in nanoseconds.
    private let validity: UInt64 = 50_000_000

    init() throws {
        folder = try TemporaryFolder()
        // Or a checkpoint that is due may wait too, and leave a note.
        suite = try folder.heldSuite()
        try suite.set(0, forKey: "a")
        files = try #require(try suite.context.store().state().files)
    }

    /// Does something just after somebody has noted that it has waited longer.
    ///
    /// - Returns: how long after that note the body returned, in nanoseconds.
    private func timeBesideWaiter(_ body: () throws -> Void) throws -> UInt64 {
        let begin = SystemCalls.monotonicNanoseconds
        switch files.lock {
        case .some(let lock): try LockFile.markWaiting(lock, since: 1, files.location.lockPath)
        case .none: Issue.record("there is no lock file")
        }
        try body()
        return SystemCalls.monotonicNanoseconds - begin
    }

    @Test func `a set lets the process go first that has waited longer, as long as its note is fresh`() throws
    {
        for number in [1, 2] {
            #expect(try timeBesideWaiter { try suite.set(DefaultsValue(number), forKey: "a") } >= validity)
            #expect(suite.integer(forKey: "a") == number)
        }
    }

    @Test func `a checkpoint that nobody asked for waits behind a writer`() throws {
        let store = try suite.context.store()
        let times = try (1...5).compactMap { number in
            try suite.set(DefaultsValue(number), forKey: "a")
            var outcome: CheckpointSchedule.Outcome?
            let time = try timeBesideWaiter {
                let limit = Deadline.after(milliseconds: 5_000)
                outcome = try store.checkpointer.checkpointWhatWaits(until: limit, remakes: false)
            }
            // The scheduled one may have come first.
            return outcome == nil ? nil : time
        }
        #expect(!times.isEmpty)
        #expect(times.allSatisfy { $0 >= validity })
    }

    @Test func `who may not wait does nothing meanwhile either`() throws {
        let peer = try Peer.opening(in: folder)
        #expect(try peer.ask("begin") == "held")
        var looks = 0
        #expect(throws: DefaultsError.self) {
            switch files.lock {
            case .some(let lock):
                try WriterLock.wait(
                    for: lock, files.page, until: .after(milliseconds: 0), files.location.lockPath
                ) { looks += 1 }
            case .none: Issue.record("there is no lock file")
            }
        }
        #expect(looks == 0)
    }

    @Test(arguments: [0, 20] as [UInt64])
    func `a wait that was in vain leaves no note, and a free lock is had at once`(limit: UInt64) throws {
        let peer = try Peer.opening(in: folder)
        #expect(try peer.ask("begin") == "held")
        #expect(throws: DefaultsError.self) {
            _ = try HeldWriterLock.acquire(files, until: .after(milliseconds: limit))
        }
        #expect(files.page?.waiter == nil)
    }
}
