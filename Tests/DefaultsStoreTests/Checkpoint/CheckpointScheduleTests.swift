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
        suite = try folder.heldSuite()
        store = try suite.context.store()
        try suite.set(1, forKey: "own")
        peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
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

    @Test func `one that is overtaken is left to the other as long as the journal says more`() {
        var schedule = CheckpointSchedule()
        func record(overtakenAt place: UInt64?) -> Bool {
            schedule.record(.init(duration: 50_000_000, isLeft: false, overtakenAt: place), at: 1)
            return schedule.yields
        }
        #expect([5, 6, 6, 7, 8, 8, 8].map(record) == [true, true, true, true, true, true, false])
        #expect(record(overtakenAt: 8) == false)
        #expect(record(overtakenAt: nil))
        // Those that come together are not made one after the other.
        #expect(schedule.wait(for: store.latest, at: 1) == 1_000)
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
            return schedule.wait(for: state, at: 1)
        }
        #expect(waits == [100, 200, 400, 800, 6_400, 10_000, 10_000, 10_000])
    }

    /// A state with so many bytes of the journal that the settings file, of some size, does not have.
    ///
    /// - Parameter done: how many are before them.
    private func state(waiting length: Int, behind done: Int = 0, over size: Int) throws -> StoreSnapshot {
        let known = try #require(store.latest.journal)
        let start = JournalHeader.length + done
        let journal = JournalState(
            file: known.file, header: known.header, end: start + length, surplus: 0,
            generation: known.generation, checkpointedEnd: start, process: known.process)
        let text = #"{"a": ""# + String(repeating: "x", count: size - 9) + #""}"#
        let values = StoredValues(SettingsDocument.read(Array(text.utf8)).document)
        #expect(values.document.bytes.count == size)
        return StoreSnapshot(
            values: values, generation: known.generation, epoch: 0, identity: nil, files: store.latest.files,
            journal: journal, begun: known.generation)
    }

    @Test
    func `more than 64 KiB, and than a quarter of the file, that it does not have are brought in at once`()
        throws
    {
        var schedule = CheckpointSchedule()
        #expect(try schedule.wait(for: state(waiting: 65_536, over: 9), at: 1) == 100)
        #expect(try schedule.wait(for: state(waiting: 65_537, over: 9), at: 1) == 0)
        #expect(try schedule.wait(for: state(waiting: 80_000, over: 320_000), at: 1) == 100)
        #expect(try schedule.wait(for: state(waiting: 80_001, over: 320_000), at: 1) == 0)
        // What the file has is not read by anybody.
        #expect(try schedule.wait(for: state(waiting: 65_536, behind: 1 << 20, over: 9), at: 1) == 100)
        // Though not so often that checkpoints would take more than a twentieth of the time.
        schedule.record(.init(duration: 2_000_000, isLeft: false), at: 1)
        #expect(try schedule.wait(for: state(waiting: 65_537, over: 9), at: 1) == 40)
    }

    @Test func `the pause for a slow disk begins with the end of the last checkpoint`() {
        var schedule = CheckpointSchedule()
        let (state, end) = (store.latest, 900_000_000_000 as UInt64)
        schedule.record(.init(duration: 200_000_000, isLeft: false), at: end)
        let moments: [UInt64] = [0, 1_000, 3_890, 3_950, 4_000, 20_000]
        let waits = moments.map { schedule.wait(for: state, at: end + $0 * 1_000_000) }
        #expect(waits == [4_000, 3_000, 110, 100, 100, 100])
    }

    @Test func `a checkpoint that is due waits for one that was found, and brings in what came meanwhile`()
        throws
    {
        let other = try folder.suite("other")
        try other.set(1, forKey: "n")
        try other.checkpoint()
        let store = try other.context.store()
        let found = SystemCalls.monotonicNanoseconds + 1_000_000_000
        store.checkpointer.recordFound(at: found)
        try other.set(2, forKey: "n")
        try other.set(3, forKey: "m")
        #expect(
            try eventually { try folder.foreignReading(of: "other/settings.json") == ["n": 2, "m": 3] })
        #expect(SystemCalls.monotonicNanoseconds > found)
    }

    @Test func `a journal that grows within a long delay is brought in before its time`() throws {
        let other = try folder.suite("other")
        other.checkpointDelay = .seconds(3_600)
        for number in 0..<3 {
            try other.set(.string(String(repeating: "x", count: 30_000)), forKey: "key\(number)")
        }
        #expect(
            try eventually {
                try folder.foreignReading(of: "other/settings.json").allKeys.count == 3
            })
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
        let (state, now) = (store.latest, SystemCalls.monotonicNanoseconds)
        #expect([schedule.wait(for: state, at: now), schedule.orphanDelay] == [30_000, 30_000])
        suite.checkpointDelay = .milliseconds(10)
        schedule = store.checkpointer.currentSchedule
        #expect([schedule.wait(for: state, at: now), schedule.orphanDelay] == [10, 1_000])
        schedule.refusals = 1
        #expect(schedule.wait(for: state, at: now) == 200)
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
        #expect(try other.context.store().checkpointer.currentSchedule.delay == 3_600_000)
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
