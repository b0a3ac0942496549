/// A file system where a mapped page may not show what others write: network and user-space ones.
///
/// What kind it is, the kernel says by `fstatfs`; one that does not answer is taken for such a one.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .ownThread) struct UnmappedPlaceTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        let unknown = Faults(Faults.Rule("fstatfs", errno: EIO, lasts: true))
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
