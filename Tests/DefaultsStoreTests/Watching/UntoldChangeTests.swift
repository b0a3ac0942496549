/// A change from outside that comes at an awkward moment is told all the same, and under the right cause.
@testable import DefaultsStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct UntoldChangeTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let events = Recorder<DefaultsChange>()

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
    }

    /// Observes what the kernel tells nothing of, or its word might come first.
    private func observe() throws -> DefaultsObservation {
        let unwatched = FaultInjection(FaultInjection.Rule("inotify_add_watch", errno: ENOSPC, lasts: true))
        defer { #expect(unwatched.calls.contains("inotify_add_watch")) }
        return FaultInjection.$current.withValue(unwatched) {
            suite.observe(forKey: "n", options: [.new]) { [events] in events.append($0) }
        }
    }

    private func file(_ name: String) -> URL { URL(filePath: folder.path + "/settings/" + name) }

    /// Overwrites the generation in place.
    private func setGeneration(_ generation: UInt64) throws {
        let lock = try FileHandle(forUpdating: file(".settings.json.lock"))
        try lock.write(contentsOf: Data((0..<8).map { UInt8(truncatingIfNeeded: generation >> (8 * $0)) }))
        try lock.close()
    }

    private func change(to value: DefaultsValue, _ cause: DefaultsChange.Cause) -> DefaultsChange {
        DefaultsChange(key: "n", oldValue: nil, newValue: value, isInitial: false, cause: cause)
    }

    @Test(arguments: ["checkpoint", "write"])
    func `a save that a writer has loaded while another thread's look overtook it is the editor's change`(
        _ writing: String
    ) throws {
        let observation = try observe()
        let store = try suite.context.store()
        try suite.set(1, forKey: "m")
        // At once, before the file has followed.
        try Data("{\"n\": 2}".utf8).write(to: file("settings.json"), options: .atomic)
        store.raiseEpoch()
        store.overtake(nextLoads: 2)
        if writing == "checkpoint" { try suite.checkpoint() } else { try suite.set(2, forKey: "m") }
        #expect(events.wait(for: 1))
        #expect(events.all == [change(to: 2, .fileEdited)])
        observation.invalidate()
    }

    @Test(arguments: [false, true])
    func `a save that another thread loads amid a write is not taken back before the observers' eyes`(
        replacesJournal: Bool
    ) throws {
        let observation = try observe()
        let store = try suite.context.store()
        let isSaved = Atomic<Bool>(false)
        suite.addValidation("validation") { [folder, events] values in
            // Once, when what is to be written is already worked out.
            guard values.value(forKey: "m") == 2, !isSaved.exchange(true, ordering: .relaxed) else {
                return true
            }
            do {
                try folder.saveByRename("{\"n\": 2}")
                if replacesJournal { try FileManager.default.removeItem(at: file(".settings.json.journal")) }
                try withThreads(1) { _ in _ = try store.loader.reload() }
                #expect(events.wait(for: 1))
            } catch { Issue.record(error) }
            return true
        }
        try suite.set(2, forKey: "m")
        let wasSaved = isSaved.load(ordering: .relaxed)
        #expect(wasSaved)
        // What the write has published, before anybody looks at the files.
        #expect(store.latest.values.value(forKey: KeyName("n"))?.value == 2)
        #expect(try suite.storedValues() == ["n": 2, "m": 2])
        #expect(events.all == [change(to: 2, .fileEdited)])
        observation.invalidate()
    }

    @Test func `a notice that comes while readers end what a dead writer began is seen to`() throws {
        let store = try suite.context.store()
        try setGeneration(store.latest.generation + 5)
        store.monitor.deferNotice()
        for _ in 0..<4 { #expect(suite.value(forKey: "n") == 1) }
        #expect(!store.monitor.hasDeferredNotice)
    }

    @Test func `a commit of a process that has this one's id, in another container, is the other's change`()
        throws
    {
        let observation = try observe()
        let store = try suite.context.store()
        let journal = try #require(store.latest.journal)
        let header = try #require(journal.header)
        let record = JournalRecord(
            generation: header.generation + 1, changes: [StoredChange(StoredValue(2), forKey: KeyName("n"))])
        try setGeneration(record.generation)
        let hand = try FileHandle(forUpdating: file(".settings.json.journal"))
        try hand.seekToEnd()
        try hand.write(contentsOf: Data(record.line(header.nonce)))
        try hand.close()
        #expect(suite.value(forKey: "n") == 2)
        #expect(events.wait(for: 1))
        #expect(events.all == [change(to: 2, .otherProcess(getpid()))])
        observation.invalidate()
    }

    @Test(arguments: [false, true])
    func `a load that began later and looked earlier than another takes nothing back`(
        _ isCheckpointed: Bool
    ) throws {
        let store = try suite.context.store()
        let earlier = try store.state()
        try suite.set(2, forKey: "n")
        if isCheckpointed { try suite.checkpoint() }
        let observation = try observe()
        let ticket = store.nextTicket()
        #expect(store.publish(loaded: earlier, ticket).pending.isEmpty)
        #expect(store.latest.values.value(forKey: KeyName("n"))?.value == 2)
        observation.invalidate()
    }

    @Test func `of two loads at the same time, the one that ends later takes no save back`() throws {
        let store = try suite.context.store()
        let earlier = try store.state()
        let observation = try observe()
        // Both have begun before either has ended.
        let tickets = (1...2).map { _ in store.nextTicket() }
        try folder.saveByRename("{\"n\": 2}")
        let files = try #require(earlier.files)
        let later = try Loader.load(after: earlier, files: files) { store.epoch }
        let told = store.publish(loaded: later, tickets[0]).pending
        #expect(told.count == 1)
        let overtaken = store.publish(loaded: earlier, tickets[1])
        #expect(overtaken.isOvertaken && overtaken.pending.isEmpty)
        #expect(store.latest === later)
        told.forEach { $0.deliver() }
        #expect(suite.value(forKey: "n") == 2)
        #expect(events.all == [change(to: 2, .fileEdited)])
        observation.invalidate()
    }
}
