/// Each system call of a read fails once: the last good values answer, the failure is told, nothing is taken for empty.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ReadFaultTests {
    /// The calls of a read that finds the file saved anew, in their order.
    static let calls = [
        "lstat", "fstatat", "fstatat", "pread", "fstatat", "openat", "fstat", "pread", "pread", "fstat",
        "pread", "fstatat", "pread", "lstat",
    ]
    private static let steps = calls.indices.map { index in
        (calls[index], calls[...index].count { $0 == calls[index] })
    }

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        // No checkpoint but this one: it has been published when it returns, and the journal's new header with it.
        suite = try folder.heldSuite()
        try suite.context.startWatching()
        suite.register(defaults: ["a": "registered", "b": "registered"])
        try suite.set("stored", forKey: "a")
        try suite.checkpoint()
        try folder.saveByRename("{\"a\": \"edited\"}")
        // A file saved just now is looked at once more later, instead of the last step.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
            ofItemAtPath: folder.path + "/settings/settings.json")
        try suite.context.store().raiseEpoch()
    }

    @Test func `the steps of a read are those that are made to fail here`() throws {
        let plan = FaultInjection()
        FaultInjection.$current.withValue(plan) { #expect(suite.value(forKey: "a") == "edited") }
        // What the read leaves to the worker pool needs a thread only if none of the pool's happens to be idle.
        #expect(plan.calls.filter { $0 != "pthread_create" } == Self.calls)
    }

    @Test(arguments: steps)
    func `a failed read serves the last good value and tells of it`(call: String, occurrence: Int) {
        let failures = FailureRecorder(suite)
        let plan = FaultInjection(FaultInjection.Rule(call, at: occurrence, errno: EIO))
        FaultInjection.$current.withValue(plan) {
            let value = suite.value(forKey: "a")
            let expected: DefaultsValue = failures.all.isEmpty ? "edited" : "stored"
            #expect(value == expected)
        }
        #expect(
            failures.all.allSatisfy {
                $0.code == .ioFailure && $0.systemError == SystemError(call: call, errno: EIO)
            })
        #expect(suite.value(forKey: "a") == "edited")
        #expect(suite.value(forKey: "b") == "registered")
    }

    @Test(arguments: steps)
    func `a failed listing throws or is whole, never empty`(call: String, occurrence: Int) throws {
        let plan = FaultInjection(FaultInjection.Rule(call, at: occurrence, errno: EIO))
        let error = FaultInjection.$current.withValue(plan) { refusal { try expectEdited() } }
        let code = error?.code
        #expect(code == nil || code == .ioFailure)
        try expectEdited()
    }

    private func expectEdited() throws {
        let values = try suite.storedValues()
        #expect(values == ["a": "edited"])
    }

    @Test
    func
        `a file that cannot be read at the first opening lets registered values answer and throws elsewhere`()
        throws
    {
        let fresh = try DefaultsSuite(file: folder.path + "/other.json")
        try folder.write("{\"a\": 1}", to: "other.json")
        fresh.register(defaults: ["a": "registered"])
        let failures = FailureRecorder(fresh)
        let plan = FaultInjection(FaultInjection.Rule("pread", errno: EIO, lasts: true))
        FaultInjection.$current.withValue(plan) {
            #expect(fresh.value(forKey: "a") == "registered")
            #expect(refusal { _ = try fresh.storedValues() }?.code == .ioFailure)
            #expect(refusal { try fresh.set(2, forKey: "b") }?.code == .ioFailure)
        }
        #expect(failures.codes == [.ioFailure])
        #expect(try fresh.storedValues() == ["a": 1])
    }
}
