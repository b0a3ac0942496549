import DefaultsStore
import Foundation
import TestSupport
import Testing

/// The order in which writes and checkpoints call the system, which is what their safety rests on.
@Suite(.ownThread) struct CommitOrderTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
    }

    /// The calls that change what is on the disk, or wait for it.
    private func changes(
        besides others: Set<String> = [], _ rules: [FaultInjection.Rule] = [], _ body: () throws -> Void
    ) throws -> [String] {
        let log = FaultInjection(rules)
        try FaultInjection.$current.withValue(log) { try body() }
        let changing: Set = [
            "pwrite", "ftruncate", "fsync", "fdatasync", "linkat", "renameat", "renameat2", "unlinkat",
            "fchmod",
        ]
        return log.calls.filter(changing.union(others).contains)
    }

    @Test func `a set raises the generation, appends a record, and waits for no disk (F4)`() throws {
        let calls = try changes { try suite.set(2, forKey: "n") }
        #expect(calls == ["pwrite", "pwrite"])
    }

    @Test func `synchronize waits for the journal, and the first time for its name (F15)`() throws {
        let other = try folder.heldSuite("other")
        try other.set(1, forKey: "n")
        #expect(try changes { try other.synchronize() } == ["fdatasync", "fsync"])
        try other.set(2, forKey: "n")
        #expect(try changes { try other.synchronize() } == ["fdatasync"])
        #expect(try changes { try other.synchronize() } == [])
    }

    /// How a checkpoint is made: as a rule, or where there are no files without a name.
    enum Way: CaseIterable { case concurrent, underLock }

    /// What a checkpoint changes and waits for, in order, and where it has the lock.
    private func checkpoint(_ way: Way) throws -> [String] {
        try suite.set(2, forKey: "n")
        let rules = way == .concurrent ? [] : [FaultInjection.Rule("openat(O_TMPFILE)", errno: EOPNOTSUPP)]
        return try changes(besides: ["flock"], rules) { try suite.checkpoint() }
    }

    private static let making = ["pwrite", "fsync", "fdatasync"]
    private static let placing = ["linkat", "renameat2", "unlinkat", "unlinkat"]
    /// The note that all is done, and the wait for it.
    private static let noting = ["flock", "pwrite", "pwrite", "flock", "fdatasync"]
    private static let restarting = ["pwrite", "pwrite", "ftruncate"]

    @Test func `nobody waits for the disk that a checkpoint waits for`() throws {
        let calls: [String] =
            Self.making + ["flock", "unlinkat", "linkat"] + Self.placing + ["flock", "fsync"] + Self.noting
            + ["flock"] + Self.restarting + ["flock"]
        #expect(try checkpoint(.concurrent) == calls)
    }

    @Test func `a checkpoint under the lock does the same in the same order`() throws {
        let calls: [String] =
            ["flock", "unlinkat"] + Self.making + Self.placing + ["fsync"] + Self.restarting
            + ["fdatasync", "flock"]
        #expect(try checkpoint(.underLock) == calls)
    }

    @Test(arguments: Way.allCases)
    func `the next file and the journal are on the disk before the exchange (F2)`(_ way: Way) throws {
        let calls = try checkpoint(way).prefix { $0 != "renameat2" }
        #expect(calls.contains("fsync") && calls.contains("fdatasync"))
    }

    @Test(arguments: Way.allCases)
    func `the journal begins anew when the folder is on the disk, after the generation has risen (F5)`(
        _ way: Way
    ) throws {
        let calls = try checkpoint(way).drop { $0 != "renameat2" }
        let waiting = try #require(calls.firstIndex(of: "fsync"))
        #expect(!calls[..<waiting].contains("pwrite"))
        let expected: [String] =
            switch way {
            case .concurrent: ["fsync"] + Self.noting + ["flock"] + Self.restarting + ["flock"]
            case .underLock: ["fsync"] + Self.restarting + ["fdatasync", "flock"]
            }
        #expect(Array(calls[waiting...]) == expected)
    }

    @Test func `the new header is on the disk before the lock is given back (F11)`() throws {
        let calls = try checkpoint(.underLock)
        #expect(calls.suffix(4) == ["pwrite", "ftruncate", "fdatasync", "flock"])
    }

    @Test func `or the word is that all before it is done, before it is written (F11)`() throws {
        let calls = try checkpoint(.concurrent)
        let waiting = try #require(calls.lastIndex(of: "fdatasync"))
        let behind: [String] = ["fdatasync", "flock"] + Self.restarting + ["flock"]
        #expect(Array(calls[waiting...]) == behind)
        #expect(calls[..<waiting].suffix(3) == ["pwrite", "pwrite", "flock"])
    }
}
