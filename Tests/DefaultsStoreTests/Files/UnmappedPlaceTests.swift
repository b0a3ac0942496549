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
        let unknown = FaultInjection(
            FaultInjection.Rule("fstatfs", errno: EIO, lasts: true),
            FaultInjection.Rule("inotify_add_watch", errno: ENOSPC, lasts: true))
        try FaultInjection.$current.withValue(unknown) { try suite.set(1, forKey: "n") }
    }

    @Test func `a save by hand is seen soon without a mapped page`() throws {
        try folder.saveByRename("{\"n\": 3}")
        #expect(eventually { suite.value(forKey: "n") == 3 })
    }

    @Test func `another process's write is found by the next read`() throws {
        let peer = try Peer()
        #expect(try peer.ask("open \(folder.path) settings") == "ok")
        for number in 2...50 {
            #expect(try peer.ask("set n \(number)") == "ok")
            #expect(suite.value(forKey: "n") == DefaultsValue(number))
        }
    }

    @Test func `a look that failed answers nobody`() throws {
        try folder.saveByRename("{\"n\": 3}")
        let refused = FaultInjection(FaultInjection.Rule("openat", errno: EIO, lasts: true))
        func isRefused() -> Bool {
            FaultInjection.$current.withValue(refused) {
                refusal { _ = try suite.storedValues() }?.code == .ioFailure
            }
        }
        #expect(eventually { isRefused() })
        #expect(isRefused())
        #expect(try suite.storedValues() == ["n": 3])
    }

    @Test func `a write is in the journal, and the file follows`() throws {
        let log = FaultInjection()
        try FaultInjection.$current.withValue(log) { try suite.set(2, forKey: "n") }
        #expect(!log.calls.contains("fsync"))
        #expect(try Peer.opening(in: folder).ask("get n") == "2")
        try folder.awaitCheckpoint()
        #expect(try folder.foreignReading() == ["n": 2])
    }

    @Test func `what is refused when it is handed over is no commit`() throws {
        let peer = try Peer.opening(in: folder)
        for occurrence in 1...2 {
            let refused = FaultInjection(FaultInjection.Rule("close", at: occurrence, errno: ENOSPC))
            let error = FaultInjection.$current.withValue(refused) {
                refusal { try suite.set(2, forKey: "n") }
            }
            #expect(error?.code == .diskFull)
            #expect(try peer.ask("get n") == "1")
            #expect(try suite.storedValues() == ["n": 1])
        }
        try suite.set(3, forKey: "n")
        #expect(try peer.ask("get n") == "3")
    }

    @Test func `what cannot be asked for is not taken from memory`() throws {
        let refused = FaultInjection(FaultInjection.Rule("statx", errno: EIO, lasts: true))
        #expect(
            FaultInjection.$current.withValue(refused) { refusal { try suite.set(2, forKey: "n") } }?.code
                == .ioFailure)
        #expect(try suite.storedValues() == ["n": 1])
    }

    @Test func `what a refused checkpoint leaves is put right by the next`() throws {
        try suite.checkpoint()
        try suite.set(2, forKey: "n")
        let refused = FaultInjection(FaultInjection.Rule("renameat2", errno: EIO))
        #expect(
            FaultInjection.$current.withValue(refused) { refusal { try suite.checkpoint() } }?.code
                == .ioFailure)
        #expect(try suite.storedValues() == ["n": 2])
        try suite.set(3, forKey: "n")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["n": 3])
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test func `a write that throws has stored nothing, whichever call fails, and one that does not has`()
        throws
    {
        let peer = try Peer.opening(in: folder)
        let log = FaultInjection()
        try FaultInjection.$current.withValue(log) { try suite.set(2, forKey: "n") }
        var (present, refusals) = (2, 0)
        for (index, call) in log.calls.enumerated() where call != "linkat(.)" {
            let occurrence = log.calls[...index].count { $0 == call }
            for errno in [EIO, EMFILE] {
                let plan = FaultInjection(FaultInjection.Rule(call, at: occurrence, errno: errno))
                let error = FaultInjection.$current.withValue(plan) {
                    refusal { try suite.set(DefaultsValue(present + 1), forKey: "n") }
                }
                if error == nil { present += 1 } else { refusals += 1 }
                let fault: Comment = "\(call) \(occurrence) \(errno): \(String(describing: error))"
                #expect(try peer.ask("get n") == "\(present)", fault)
                #expect(suite.value(forKey: "n") == DefaultsValue(present), fault)
            }
        }
        #expect(refusals > 5)
        try suite.set(0, forKey: "n")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["n": 0])
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
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
        let store = try suite.context.store()
        // As while another thread commits.
        store.setCommitting(true)
        try peer.expectOK("set n 2")
        #expect(eventually { suite.value(forKey: "n") == 2 })
        for _ in 0..<100 { #expect(suite.value(forKey: "n") == 2) }
        store.setCommitting(false)
    }

    @Test func `another process's write is told as its own, and a save by hand as one`() throws {
        let peer = try Peer()
        try peer.expectOK("openunmapped \(folder.path) settings")
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "n", options: [.new]) { events.append($0) }
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
        let observation = suite.observe(forKey: "n", options: [.new]) { events.append($0.newValue) }
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
        let refused = FaultInjection(FaultInjection.Rule("pwrite", errno: ENOSPC))
        #expect(
            FaultInjection.$current.withValue(refused) { refusal { try suite.set(9, forKey: "n") } }?.code
                == .diskFull)
        #expect(try suite.storedValues() == ["n": 1])
        try suite.set(2, forKey: "n")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["n": 2])
    }
}
