/// From the number the system gave to the code a caller branches on.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ErrorCodeTests {
    /// What each number means for a write.
    static let codes: [(Int32, DefaultsError.Code)] = [
        (ENOSPC, .diskFull), (EDQUOT, .diskFull), (EFBIG, .diskFull), (EROFS, .readOnly), (EACCES, .readOnly),
        (EPERM, .readOnly), (EIO, .ioFailure), (EMFILE, .ioFailure), (ENOMEM, .ioFailure),
        (ELOOP, .insecureDirectory),
    ]

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        try suite.set("old", forKey: "a")
    }

    @Test(arguments: codes)
    func `a refused write throws the code for its number and names the call and the file`(
        number: Int32, code: DefaultsError.Code
    ) throws {
        let plan = FaultInjection(FaultInjection.Rule("pwrite", at: 2, errno: number))
        let error = FaultInjection.$current.withValue(plan) { refusal { try suite.set("new", forKey: "a") } }
        let expected = DefaultsError(
            code, suite: "settings", path: folder.path + "/settings/.settings.json.journal",
            systemError: SystemError(call: "pwrite", errno: number))
        #expect(error == expected)
    }

    // EACCES is left to FaultTests: a journal that may not be read keeps nobody from reading the settings.
    @Test(arguments: [EIO, EMFILE, ESTALE])
    func `a refused read is an error and never an absence`(number: Int32) throws {
        let fresh = try DefaultsSuite(file: folder.settingsPath())
        try fresh.checkpoint()
        try folder.saveByRename("{\"a\": \"edited\"}")
        try fresh.context.store().raiseEpoch()
        let plan = FaultInjection(FaultInjection.Rule("openat", errno: number, lasts: true))
        let error = FaultInjection.$current.withValue(plan) { refusal { _ = try fresh.storedValues() } }
        #expect(error?.code == .ioFailure)
        #expect(error?.systemError == SystemError(call: "openat", errno: number))
    }

    @Test func `no error's text holds a stored value`() throws {
        let plan = FaultInjection(FaultInjection.Rule("pwrite", at: 2, errno: EIO))
        let error = FaultInjection.$current.withValue(plan) {
            refusal { try suite.set("s3cret", forKey: "a") }
        }
        let text = try #require(error?.description)
        #expect(!text.contains("s3cret") && !text.contains("old"))
        #expect(text.contains("pwrite") && text.contains(folder.path))
    }
}
