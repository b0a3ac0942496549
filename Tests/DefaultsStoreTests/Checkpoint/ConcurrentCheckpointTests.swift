/// What others write while a checkpoint waits for the disk stays in the journal, and what it has brought in is done (F18).
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct ConcurrentCheckpointTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let store: SettingsStore
    private let peer: Peer

    /// Nobody makes a checkpoint but by the word of these tests.
    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        store = try suite.context.store()
        peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        try suite.set(1, forKey: "own")
        #expect(try peer.ask("get own") == "1")
    }

    private var page: MappedPage { get throws { try #require(store.latest.files?.page) } }

    /// Makes a checkpoint, and has something done after its file was made, before it has the lock.
    ///
    /// - Parameters:
    ///   - plan: notes its system calls.
    ///   - restarts: whether the journal begins anew if it can.
    /// - Returns: what came of it.
    private func checkpoint(
        noting plan: FaultInjection = FaultInjection(), restarts: Bool = true,
        while body: @escaping @Sendable (Peer) throws -> Void
    ) throws -> CheckpointSchedule.Outcome? {
        let (store, peer, page) = (store, peer, try page)
        let state = store.latest
        let outcomes = Recorder<CheckpointSchedule.Outcome?>()
        #expect(try peer.ask("begin") == "held")
        try withThreads(2) { thread in
            guard thread == 1 else {
                let deadline = Deadline.after(milliseconds: 60_000)
                return try FaultInjection.$current.withValue(plan) {
                    outcomes.append(
                        try store.checkpointer.tryCheckpointConcurrently(
                            of: state, until: deadline, remakes: false, restarts: restarts))
                }
            }
            // It waits for the lock, with its file on the disk.
            #expect(eventually { page.waiter != nil })
            try body(peer)
            _ = try peer.ask("release")
        }
        return try #require(outcomes.all.first)
    }

    /// Makes a checkpoint that another process's commit comes behind.
    private func checkpointBeforeTail() throws {
        let outcome = try checkpoint { try $0.expectOK("set tail 2") }
        #expect(outcome != nil)
    }

    /// Saves the settings file as an editor does, at once.
    private func save(_ text: String) throws {
        try folder.write(text, to: "settings/edited")
        #expect(rename(folder.path + "/settings/edited", folder.settingsPath()) == 0)
    }

    private func text() throws -> String {
        try String(contentsOfFile: folder.settingsPath(), encoding: .utf8)
    }

    private func mark() throws -> CheckpointMark {
        let (files, header) = (try #require(store.latest.files), try #require(store.latest.journal?.header))
        return files.checkpointMark(of: header)
    }

    @Test func `what came meanwhile stays in the journal, and the lock file says how far that is done (F18)`()
        throws
    {
        let state = store.latest
        try checkpointBeforeTail()
        #expect(try text() == "{\n  \"own\": 1\n}\n")
        #expect(try mark().generation == state.generation)
        #expect(try mark().end == state.journal?.end)
        #expect(store.latest.journal?.checkpointed == state.generation)
        #expect(store.latest.journal?.header?.nonce == state.journal?.header?.nonce)
        #expect(store.latest.values.changes.map(\.key.string) == ["tail"])
        let found = try DefaultsSuite(file: folder.settingsPath()).storedValues()
        #expect(found == ["own": 1, "tail": 2])
        for process in [peer, try Peer.opening(in: folder)] {
            #expect(try process.ask("stored") == #"{"own": 1, "tail": 2}"#)
        }
        try suite.checkpoint()
        #expect(try text() == "{\n  \"own\": 1,\n  \"tail\": 2\n}\n")
        #expect(try folder.bytes(of: "settings/.settings.json.journal").count == JournalHeader.length)
    }

    @Test func `what the lock file says of it is on the disk when the checkpoint returns (F18)`() throws {
        let plan = FaultInjection()
        #expect(try checkpoint(noting: plan, while: { try $0.expectOK("set tail 2") }) != nil)
        let calls = plan.calls.drop { $0 != "fsync" }.filter { ["pwrite", "fdatasync"].contains($0) }
        #expect(calls.suffix(2) == ["pwrite", "fdatasync"], "\(plan.calls)")
    }

    @Test func `amid writes the next wait for the disk covers what the journal says of it (F18)`() throws {
        let plan = FaultInjection()
        let outcome = try checkpoint(noting: plan, restarts: false) { try $0.expectOK("set tail 2") }
        #expect(outcome != nil)
        let placed = try #require(plan.calls.lastIndex(of: "fsync"))
        let calls = plan.calls[placed...].filter { ["pwrite", "fdatasync"].contains($0) }
        #expect(calls == ["pwrite", "pwrite"], "\(plan.calls)")
        #expect(store.latest.values.changes.map(\.key.string) == ["tail"])
    }

    @Test func `a long journal too is brought in without the lock, and what came meanwhile is read before`()
        throws
    {
        for number in 0..<10 {
            try suite.set(.string(String(repeating: "x", count: 20_000)), forKey: "key\(number)")
        }
        let state = store.latest
        let plan = FaultInjection()
        let outcome = try checkpoint(noting: plan) { peer in
            for number in 0..<500 { try peer.expectOK("set tail \(number)") }
        }
        #expect(outcome != nil)
        #expect(try mark().end == state.journal?.end)
        #expect(try text().contains("key9") && !text().contains("tail"))
        #expect(suite.value(forKey: "tail") == 499)
        // Between the waits for the folder and for the journal the lock is taken once, to write two things.
        let placed = try #require(plan.calls.lastIndex(of: "fsync"))
        let steps = plan.calls[(placed + 1)...].prefix { $0 != "fdatasync" }
        let locked = steps.drop { $0 != "flock" }
        #expect(steps.contains("pread") && !locked.contains("pread"), "\(plan.calls)")
        #expect(try suite.storedValues().count == 12)
        #expect(try DefaultsSuite(file: folder.settingsPath()).storedValues().count == 12)
    }

    @Test func `a journal beyond 1 MiB and the file is brought in under the lock, and begins anew`() throws {
        for number in 0..<2 {
            try suite.set(.string(String(repeating: "x", count: 600_000)), forKey: "key\(number)")
        }
        let plan = FaultInjection()
        let outcome = try FaultInjection.$current.withValue(plan) {
            try store.checkpointer.tryCheckpointConcurrently(
                of: store.latest, until: .after(milliseconds: 60_000), remakes: false, restarts: true)
        }
        #expect(outcome == nil && plan.calls.isEmpty)
        try suite.checkpoint()
        #expect(try folder.bytes(of: "settings/.settings.json.journal").count == JournalHeader.length)
        // A file as large takes as long a journal without the lock.
        for number in 0..<2 {
            try suite.set(.string(String(repeating: "y", count: 590_000)), forKey: "key\(number)")
        }
        let next = try store.checkpointer.tryCheckpointConcurrently(
            of: store.latest, until: .after(milliseconds: 60_000), remakes: false, restarts: true)
        #expect(next != nil)
    }

    @Test func `a key that was brought in and is saved by hand then is not taken back (F18)`() throws {
        try checkpointBeforeTail()
        try save(#"{"own": 5, "tail": 5}"#)
        // What the file does not have yet stands, as after every write.
        let expected = #"{"own": 5, "tail": 2}"#
        for process in [peer, try Peer.opening(in: folder)] { #expect(try process.ask("stored") == expected) }
        #expect(suite.value(forKey: "own") == 5)
        #expect(suite.value(forKey: "tail") == 2)
        try peer.expectOK("set next 3")
        #expect(try suite.storedValues() == ["own": 5, "tail": 2, "next": 3])
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["own": 5, "tail": 2, "next": 3])
    }

    @Test func `it counts as made for those alone whose records it has all brought in`() throws {
        let before = store.latest
        try checkpointBeforeTail()
        let present = store.latest
        #expect(present.isCheckpointed(since: before))
        // As whoever wrote the tail knew it, to whom it is left.
        let journal = try #require(present.journal)
        let writer = StoreSnapshot(
            values: present.values, generation: present.generation, epoch: before.epoch,
            identity: before.identity, files: before.files,
            journal: journal.with(checkpointed: try #require(before.journal).checkpointed),
            begun: present.generation)
        #expect(!present.isCheckpointed(since: writer))
        let limit = Deadline.after(milliseconds: 60_000)
        #expect(try store.checkpointer.checkpointWhatWaits(until: limit, in: writer, remakes: false) != nil)
        #expect(try folder.foreignReading() == ["own": 1, "tail": 2])
    }

    @Test(arguments: [0x9123_683E, 0x794C_7630, 0xF2F5_2010, 0] as [UInt32])
    func `Btrfs and what is not known are not trusted with a file that has no name`(kind: UInt32) {
        #expect(!SystemCalls.supportsUnnamedFiles(kind))
    }

    @Test func `where the system cannot give it a name, that is tried once`() throws {
        let plan = FaultInjection(FaultInjection.Rule("linkat", errno: ENOENT))
        try FaultInjection.$current.withValue(plan) { try suite.checkpoint() }
        #expect(try folder.foreignReading() == ["own": 1])
        try suite.set(2, forKey: "own")
        let next = FaultInjection()
        try FaultInjection.$current.withValue(next) { try suite.checkpoint() }
        #expect(!next.calls.contains("openat(O_TMPFILE)"))
        #expect(try folder.foreignReading() == ["own": 2])
    }

    @Test func `a deadline that has passed is no reason to write`() throws {
        let plan = FaultInjection()
        let outcome = try FaultInjection.$current.withValue(plan) {
            try store.checkpointer.tryCheckpointConcurrently(
                of: store.latest, until: .after(milliseconds: 0), remakes: false, restarts: true)
        }
        #expect(outcome == nil && plan.calls.isEmpty)
    }

    @Test(arguments: [10_098_000_000, 7_000_000_000, -9_000_000_000])
    func `a journal with a time of another age is brought in`(second: Int) throws {
        let time = timespec(tv_sec: second, tv_nsec: 5)
        #expect(utimensat(AT_FDCWD, folder.path + "/settings/.settings.json.journal", [time, time], 0) == 0)
        let outcome = try store.checkpointer.tryCheckpointConcurrently(
            of: store.latest, until: .after(milliseconds: 60_000), remakes: false, restarts: false)
        #expect(outcome != nil)
        #expect(try folder.foreignReading() == ["own": 1])
    }

    @Test func `a record that changes nothing keeps the journal from nothing`() throws {
        let page = try page
        // As one that died behind its raise leaves it; the next writer ends that with an empty commit.
        let lock = try #require(FileHandle(forUpdatingAtPath: "\(folder.path)/settings/.settings.json.lock"))
        try lock.write(contentsOf: withUnsafeBytes(of: (page.number + 1).littleEndian) { Data($0) })
        let state = try store.loader.reload()
        store.writer.completeAbandonedCommit()
        #expect(store.latest.generation > state.generation)
        let outcome = try store.checkpointer.tryCheckpointConcurrently(
            of: state, until: .after(milliseconds: 60_000), remakes: false, restarts: true)
        #expect(outcome != nil)
        #expect(try folder.bytes(of: "settings/.settings.json.journal").count == JournalHeader.length)
    }

    @Test func `a settings file whose rights were changed meanwhile keeps them`() throws {
        try suite.checkpoint()
        try suite.set(2, forKey: "own")
        let path = folder.settingsPath()
        // It leaves that to the other way, which looks under the lock.
        let outcome = try checkpoint { _ in #expect(chmod(path, 0o640) == 0) }
        #expect(outcome == nil)
        try suite.checkpoint()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try folder.foreignReading() == ["own": 2])
    }

    @Test func `a file that was saved meanwhile is not replaced (F8)`() throws {
        let outcome = try checkpoint { _ in try save(#"{"hand": 3}"#) }
        #expect(outcome == nil)
        #expect(try text() == #"{"hand": 3}"#)
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["hand": 3, "own": 1])
    }

    @Test func `the next file wakes nobody who watches the folder before it has a name`() throws {
        try suite.checkpoint()
        let files = try #require(store.latest.files)
        let notices = try FileEvents()
        _ = try notices.watch(files.folder, for: .names)
        let isWritten =
            switch try TemporaryFile.writeUnnamed([1], like: FileAttributes.ofSettings(files), files) {
            case .some: true
            case .none: false
            }
        #expect(isWritten)
        #expect(notices.wait(milliseconds: 0).isEmpty)
        try save("{}")
        #expect(!notices.wait(milliseconds: 0).isEmpty)
    }

    /// Makes the checkpoint that is due, and has the settings file saved after the next one was made, before it has the lock.
    private func checkpointWhenDue(overtakenBy saved: String) throws {
        let (store, page) = (store, try page)
        #expect(try peer.ask("begin") == "held")
        try withThreads(2) { thread in
            guard thread == 1 else {
                #expect(store.checkpointer.checkpointNow())
                return
            }
            #expect(eventually { page.waiter != nil })
            // It waits for longer than counts.
            let end = SystemCalls.monotonicNanoseconds + 2 * CheckpointSchedule.longestOvertaken
            #expect(eventually { SystemCalls.monotonicNanoseconds >= end })
            try save(saved)
            _ = try peer.ask("release")
        }
    }

    @Test func `one that is due and overtaken is left to the other one, three times in a row`() throws {
        try suite.checkpoint()
        try suite.set(2, forKey: "own")
        for number in 1...3 {
            try checkpointWhenDue(overtakenBy: #"{"hand": \#(number)}"#)
            try #require(try text() == #"{"hand": \#(number)}"#)
            let now = SystemCalls.monotonicNanoseconds
            #expect(store.checkpointer.currentSchedule.wait(for: store.latest, at: now) <= 1_000)
        }
        // A program that goes on saving the file keeps nothing out of it for ever.
        try checkpointWhenDue(overtakenBy: #"{"hand": 4}"#)
        #expect(try folder.foreignReading() == ["hand": 4, "own": 2])
    }
}
