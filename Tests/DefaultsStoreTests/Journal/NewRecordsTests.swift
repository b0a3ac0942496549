/// The load where other processes have committed and nothing else has happened.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct NewRecordsTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let peer: Peer

    /// A file that was saved long ago, read by this process, with the peer's first record behind it.
    init() throws {
        folder = try TemporaryFolder()
        // No checkpoint comes between: none of ours, none of orphaned records, and none of the peer's.
        suite = try folder.heldSuite()
        try suite.set(0, forKey: "n")
        try suite.checkpoint()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: folder.settingsPath())
        peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        #expect(try peer.ask("set n 1") == "ok")
        try suite.context.startWatching()
        #expect(suite.value(forKey: "n") == 1)
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "n")
    }

    private func calls(of body: () throws -> Void) rethrows -> [String] {
        let plan = FaultInjection()
        try FaultInjection.$current.withValue(plan, operation: body)
        return plan.calls
    }

    /// The state that such a load makes of the one published last; nil where it leaves the work to a whole load.
    private func withNewRecords(behind previous: StoreSnapshot? = nil) throws -> StoreSnapshot? {
        let store = try suite.context.store()
        var touched: Set<KeyName>?
        return try Loader.withNewRecords(
            previous ?? store.latest, epoch: previous?.epoch ?? store.epoch, isTold: true, touched: &touched)
    }

    @Test(arguments: [1, 2, 20])
    func `what another process has set is read with two system calls`(count: Int) throws {
        for number in 0..<count { #expect(try peer.ask("set n \(number + 2)") == "ok") }
        let first = calls { #expect(suite.value(forKey: "n") == DefaultsValue(count + 1)) }
        #expect(first == ["fstatat", "pread"])
        let second = calls { _ = suite.value(forKey: "n") }
        #expect(second == [])
    }

    @Test func `more records than fit into one reading are read one piece after the other`() throws {
        let long = String(repeating: "x", count: 1_000)
        for number in 0..<12 { #expect(try peer.ask("set s\(number) \"\(long)\"") == "ok") }
        let calls = calls { #expect(suite.value(forKey: "s11") == .string(long)) }
        #expect(calls.filter { $0 != "pread" } == ["fstatat"])
        #expect(4...6 ~= calls.count)
        #expect((0..<12).allSatisfy { suite.value(forKey: "s\($0)") == .string(long) })
    }

    @Test func `a record that is longer than the first reading is read with a second one`() throws {
        let long = String(repeating: "x", count: 2_000)
        #expect(try peer.ask("set s \"\(long)\"") == "ok")
        let calls = calls { #expect(suite.value(forKey: "s") == .string(long)) }
        #expect(calls == ["fstatat", "pread", "pread"])
    }

    @Test func `of what another process sets, only the observers of those keys are compared`() throws {
        let (looks, heard) = (Recorder<KeyName>(), Recorder<[KeyName]>())
        let observations = ["n", "other", "more"].map { name in
            suite.context.observe(
                [KeyName(name)], sendsInitial: false, delivery: .immediate,
                lookup: { key, values in
                    looks.append(key)
                    return values.value(forKey: key)
                }, handler: { notice, _ in heard.append(notice.entries.map(\.key)) })
        }
        let all = suite.context.observeAll(sendsInitial: false, deliversValues: false, delivery: .immediate) {
            notice, _ in heard.append(notice.entries.map(\.key))
        }
        let before = looks.all.count
        #expect(try peer.ask("set n 7") == "ok")
        #expect(heard.wait(for: 2))
        #expect(heard.all == [[KeyName("n")], [KeyName("n")]])
        #expect(Set(looks.all.dropFirst(before)) == [KeyName("n")])
        #expect(try peer.ask("set more 1") == "ok")
        #expect(heard.wait(for: 4))
        #expect(try peer.ask("remove more") == "ok")
        #expect(heard.wait(for: 6))
        #expect(Set(looks.all.dropFirst(before)) == [KeyName("n"), KeyName("more")])
        observations.forEach { $0.invalidate() }
        all.invalidate()
    }

    @Test func `a record that does not fit into one reading is left to a whole load`() throws {
        let long = String(repeating: "x", count: 5_000)
        #expect(try peer.ask("set s \"\(long)\"") == "ok")
        #expect(try withNewRecords() == nil)
        #expect(suite.value(forKey: "s") == .string(long))
    }

    @Test func `a save by hand beside a set is seen with it, before any notice`() throws {
        let store = try suite.context.store()
        let before = store.latest
        #expect(try peer.ask("set n 2") == "ok")
        // Beside the records, which a person's save leaves where they are.
        try folder.write("{\"n\": 0, \"byHand\": true}", to: "edited.json")
        #expect(rename(folder.path + "/edited.json", folder.settingsPath()) == 0)
        #expect(try withNewRecords(behind: before) == nil)
        #expect(suite.value(forKey: "n") == 2)
        #expect(suite.value(forKey: "byHand") == true)
    }

    @Test func `a checkpoint between is left to a whole load`() throws {
        let before = try suite.context.store().latest
        #expect(try peer.ask("set n 2") == "ok")
        #expect(try peer.ask("checkpoint") == "ok")
        #expect(try peer.ask("set n 3") == "ok")
        #expect(try withNewRecords(behind: before) == nil)
        #expect(suite.value(forKey: "n") == 3)
    }

    @Test func `what a notice was about is left to a whole load`() throws {
        let before = try suite.context.store().latest
        #expect(try peer.ask("set n 2") == "ok")
        var touched: Set<KeyName>?
        let late = try Loader.withNewRecords(
            before, epoch: before.epoch + 1, isTold: true, touched: &touched)
        #expect(late == nil)
        let next = try Loader.withNewRecords(
            before, epoch: before.epoch, isTold: true, touched: &touched)
        #expect(next?.values.value(forKey: KeyName("n"))?.value == 2)
        #expect(touched == nil)
    }

    @Test func `of a file that was just put in place records are read where the kernel tells of changes`()
        throws
    {
        let before = try suite.context.store().latest
        let recent = StoreSnapshot(
            values: before.values, generation: before.generation, epoch: before.epoch,
            identity: before.identity, files: before.files, journal: before.journal, begun: before.begun,
            isRecent: true)
        #expect(try peer.ask("set n 2") == "ok")
        var touched: Set<KeyName>? = []
        let untold = try Loader.withNewRecords(
            recent, epoch: recent.epoch, isTold: false, touched: &touched)
        #expect(untold == nil)
        let next = try Loader.withNewRecords(
            recent, epoch: recent.epoch, isTold: true, touched: &touched)
        #expect(touched == [KeyName("n")])
        #expect(next?.values.value(forKey: KeyName("n"))?.value == 2)
        // Its bytes have to be looked at still.
        #expect(next?.isRecent == true)
    }

    @Test func `a file that was just put in place is looked into some time after its records were read`()
        throws
    {
        let store = try suite.context.store()
        let before = store.latest
        let recent = StoreSnapshot(
            values: before.values, generation: before.generation, epoch: before.epoch,
            identity: before.identity, files: before.files, journal: before.journal, begun: before.begun,
            isRecent: true)
        store.publish(recent)
        #expect(try peer.ask("set n 2") == "ok")
        #expect(suite.value(forKey: "n") == 2)
        #expect(
            eventually {
                _ = suite.value(forKey: "n")
                return !store.latest.isRecent
            })
    }

    @Test func `a generation without its record is left to a whole load`() throws {
        let lock = try #require(FileHandle(forUpdatingAtPath: folder.path + "/settings/.settings.json.lock"))
        let raised = try #require(try suite.context.store().latest.files?.page?.number) + 1
        try lock.write(contentsOf: withUnsafeBytes(of: raised.littleEndian) { Data($0) })
        #expect(try withNewRecords() == nil)
        #expect(suite.value(forKey: "n") == 1)
    }

    @Test func `a refusal of the system is told by the whole load`() throws {
        #expect(try peer.ask("set n 2") == "ok")
        let refused = FaultInjection(FaultInjection.Rule("pread", errno: EIO, lasts: true))
        FaultInjection.$current.withValue(refused) {
            #expect(refusal { _ = try suite.storedValues() }?.code == .ioFailure)
        }
        #expect(suite.value(forKey: "n") == 2)
    }
}
