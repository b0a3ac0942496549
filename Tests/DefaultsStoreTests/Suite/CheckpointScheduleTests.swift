/// Which of several processes brings the settings file up to date, and how long a record may wait for that.
@testable import DefaultsStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .ownThread) struct CheckpointScheduleTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let store: SuiteStore
    private let peer: Peer

    /// Nobody makes a checkpoint but by the word of these tests.
    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        store = try suite.core.store()
        store.isCheckpointDue.store(true, ordering: .sequentiallyConsistent)
        store.checkpointing.withLock { $0.isRescueDue = true }
        try suite.set(1, forKey: "own")
        peer = try Peer.opening(in: folder)
        try peer.expectOK("leaveout scheduledCheckpoints")
    }

    private func checkpoint(whatWaitsIn journal: JournalState?) throws -> Bool {
        try store.checkpointWhatWaits(until: .after(milliseconds: 5_000), in: journal, remakes: false)
    }

    @Test func `what another process has brought into the file is not brought there again`() throws {
        let journal = store.latest.journal
        for command in ["set a 1", "checkpoint", "set b 2"] { try peer.expectOK(command) }
        #expect(try !checkpoint(whatWaitsIn: journal))
        let file = URL(filePath: folder.settingsPath())
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("\"b\""))
        #expect(suite.value(forKey: "b") == 2)
        // What is in the present journal is.
        let present = store.latest.journal
        #expect(try checkpoint(whatWaitsIn: present))
        #expect(try folder.foreignReading() == ["own": 1, "a": 1, "b": 2])
    }

    @Test func `a record waits as long as promised from when its journal was found, and no longer`() throws {
        let before = store.checkpointing.withLock { $0.journalFound }
        try peer.expectOK("checkpoint")
        let moment = SystemCalls.monotonicNanoseconds
        #expect(suite.value(forKey: "own") == 1)
        try suite.set(2, forKey: "own")
        let written = SystemCalls.monotonicNanoseconds
        store.checkpointing.withLock { schedule in
            #expect(schedule.journalFound > before)
            #expect(moment...written ~= schedule.journalFound)
            let (state, delay) = (store.latest, CheckpointSchedule.delay * 1_000_000)
            #expect(schedule.postponement(for: state, at: schedule.journalFound + delay) == nil)
            #expect(schedule.postponement(for: state, at: schedule.journalFound + delay - 3_500_000) == 4)
            // What was refused is not put off.
            schedule.refusals = 1
            #expect(schedule.postponement(for: state, at: schedule.journalFound) == nil)
        }
    }

    @Test func `a journal that this process begins anew puts nothing off`() throws {
        let before = store.checkpointing.withLock { $0.journalFound }
        try suite.checkpoint()
        try suite.set(2, forKey: "own")
        #expect(store.checkpointing.withLock { $0.journalFound } == before)
    }
}
