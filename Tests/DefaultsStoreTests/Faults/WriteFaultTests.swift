/// Each system call of a write fails once: nothing acknowledged is lost, and the next write works.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct WriteFaultTests {
    /// One system call of a write, and what becomes of the write when it fails.
    struct Step: Sendable, CustomTestStringConvertible {
        enum Outcome: Sendable { case refused, stored, storedButThrown }
        let call: String
        let occurrence: Int
        let outcome: Outcome

        init(_ call: String, _ occurrence: Int, _ outcome: Outcome) {
            (self.call, self.occurrence, self.outcome) = (call, occurrence, outcome)
        }

        var testDescription: String { "\(call) \(occurrence)" }
    }

    /// The calls of a write to an open suite, in their order.
    static let steps = [
        Step("flock", 1, .refused),
        Step("lstat", 1, .stored),
        Step("pread", 1, .refused),
        Step("fstatat", 1, .refused),
        Step("pwrite", 1, .refused),
        Step("fstatat", 2, .refused),
        Step("unlinkat", 1, .refused),
        Step("openat", 1, .refused),
        Step("fchmod", 1, .refused),
        Step("pwrite", 2, .refused),
        Step("fsync", 1, .refused),
        Step("fstat", 1, .refused),
        Step("lstat", 2, .stored),
        Step("fstatat", 3, .refused),
        Step("renameat", 1, .refused),
        Step("fsync", 2, .storedButThrown),
        Step("openat", 2, .stored),
        Step("fstat", 2, .stored),
        Step("pwrite", 3, .stored),
        Step("flock", 2, .stored),
    ]

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.set("old", forKey: "a")
        suite.onFailure = { _ in }
    }

    @Test func `the steps of a write are those that are made to fail here`() throws {
        try Housekeeper.shared.drain()
        _ = suite.value(forKey: "a")
        let plan = Faults()
        try Faults.$current.withValue(plan) { try suite.set("new", forKey: "a") }
        #expect(plan.callsUnderLock == Self.steps.map(\.call))
    }

    @Test
    func
        `the generation is raised before the next file is written, and named in the journal after the rename`()
    {
        let writes = Self.steps.filter { $0.call == "pwrite" || $0.call == "renameat" || $0.call == "fsync" }
        #expect(writes.map(\.call) == ["pwrite", "pwrite", "fsync", "renameat", "fsync", "pwrite"])
    }

    @Test(arguments: steps)
    func `a call that fails once costs no acknowledged value, and all goes on after it`(_ step: Step) throws {
        try Housekeeper.shared.drain()
        _ = suite.value(forKey: "a")
        let plan = Faults(Faults.Rule(step.call, at: step.occurrence, errno: EIO))
        let error = Faults.$current.withValue(plan) { refusal { try suite.set("new", forKey: "a") } }
        let expectedCode: DefaultsError.Code? = step.outcome == .stored ? nil : .io
        #expect(error?.code == expectedCode)
        let expected = step.outcome == .refused ? "old" : "new"
        #expect(try folder.foreignReading() == ["a": expected])
        #expect(try suite.storedValues() == ["a": .string(expected)])
        try suite.set("next", forKey: "a")
        #expect(try folder.foreignReading() == ["a": "next"])
        #expect(try folder.isLockFree())
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test(arguments: steps)
    func `an interrupted call is made again and nobody notices`(_ step: Step) throws {
        let plan = Faults(Faults.Rule(step.call, at: step.occurrence, errno: EINTR))
        try Faults.$current.withValue(plan) { try suite.set("new", forKey: "a") }
        #expect(try folder.foreignReading() == ["a": "new"])
    }

    @Test(arguments: steps.filter { $0.outcome == .refused })
    func `a call that keeps failing refuses every write and loses nothing`(_ step: Step) throws {
        let plan = Faults(Faults.Rule(step.call, at: step.occurrence, errno: ENOSPC, lasts: true))
        Faults.$current.withValue(plan) {
            for _ in 0..<3 { #expect(refusal { try suite.set("new", forKey: "a") } != nil) }
        }
        #expect(try folder.foreignReading() == ["a": "old"])
        try suite.set("next", forKey: "a")
        #expect(try suite.storedValues() == ["a": "next"])
    }
}
