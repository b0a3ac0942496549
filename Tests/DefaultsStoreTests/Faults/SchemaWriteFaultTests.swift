/// A schema's file when the system refuses a call.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct SchemaWriteFaultTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        path = folder.path + "/settings/settings.schema.json"
        try suite.set(1, forKey: "a")
        _ = try suite.context.writeSchema(Array("old".utf8), to: nil)
        // Not that of a new file, which so has to be given it.
        #expect(chmod(path, 0o640) == 0)
    }

    private func entries() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/settings").sorted()
    }

    @Test(arguments: [
        ("fchmod", EPERM, DefaultsError.Code.readOnly), ("pwrite", ENOSPC, .diskFull),
        ("fsync", EIO, .ioFailure),
        ("renameat", EACCES, .readOnly),
    ])
    func `a refused call leaves the old schema, and nothing beside it`(
        call: String, number: Int32, code: DefaultsError.Code
    ) throws {
        try suite.checkpoint()
        let before = try entries()
        let plan = FaultInjection(FaultInjection.Rule(call, errno: number))
        let error = FaultInjection.$current.withValue(plan) {
            refusal { _ = try suite.context.writeSchema(Array("new".utf8), to: nil) }
        }
        #expect(
            error
                == DefaultsError(
                    code, suite: "settings", path: path, systemError: SystemError(call: call, errno: number)))
        #expect(try folder.read("settings/settings.schema.json") == "old")
        #expect(try entries() == before)
    }

    @Test func `one that cannot be read is an error and is not written over`() throws {
        let plan = FaultInjection(FaultInjection.Rule("pread", errno: EIO))
        let error = FaultInjection.$current.withValue(plan) {
            refusal { _ = try suite.context.writeSchema(Array("new".utf8), to: nil) }
        }
        #expect(error?.code == .ioFailure)
        #expect(try folder.read("settings/settings.schema.json") == "old")
    }
}
