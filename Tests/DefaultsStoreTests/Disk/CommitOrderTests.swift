import DefaultsStore
import TestSupport
import Testing

/// The order in which writes and checkpoints call the system, which is what their safety rests on.
@Suite(.ownThread) struct CommitOrderTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
    }

    /// The calls that change what is on the disk, or wait for it.
    private func changes(_ body: () throws -> Void) throws -> [String] {
        let log = Faults()
        try Faults.$current.withValue(log) { try body() }
        let changing: Set = [
            "pwrite", "ftruncate", "fsync", "fdatasync", "linkat", "renameat", "renameat2", "unlinkat",
            "fchmod",
        ]
        return log.calls.filter(changing.contains)
    }

    @Test func `a set raises the generation, appends a record, and waits for no disk (F4)`() throws {
        let calls = try changes { try suite.set(2, forKey: "n") }
        #expect(calls == ["pwrite", "pwrite"])
    }

    @Test func `synchronize waits for the journal, and the first time for its name (F15)`() throws {
        let other = try folder.suite("other")
        try other.set(1, forKey: "n")
        #expect(try changes { try other.synchronize() } == ["fdatasync", "fsync"])
        try other.set(2, forKey: "n")
        #expect(try changes { try other.synchronize() } == ["fdatasync"])
        #expect(try changes { try other.synchronize() } == [])
    }

    /// What a checkpoint changes and waits for, in order.
    private func checkpoint() throws -> [String] {
        try suite.set(2, forKey: "n")
        return try changes { try suite.checkpoint() }
    }

    @Test func `the next file and the journal are on the disk before the exchange (F2)`() throws {
        #expect(
            try checkpoint().prefix(7) == [
                "unlinkat", "fchmod", "pwrite", "fsync", "fdatasync", "linkat", "renameat2",
            ])
    }

    @Test func `the journal begins anew when the folder is on the disk, after the generation has risen (F5)`()
        throws
    {
        #expect(try checkpoint()[7...11] == ["unlinkat", "unlinkat", "fsync", "pwrite", "pwrite"])
    }

    @Test func `the new header is on the disk before the lock is given back (F11)`() throws {
        #expect(try checkpoint().suffix(3) == ["pwrite", "ftruncate", "fdatasync"])
    }
}
