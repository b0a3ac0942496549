/// Who goes first at the writer's lock, and for how long.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct TimeSliceTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let files: SuiteFiles
    /// For how long a waiter's word counts, in nanoseconds.
    private let patience: UInt64 = 50_000_000

    init() throws {
        folder = try TemporaryFolder()
        // Or a checkpoint that is due may wait too, and leave word.
        suite = try folder.heldSuite()
        try suite.set(0, forKey: "a")
        files = try #require(try suite.context.store().state().files)
    }

    private var isOn: Bool { files.turn.isOn }

    /// Sets a value just after somebody has left word that it has waited longer.
    ///
    /// - Returns: how long after that word the set returned, in nanoseconds.
    private func timeOfSetBesideWaiter(_ number: Int128) throws -> UInt64 {
        try timeBesideWaiter { try suite.set(DefaultsValue(integerLiteral: number), forKey: "a") }
    }

    private func timeBesideWaiter(_ body: () throws -> Void) throws -> UInt64 {
        let begin = SystemCalls.monotonicNanoseconds
        switch files.lock {
        case .some(let lock): try LockFile.markWaiting(lock, since: 1, files.location.lockPath)
        case .none: Issue.record("there is no lock file")
        }
        try body()
        return SystemCalls.monotonicNanoseconds - begin
    }

    @Test func `who has no turn lets a waiter go first as long as its word counts`() throws {
        #expect(!isOn)
        #expect(try timeOfSetBesideWaiter(1) >= patience)
        #expect(suite.integer(forKey: "a") == 1)
    }

    @Test func `who has waited has a turn, and takes the lock though others wait`() throws {
        // On a busy machine the turn may be over before the set.
        let isPrompt = try (1...200).contains { number in
            files.turn.begin()
            return try timeOfSetBesideWaiter(Int128(number)) < patience
        }
        #expect(isPrompt)
    }

    @Test func `a turn ends, and then the waiter goes first again`() throws {
        files.turn.begin()
        #expect(eventually { !isOn })
        #expect(try timeOfSetBesideWaiter(2) >= patience)
    }

    @Test func `a checkpoint that nobody asked for waits behind a writer, whosever turn it is`() throws {
        let store = try suite.context.store()
        let times = try (1...5).compactMap { number in
            try suite.set(DefaultsValue(integerLiteral: Int128(number)), forKey: "a")
            files.turn.begin()
            var outcome: CheckpointSchedule.Outcome?
            let time = try timeBesideWaiter {
                let limit = Deadline.after(milliseconds: 5_000)
                outcome = try store.checkpointer.checkpointWhatWaits(until: limit, remakes: false)
            }
            // The scheduled one may have come first.
            return outcome == nil ? nil : time
        }
        #expect(!times.isEmpty)
        #expect(times.allSatisfy { $0 >= patience })
    }

    @Test func `the note of somebody who has died begins no turn`() throws {
        switch files.lock {
        case .some(let lock):
            try SystemCalls.write(numbers: (UInt64(1).littleEndian, UInt64(1).littleEndian), to: lock, at: 24)
        case .none: Issue.record("there is no lock file")
        }
        try suite.set(1, forKey: "a")
        let hasBegun = files.turn.hasBegun
        #expect(!hasBegun)
    }

    @Test func `who may not wait does nothing meanwhile either, and has no turn`() throws {
        let peer = try Peer.opening(in: folder)
        #expect(try peer.ask("begin") == "held")
        var looks = 0
        #expect(throws: DefaultsError.self) {
            switch files.lock {
            case .some(let lock):
                try WriterLock.wait(
                    for: lock, files.page, until: .after(milliseconds: 0), files.location.lockPath,
                    turn: files.turn
                ) { looks += 1 }
            case .none: Issue.record("there is no lock file")
            }
        }
        let hasBegun = files.turn.hasBegun
        #expect(!hasBegun)
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

    @Test func `who had to wait has its turn when it has the lock`() throws {
        let hadTurn = try (1...200).contains { number in
            #expect(eventually { !isOn })
            _ = try timeOfSetBesideWaiter(Int128(number))
            return isOn
        }
        #expect(hadTurn)
    }
}
