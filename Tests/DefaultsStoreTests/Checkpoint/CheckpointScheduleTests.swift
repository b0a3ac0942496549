/// Which of several processes brings the settings file up to date, and how long a record may wait for that.
@testable import DefaultsStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct CheckpointScheduleTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let store: SettingsStore
    private let peer: Peer

    /// Nobody makes a checkpoint but by the word of these tests.
    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        store = try suite.context.store()
        store.checkpointer.hold()
        try suite.set(1, forKey: "own")
        peer = try Peer.opening(in: folder)
        try peer.expectOK("leaveout scheduledCheckpoints")
    }

    private func checkpoint(whatWaitsIn state: StoreSnapshot) throws -> Bool {
        try store.checkpointer.checkpointWhatWaits(
            until: .after(milliseconds: 5_000), in: state, remakes: false) != nil
    }

    @Test func `a program that ends lets another one finish unless it has written last`()
        throws
    {
        let limit = Deadline.after(milliseconds: 30_000)
        #expect(!ExitCheckpoint.letOthersFinish(store.latest, until: limit))
        try peer.expectOK("set a 1")
        #expect(ExitCheckpoint.letOthersFinish(store.latest, until: limit))
        try suite.set(2, forKey: "own")
        #expect(!ExitCheckpoint.letOthersFinish(store.latest, until: limit))
        #expect(!limit.hasPassed)
        // Nothing waits, so there is nothing to be brought in.
        try suite.checkpoint()
        try peer.expectOK("set a 1")
        #expect(!ExitCheckpoint.letOthersFinish(store.latest, until: limit))
    }

    @Test func `a store knows its own last commit from those of others`() throws {
        let own = store.latest
        #expect(!store.checkpointer.hasCommitted(since: own))
        try peer.expectOK("set a 1")
        #expect(suite.value(forKey: "a") == 1)
        #expect(!store.checkpointer.hasCommitted(since: own))
        let foreign = store.latest
        try suite.set(2, forKey: "own")
        #expect(store.checkpointer.hasCommitted(since: foreign))
        #expect(!store.checkpointer.hasCommitted(since: store.latest))
    }

    /// Whether a wait for others is as long as it may be.
    private func waitsToTheEnd() -> Bool {
        let deadline = Deadline.after(milliseconds: 10)
        #expect(ExitCheckpoint.letOthersFinish(store.latest, until: deadline))
        return deadline.hasPassed
    }

    @Test func `a program that ends waits only so long for one that writes without pause`() throws {
        try peer.expectOK("set a 1")
        let file = try #require(FileHandle(forUpdatingAtPath: "\(folder.path)/settings/.settings.json.lock"))
        let isOver = Atomic<Bool>(false)
        let page = try #require(store.latest.files?.page)
        let first = page.number
        withThreads(2) { thread in
            if thread == 0 {
                var number = first
                while !isOver.load(ordering: .relaxed) {
                    number += 1
                    do {
                        try file.seek(toOffset: 0)
                        try file.write(contentsOf: withUnsafeBytes(of: number.littleEndian) { Data($0) })
                    } catch {
                        Issue.record(error)
                        return
                    }
                }
            } else {
                // On a busy machine the other thread may come later than all of the wait.
                #expect(eventually { page.number > first })
                // The other thread may also be stopped for a moment, which ends the wait before its time.
                #expect(eventually(waitsToTheEnd))
                isOver.store(true, ordering: .relaxed)
            }
        }
    }

    @Test func `what another process has brought into the file is not brought there again`() throws {
        let known = store.latest
        for command in ["set a 1", "checkpoint", "set b 2"] { try peer.expectOK(command) }
        #expect(try !checkpoint(whatWaitsIn: known))
        let file = URL(filePath: folder.settingsPath())
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("\"b\""))
        #expect(suite.value(forKey: "b") == 2)
        // What is in the present journal is.
        #expect(try checkpoint(whatWaitsIn: store.latest))
        #expect(try folder.foreignReading() == ["own": 1, "a": 1, "b": 2])
    }

    @Test func `a record waits as long as promised from when a checkpoint was found, and no longer`() throws {
        let before = store.checkpointer.currentSchedule.checkpointFound
        try peer.expectOK("checkpoint")
        let moment = SystemCalls.monotonicNanoseconds
        #expect(suite.value(forKey: "own") == 1)
        try suite.set(2, forKey: "own")
        let written = SystemCalls.monotonicNanoseconds
        var schedule = store.checkpointer.currentSchedule
        #expect(schedule.checkpointFound > before)
        #expect(moment...written ~= schedule.checkpointFound)
        let (state, delay) = (store.latest, CheckpointSchedule.usualDelay * 1_000_000)
        #expect(schedule.postponement(for: state, at: schedule.checkpointFound + delay) == nil)
        #expect(schedule.postponement(for: state, at: schedule.checkpointFound + delay - 3_500_000) == 4)
        // What was refused is not put off.
        schedule.refusals = 1
        #expect(schedule.postponement(for: state, at: schedule.checkpointFound) == nil)
    }

    @Test func `what a journal has that was replaced without a checkpoint is brought into the file`() throws {
        let known = store.latest
        let journal = folder.path + "/settings/.settings.json.journal"
        #expect(try peer.ask("get own") == "1")
        try FileManager.default.removeItem(atPath: journal)
        try peer.expectOK("set a 1")
        #expect(try checkpoint(whatWaitsIn: known))
        #expect(try folder.foreignReading() == ["own": 1, "a": 1])
    }

    @Test func `refusals of before count for nothing once another process has made the checkpoint`() throws {
        let away = folder.path + "/away"
        try FileManager.default.moveItem(atPath: folder.path + "/settings", toPath: away)
        for _ in 1...3 { #expect(store.checkpointer.checkpointNow()) }
        #expect(store.checkpointer.currentSchedule.refusals == 3)
        try FileManager.default.moveItem(atPath: away, toPath: folder.path + "/settings")
        for command in ["checkpoint", "set a 1"] { try peer.expectOK(command) }
        #expect(!store.checkpointer.checkpointNow())
        #expect(store.checkpointer.currentSchedule.refusals == 0)
    }

    @Test func `a folder that is away is looked for again, and later each time`() throws {
        let folder = folder.path
        try FileManager.default.moveItem(atPath: folder + "/settings", toPath: folder + "/away")
        for refusals in 1...3 {
            #expect(store.checkpointer.checkpointNow())
            #expect(store.checkpointer.currentSchedule.refusals == refusals)
        }
        try FileManager.default.moveItem(atPath: folder + "/away", toPath: folder + "/settings")
        #expect(store.checkpointer.checkpointNow())
        #expect(store.checkpointer.currentSchedule.refusals == 0)
        #expect(try self.folder.foreignReading() == ["own": 1])
    }

    @Test func `a checkpoint that is refused again and again waits longer each time, up to ten seconds`() {
        var schedule = CheckpointSchedule()
        let state = store.latest
        let waits = [0, 1, 2, 3, 6, 7, 8, 100].map { (refusals: Int) -> UInt64 in
            schedule.refusals = refusals
            return schedule.wait(for: state)
        }
        #expect(waits == [100, 200, 400, 800, 6_400, 10_000, 10_000, 10_000])
    }

    /// A state with a journal of some length, over a settings file of another.
    private func state(journal length: Int, over size: Int) throws -> StoreSnapshot {
        let known = try #require(store.latest.journal)
        let journal = JournalState(
            file: known.file, header: known.header, end: length, surplus: 0, generation: known.generation,
            process: known.process)
        let text = #"{"a": ""# + String(repeating: "x", count: size - 9) + #""}"#
        let values = StoredValues(SettingsDocument.read(Array(text.utf8)).document)
        #expect(values.document.bytes.count == size)
        return StoreSnapshot(
            values: values, generation: known.generation, epoch: 0, identity: nil, files: store.latest.files,
            journal: journal, begun: known.generation)
    }

    @Test func `a journal that has outgrown both 64 KiB and the settings file is brought in at once`() throws
    {
        var schedule = CheckpointSchedule()
        #expect(try schedule.wait(for: state(journal: 65_536, over: 9)) == 100)
        #expect(try schedule.wait(for: state(journal: 65_537, over: 9)) == 0)
        #expect(try schedule.wait(for: state(journal: 80_000, over: 80_000)) == 100)
        #expect(try schedule.wait(for: state(journal: 80_001, over: 80_000)) == 0)
        // Though not so often that checkpoints would take more than a twentieth of the time.
        schedule.lastDuration = 2_000_000
        #expect(try schedule.wait(for: state(journal: 65_537, over: 9)) == 40)
    }

    @Test func `how long a checkpoint took is without its wait for the lock`() throws {
        #expect(try peer.ask("begin") == "held")
        let begin = SystemCalls.monotonicNanoseconds
        let (store, peer) = (store, peer)
        let outcomes = Recorder<CheckpointSchedule.Outcome?>()
        let log = FaultInjection()
        try withThreads(2) { number in
            guard number == 1 else {
                let deadline = Deadline.after(milliseconds: 300_000)
                return try FaultInjection.$current.withValue(log) {
                    outcomes.append(
                        try store.checkpointer.checkpointWhatWaits(until: deadline, remakes: false))
                }
            }
            // What it does before it waits for the lock counts, and may take as long as the disk does.
            let isWaiting = eventually { log.calls.contains("flock") }
            let since = SystemCalls.monotonicNanoseconds
            while isWaiting, SystemCalls.monotonicNanoseconds - since < 300_000_000 {
                SystemCalls.pause(nanoseconds: 10_000_000)
            }
            _ = try peer.ask("release")
            #expect(isWaiting)
        }
        let waited = SystemCalls.monotonicNanoseconds - begin
        let outcome = try #require(outcomes.all.first ?? nil)
        #expect(outcome.duration > 0 && outcome.duration < waited - 200_000_000)
        #expect(!outcome.isLeft)
        #expect(try folder.foreignReading() == ["own": 1])
    }

    @Test func `what a checkpoint of orphaned records finds puts no record off`() throws {
        try Data("{ damaged".utf8).write(to: URL(filePath: folder.settingsPath()))
        #expect(try checkpoint(whatWaitsIn: store.latest))
        #expect(store.checkpointer.currentSchedule.refusals == 0)
        #expect(store.checkpointer.checkpointNow())
        #expect(store.checkpointer.currentSchedule.refusals == 1)
    }

    @Test func `a journal that this process begins anew puts nothing off`() throws {
        let before = store.checkpointer.currentSchedule.checkpointFound
        try suite.checkpoint()
        try suite.set(2, forKey: "own")
        #expect(store.checkpointer.currentSchedule.checkpointFound == before)
    }

    @Test
    func
        `a record waits as long as its suite says, another process's too, and no longer than usual behind a refusal`()
        throws
    {
        suite.checkpointDelay = .seconds(30)
        var schedule = store.checkpointer.currentSchedule
        #expect([schedule.wait(for: store.latest), schedule.orphanDelay] == [30_000, 30_000])
        suite.checkpointDelay = .milliseconds(10)
        schedule = store.checkpointer.currentSchedule
        #expect([schedule.wait(for: store.latest), schedule.orphanDelay] == [10, 1_000])
        schedule.refusals = 1
        #expect(schedule.wait(for: store.latest) == 200)
    }

    @Test(arguments: [
        (Duration.zero, Duration.zero), (.microseconds(1_900), .milliseconds(1)),
        (.seconds(90), .seconds(90)),
        (.seconds(-1), .zero), (.seconds(Int64.max), .seconds(3_600)), (.seconds(Int64.min), .zero),
    ])
    func `a delay is one between nothing and an hour`(asked: Duration, got: Duration) {
        suite.checkpointDelay = asked
        #expect(suite.checkpointDelay == got)
    }

    @Test func `a delay that was chosen before the suite is opened counts, and for all handles`() throws {
        let other = try folder.suite("other")
        #expect(other.checkpointDelay == .milliseconds(100))
        other.checkpointDelay = .seconds(3_600)
        #expect(try folder.suite("other").checkpointDelay == .seconds(3_600))
        try other.set(1, forKey: "a")
        // One that waits as usual, and whose checkpoint would come later.
        let usual = try folder.suite("usual")
        try usual.set(1, forKey: "a")
        let file = folder.path + "/usual/settings.json"
        #expect(eventually { FileManager.default.fileExists(atPath: file) })
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/other/settings.json"))
        try other.checkpoint()
        #expect(try folder.foreignReading(of: "other/settings.json") == ["a": 1])
    }

    @Test func `an open suite that has been written has four descriptors`() throws {
        let other = try folder.suite("counted")
        let before = try folder.openDescriptors()
        try other.set(1, forKey: "a")
        try other.checkpoint()
        #expect(try folder.openDescriptors() == before + 4)
    }
}
