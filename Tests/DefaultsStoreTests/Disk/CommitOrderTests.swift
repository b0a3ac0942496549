import DefaultsStore
import TestSupport
import Testing

/// The order in which a commit calls the system, which is what its safety rests on.
@Suite(.ownThread) struct CommitOrderTests {
    /// The calls of a set on a suite that is open, from the lock to its return.
    private func callsOfASet() throws -> [String] {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(1, forKey: "n")
        let log = Faults()
        try Faults.$current.withValue(log) { try suite.set(2, forKey: "n") }
        return log.calls
    }

    @Test func `the generation rises before the temporary file is made (F4)`() throws {
        let calls = try callsOfASet()
        let raise = try #require(calls.firstIndex(of: "pwrite"))
        let firstChange = try #require(calls.firstIndex { ["openat", "unlinkat", "renameat"].contains($0) })
        #expect(calls[..<raise].filter { ["renameat", "unlinkat", "fsync", "fchmod"].contains($0) } == [])
        #expect(raise < firstChange)
    }

    @Test func `the next file is on the disk before its name and the folder before the return (F2)`() throws {
        let durable = try callsOfASet().filter { ["pwrite", "fsync", "renameat"].contains($0) }
        #expect(durable == ["pwrite", "pwrite", "fsync", "renameat", "fsync", "pwrite"])
    }

    @Test func `the journal names the generation only after the folder is on the disk (F5)`() throws {
        let calls = try callsOfASet()
        let named = try #require(calls.lastIndex(of: "pwrite"))
        let synchronized = try #require(calls.lastIndex(of: "fsync"))
        #expect(named > synchronized)
    }
}
