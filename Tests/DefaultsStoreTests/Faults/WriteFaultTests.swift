/// Each system call of a write, and of a checkpoint, fails once or from then on: nothing acknowledged is lost, and the
/// next one works.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct WriteFaultTests {
    /// One system call, and whether what it belongs to fails with it.
    struct Step: Sendable, CustomTestStringConvertible {
        let call: String
        let occurrence: Int
        let isThrown: Bool
        var start: FaultInjection.Rule.Start?
        /// Whether it belongs to a checkpoint that has the lock all the time.
        var isUnderLock = false

        init(_ call: String, _ occurrence: Int, isThrown: Bool = true) {
            (self.call, self.occurrence, self.isThrown) = (call, occurrence, isThrown)
        }

        /// The same, counted behind the second wait for a name, before which a notice may be looked at or not.
        var behindFolder: Step {
            var step = self
            step.start = .behind("fsync", 2)
            return step
        }

        /// The same, counted behind the wait for the header, before which one may be looked at too.
        var behindHeader: Step {
            var step = self
            step.start = .behind("fdatasync", 2)
            return step
        }

        /// The same of a checkpoint for which there are no files without a name.
        var underLock: Step {
            var step = self
            step.isUnderLock = true
            return step
        }

        /// What makes it fail.
        func faults(errno: Int32, lasts: Bool = false) -> FaultInjection {
            let rule = FaultInjection.Rule(call, at: occurrence, errno: errno, lasts: lasts, from: start)
            return FaultInjection(isUnderLock ? [Step.noUnnamedFiles, rule] : [rule])
        }

        static let noUnnamedFiles = FaultInjection.Rule("openat(O_TMPFILE)", errno: EOPNOTSUPP)

        var testDescription: String {
            "\(call) \(occurrence)" + (start.map { " behind \($0.call) \($0.occurrence)" } ?? "")
        }
    }

    /// The calls of a write to an open suite, in their order.
    static let writeSteps = [
        Step("flock", 1), Step("lstat", 1, isThrown: false), Step("fstatat", 1), Step("pwrite", 1),
        Step("pwrite", 2), Step("flock", 2, isThrown: false),
    ]

    /// The calls of a checkpoint, in their order.
    ///
    /// Whether a refused one is thrown is looked at where it has to be: what could not be waited for is.
    static let concurrentSteps =
        [
            Step("openat", 1), Step("fstat", 1), Step("openat(O_TMPFILE)", 1),
            // What cannot be carried over is reported, and the new file its owner's alone.
            Step("fstat", 2, isThrown: false), Step("flistxattr", 1, isThrown: false),
            Step("fgetxattr", 1, isThrown: false), Step("fstat", 3),
            Step("fchmod", 1), Step("pwrite", 1), Step("fsync", 1), Step("fstat", 4), Step("fdatasync", 1),
            Step("flock", 1), Step("lstat", 1, isThrown: false), Step("fstatat", 1), Step("fstatat", 2),
            Step("fstatat", 3), Step("fstatat", 4), Step("unlinkat", 1), Step("linkat", 1),
            Step("openat(O_PATH)", 1), Step("linkat", 2),
            Step("renameat2", 1), Step("fstatat", 5), Step("unlinkat", 2), Step("unlinkat", 3),
            Step("flock", 2, isThrown: false),
            Step("openat", 2), Step("fsync", 2),
        ]
        + [
            Step("flock", 1), Step("lstat", 1, isThrown: false), Step("lstat", 2, isThrown: false),
            Step("fstatat", 1), Step("lstat", 3, isThrown: false), Step("fstatat", 2), Step("pwrite", 1),
            Step("pwrite", 2), Step("lstat", 4, isThrown: false), Step("fstatat", 3),
            Step("flock", 2, isThrown: false), Step("fdatasync", 1),
        ].map(\.behindFolder)
        + [
            Step("flock", 1), Step("lstat", 1, isThrown: false), Step("lstat", 2, isThrown: false),
            Step("fstatat", 1), Step("fstatat", 2), Step("fstatat", 3), Step("pwrite", 1), Step("pwrite", 2),
            Step("ftruncate", 1), Step("flock", 2, isThrown: false),
        ].map(\.behindHeader)

    /// The same where there are no files without a name, behind the refusal of one.
    static let underLockSteps = [
        Step("flock", 1), Step("lstat", 1, isThrown: false), Step("fstatat", 1), Step("fstatat", 2),
        Step("fstatat", 3), Step("fstatat", 4), Step("openat", 2), Step("fstat", 2), Step("unlinkat", 1),
        Step("openat", 3), Step("fstat", 3, isThrown: false), Step("flistxattr", 1, isThrown: false),
        Step("fgetxattr", 1, isThrown: false), Step("fstat", 4),
        Step("fchmod", 1), Step("pwrite", 1), Step("fsync", 1), Step("fstat", 5), Step("openat(O_PATH)", 1),
        Step("fdatasync", 1),
        Step("lstat", 2, isThrown: false), Step("fstatat", 5), Step("linkat", 1), Step("renameat2", 1),
        Step("fstatat", 6), Step("unlinkat", 2), Step("unlinkat", 3), Step("openat", 4), Step("fsync", 2),
        Step("fstatat", 7), Step("pwrite", 2), Step("pwrite", 3), Step("ftruncate", 1), Step("fdatasync", 2),
        Step("flock", 2, isThrown: false),
    ].map(\.underLock)

    static let checkpointSteps = concurrentSteps + underLockSteps

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        try suite.context.startWatching()
        try suite.set("older", forKey: "a")
        try suite.checkpoint()
        // Not that of a new file, which so has to be given it.
        #expect(chmod(folder.settingsPath(), 0o640) == 0)
        try suite.awaitOld()
        try suite.set("old", forKey: "a")
        suite.onFailure = { _ in }
    }

    /// Has everything seen to that other threads do because of the last write.
    private func completeAbandonedCommit() throws {
        try suite.checkpoint()
        try suite.awaitOld()
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
    }

    @Test func `the steps of a write are those that are made to fail here`() throws {
        try completeAbandonedCommit()
        let plan = FaultInjection()
        try FaultInjection.$current.withValue(plan) { try suite.set("new", forKey: "a") }
        #expect(plan.stepsUnderLock == Self.writeSteps.map(\.call))
    }

    @Test func `the steps of a checkpoint are those that are made to fail here`() throws {
        try completeAbandonedCommit()
        try suite.set("new", forKey: "a")
        let plan = FaultInjection()
        try FaultInjection.$current.withValue(plan) { try suite.checkpoint() }
        let steps = withoutNotices(plan.callsWithYoungFolder)
        #expect(steps.map { $0 == "stat" ? "lstat" : $0 } == Self.concurrentSteps.map(\.call))
    }

    /// Leaves out the look at what the kernel has told of, which comes after each time of the lock, if it has told.
    private func withoutNotices(_ calls: [String]) -> [String] {
        let look = ["lstat", "fstatat", "fstatat"]
        var (steps, isLocked) = ([String](), false)
        for call in calls {
            steps.append(call)
            if call == "flock" { isLocked.toggle() }
            if !isLocked, steps.suffix(4) == ["flock"] + look { steps.removeLast(3) }
        }
        return steps
    }

    @Test func `the steps of a checkpoint under the lock are those that are made to fail here`() throws {
        try completeAbandonedCommit()
        try suite.set("new", forKey: "a")
        let plan = FaultInjection(Step.noUnnamedFiles)
        try FaultInjection.$current.withValue(plan) { try suite.checkpoint() }
        let steps = plan.callsWithYoungFolder.map { $0 == "stat" ? "lstat" : $0 }
        #expect(steps == ["openat", "fstat", "openat(O_TMPFILE)"] + Self.underLockSteps.map(\.call))
    }

    @Test(arguments: writeSteps)
    func `a call that fails once costs no acknowledged value, and all goes on after it`(_ step: Step) throws {
        try completeAbandonedCommit()
        let plan = step.faults(errno: EIO)
        let error = FaultInjection.$current.withValue(plan) { refusal { try suite.set("new", forKey: "a") } }
        let expectedCode: DefaultsError.Code? = step.isThrown ? .ioFailure : nil
        #expect(error?.code == expectedCode)
        let expected = step.isThrown ? "old" : "new"
        #expect(try suite.storedValues() == ["a": .string(expected)])
        // What was refused has left nothing to be brought in, and the next write meets the files as they are then.
        if !step.isThrown { try suite.checkpoint() }
        #expect(try folder.foreignReading() == ["a": expected])
        try suite.set("next", forKey: "a")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": "next"])
        #expect(try eventually { try folder.isLockFree() })
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test func `a waiter's note that cannot be taken back keeps neither the write nor the lock`() throws {
        try completeAbandonedCommit()
        // The note is left when looking again at once was in vain. On a busy machine who waits sleeps in place of looking
        // again, and notes it each time; when it has the lock, it takes the last note back before anything else.
        let last = WriterLock.spins + 1
        let busy = (1...last).map { FaultInjection.Rule("flock", at: $0, errno: EWOULDBLOCK) }
        let plan = FaultInjection(
            busy + [FaultInjection.Rule("pwrite", errno: EIO, from: .behind("flock", last + 1))])
        try FaultInjection.$current.withValue(plan) { try suite.set("new", forKey: "a") }
        let tries = plan.calls.indices.filter { plan.calls[$0] == "flock" }
        try #require(tries.count > last)
        #expect(plan.calls[..<tries[last]].contains("pwrite") && plan.calls[tries[last] + 1] == "pwrite")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": "new"])
        #expect(try eventually { try folder.isLockFree() })
    }

    @Test(arguments: writeSteps + checkpointSteps)
    func `an interrupted call is made again and nobody notices`(_ step: Step) throws {
        let plan = step.faults(errno: EINTR)
        try FaultInjection.$current.withValue(plan) {
            try suite.set("new", forKey: "a")
            try suite.checkpoint()
        }
        #expect(try folder.foreignReading() == ["a": "new"])
    }

    @Test(arguments: ["flock", "lstat", "fstatat", "pwrite"], 1...4)
    func `while reads look at the files, a write refused a call has thrown or is done`(
        _ call: String, occurrence: Int
    ) throws {
        let unheard = try TemporaryFolder()
        let suite = try unheard.suite()
        try suite.set("old", forKey: "a")
        try suite.checkpoint()
        let plan = FaultInjection(FaultInjection.Rule(call, at: occurrence, errno: EIO))
        let error = FaultInjection.$current.withValue(plan) { refusal { try suite.set("new", forKey: "a") } }
        #expect(try suite.context.store().isWatched == false)
        #expect(error == nil || error?.code == .ioFailure)
        let expected = error == nil ? "new" : "old"
        #expect(suite.string(forKey: "a") == expected)
        #expect(try unheard.foreignReading() == ["a": expected])
        try suite.set("next", forKey: "a")
        #expect(try unheard.foreignReading() == ["a": "next"])
    }

    @Test(arguments: writeSteps.filter(\.isThrown))
    func `a call that keeps failing refuses every write and loses nothing`(_ step: Step) throws {
        let plan = step.faults(errno: ENOSPC, lasts: true)
        FaultInjection.$current.withValue(plan) {
            for _ in 0..<3 { #expect(refusal { try suite.set("new", forKey: "a") } != nil) }
        }
        #expect(try suite.storedValues() == ["a": "old"])
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": "old"])
        try suite.set("next", forKey: "a")
        #expect(try suite.storedValues() == ["a": "next"])
    }

    @Test(arguments: checkpointSteps)
    func `a checkpoint refused a call says so, and the next one does everything`(_ step: Step) throws {
        try completeAbandonedCommit()
        try suite.set("new", forKey: "a")
        let plan = step.faults(errno: EIO)
        let error = FaultInjection.$current.withValue(plan) { refusal { try suite.checkpoint() } }
        let expectedCode: DefaultsError.Code? = step.isThrown ? .ioFailure : nil
        #expect(error?.code == expectedCode)
        #expect(try suite.storedValues() == ["a": "new"])
        #expect(try DefaultsSuite(file: folder.settingsPath()).storedValues() == ["a": "new"])
        try suite.synchronize()
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": "new"])
        try suite.set("next", forKey: "a")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": "next"])
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test(arguments: checkpointSteps.filter(\.isThrown), [ENOSPC, EIO])
    func `a checkpoint that is refused for long keeps every write, and all is well afterwards`(
        _ step: Step, errno: Int32
    ) throws {
        try completeAbandonedCommit()
        try suite.set("new", forKey: "a")
        let plan = step.faults(errno: errno, lasts: true)
        FaultInjection.$current.withValue(plan) {
            #expect(refusal { try suite.checkpoint() } != nil)
            // A journal that cannot be cut is replaced, so the second attempt may do without what is refused.
            for _ in 0..<2 { _ = refusal { try suite.checkpoint() } }
        }
        #expect(try suite.storedValues() == ["a": "new"])
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": "new"])
        #expect(try eventually { try folder.isLockFree() })
    }
}
