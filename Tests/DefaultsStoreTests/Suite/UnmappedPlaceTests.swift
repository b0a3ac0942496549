/// A file system where a mapped page may not show what others write: network and user-space ones.
///
/// What kind it is, the kernel says by `fstatfs`; one that does not answer is taken for such a one.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct UnmappedPlaceTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        // Nor is there a word from the kernel: other machines' writes bring none.
        let unknown = Faults(
            Faults.Rule("fstatfs", errno: EIO, lasts: true),
            Faults.Rule("inotify_add_watch", errno: ENOSPC, lasts: true))
        try Faults.$current.withValue(unknown) { try suite.set(1, forKey: "n") }
    }

    @Test func `a write has replaced the file when it returns, and has waited for the disk`() throws {
        let log = Faults()
        try Faults.$current.withValue(log) { try suite.set(2, forKey: "n") }
        let bytes = try Data(contentsOf: URL(filePath: folder.settingsPath()))
        #expect(try JSONSerialization.jsonObject(with: bytes) as? [String: Int] == ["n": 2])
        #expect(log.calls.filter { $0 == "fsync" }.count == 2)
    }

    @Test func `a save by hand is seen soon without a mapped page`() throws {
        try folder.saveByRename("{\"n\": 3}")
        #expect(eventually { suite.value(forKey: "n") == 3 })
    }

    @Test func `another process's write is found by looking at the files`() throws {
        let peer = try Peer()
        #expect(try peer.ask("open \(folder.path) settings") == "ok")
        let store = try suite.core.store()
        // Once a second everything is looked at anew, which tells nothing of the looking in between.
        let isFound = try (2...20).contains { (number) throws in
            let epoch = store.epoch
            #expect(try peer.ask("set n \(number)") == "ok")
            #expect(eventually { suite.value(forKey: "n") == DefaultsValue(number) })
            return store.epoch == epoch
        }
        #expect(isFound)
    }

    @Test func `what a cache keeps is old after a write, whoever looks at the files then`() throws {
        let store = try suite.core.store()
        _ = try suite.storedValues()
        let stamp = store.stamp(of: store.latest)
        try suite.set(2, forKey: "n")
        _ = try suite.storedValues()
        #expect(!stamp.isPresent)
    }

    @Test func `a look that failed answers nobody`() throws {
        try folder.saveByRename("{\"n\": 3}")
        let refused = Faults(Faults.Rule("openat", errno: EIO, lasts: true))
        func isRefused() -> Bool {
            Faults.$current.withValue(refused) { refusal { _ = try suite.storedValues() }?.code == .io }
        }
        #expect(eventually { isRefused() })
        #expect(isRefused())
        #expect(try suite.storedValues() == ["n": 3])
    }

    @Test func `what a refused write leaves is put right by the next`() throws {
        let refused = Faults(Faults.Rule("renameat", errno: EIO))
        #expect(Faults.$current.withValue(refused) { refusal { try suite.set(2, forKey: "n") } }?.code == .io)
        #expect(try suite.storedValues() == ["n": 1])
        try suite.set(3, forKey: "n")
        #expect(try folder.foreignReading() == ["n": 3])
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test func `a write that throws has stored nothing, whichever call fails, and one that does not has`()
        throws
    {
        let log = Faults()
        try Faults.$current.withValue(log) { try suite.set(2, forKey: "n") }
        var (present, refusals) = (2, 0)
        for (index, call) in log.calls.enumerated() {
            let occurrence = log.calls[...index].count { $0 == call }
            for errno in [EIO, EMFILE] {
                let plan = Faults(Faults.Rule(call, at: occurrence, errno: errno))
                let error = Faults.$current.withValue(plan) {
                    refusal { try suite.set(DefaultsValue(present + 1), forKey: "n") }
                }
                if error == nil { present += 1 } else { refusals += 1 }
                #expect(try folder.foreignReading() == ["n": present], "\(call) \(occurrence)")
                #expect(
                    eventually { suite.value(forKey: "n") == DefaultsValue(present) }, "\(call) \(occurrence)"
                )
            }
        }
        #expect(refusals > 5)
        try suite.set(0, forKey: "n")
        #expect(try folder.foreignReading() == ["n": 0])
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test func `a first write that has its name counts, and the next one removes the other name`() throws {
        let unknown = Faults.Rule("fstatfs", errno: EIO, lasts: true)
        let named = Faults.Rule("unlinkat", at: 1, errno: EIO, from: .behind("linkat", 1))
        let first = try folder.suite("first")
        try Faults.$current.withValue(Faults(unknown, named)) {
            try first.set(1, forKey: "n")
        }
        #expect(try folder.foreignReading(of: "first/settings.json") == ["n": 1])
        #expect(try folder.names(in: "first").contains(".settings.json.tmp"))
        try first.set(2, forKey: "n")
        #expect(try folder.foreignReading(of: "first/settings.json") == ["n": 2])
        #expect(try !folder.names(in: "first").contains(".settings.json.tmp"))
    }

    @Test func `a folder that was not synced after a write is synced by synchronize, or that throws`() throws
    {
        let failures = FailureRecorder(suite)
        let refused = Faults(Faults.Rule("fsync", at: 2, errno: EIO))
        try Faults.$current.withValue(refused) { try suite.set(2, forKey: "n") }
        #expect(failures.codes == [.io])
        let again = Faults(Faults.Rule("fsync", errno: EIO, lasts: true))
        let error = Faults.$current.withValue(again) { refusal { try suite.synchronize() } }
        #expect(error?.code == .io)
        let log = Faults()
        try Faults.$current.withValue(log) { try suite.synchronize() }
        #expect(log.calls.contains("fsync"))
        let none = Faults()
        try Faults.$current.withValue(none) { try suite.synchronize() }
        #expect(!none.calls.contains("fsync"))
        #expect(try folder.foreignReading() == ["n": 2])
    }

    @Test func `what a process with a mapped page has written just now is not overwritten`() throws {
        let peer = try Peer.opening(in: folder)
        for number in 1...30 {
            _ = try suite.storedValues()
            try peer.expectOK("set m \(number)")
            number.isMultiple(of: 2)
                ? try suite.set(DefaultsValue(number), forKey: "n")
                : try suite.withTransaction { tx in tx[key: "n"] = DefaultsValue(number) }
            #expect(try suite.storedValues() == ["n": DefaultsValue(number), "m": DefaultsValue(number)])
        }
    }

    @Test func `a look whose finding was not published says nothing of what is published`() throws {
        let peer = try Peer.opening(in: folder)
        let store = try suite.core.store()
        // As while another thread commits.
        store.order.withLock { $0.isCommitting = true }
        try peer.expectOK("set n 2")
        #expect(eventually { suite.value(forKey: "n") == 2 })
        for _ in 0..<100 { #expect(suite.value(forKey: "n") == 2) }
        store.order.withLock { $0.isCommitting = false }
    }

    @Test func `another process's write is told as its own, and a save by hand as one`() throws {
        let peer = try Peer()
        try peer.expectOK("openunmapped \(folder.path) settings")
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(key: "n", options: [.new]) { events.append($0) }
        try peer.expectOK("set n 2")
        #expect(eventually { suite.value(forKey: "n") == 2 })
        #expect(events.wait(for: 1))
        try folder.saveByRename("{\"n\": 3}")
        #expect(eventually { suite.value(forKey: "n") == 3 })
        #expect(events.wait(for: 2))
        let isOther = if case .otherProcess = events.all[0].cause { true } else { false }
        #expect(isOther)
        #expect(events.all[1].cause == .fileEdited)
        observation.invalidate()
    }

    @Test func `transactions, removals and observers do what they do elsewhere`() throws {
        let events = Recorder<DefaultsValue?>()
        let observation = suite.observe(key: "n", options: [.new]) { events.append($0.newValue) }
        try suite.withTransaction { tx in (tx[key: "n"], tx[key: "m"]) = (5, 6) }
        try suite.removeValue(forKey: "n")
        #expect(events.all == [5, nil])
        #expect(try suite.storedValues() == ["m": 6])
        try suite.checkpoint()
        try suite.synchronize()
        #expect(try folder.foreignReading() == ["m": 6])
        observation.invalidate()
    }

    @Test func `a refused write keeps the old value`() throws {
        let refused = Faults(Faults.Rule("fsync", errno: ENOSPC))
        #expect(
            Faults.$current.withValue(refused) { refusal { try suite.set(9, forKey: "n") } }?.code
                == .diskFull)
        #expect(try suite.storedValues() == ["n": 1])
        try suite.set(2, forKey: "n")
        #expect(try folder.foreignReading() == ["n": 2])
    }
}
