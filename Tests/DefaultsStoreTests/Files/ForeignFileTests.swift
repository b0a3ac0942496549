/// Reading a file that others own, with failing system calls.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ForeignFileTests {
    private let folder: TemporaryFolder
    private let file: ForeignFile

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("text", to: "a")
        file = ForeignFile(folder.path + "/a")
    }

    @Test func `the whole file is read`() throws {
        #expect(try file.read() == Array("text".utf8))
        #expect(try file.read(limit: 4) == Array("text".utf8))
    }

    @Test func `one byte more than the limit is refused`() {
        let expected = DefaultsError(
            .sourceFailed, path: file.path, underlyingDescription: "it is larger than 3 bytes")
        #expect(throws: expected) { try file.read(limit: 3) }
    }

    @Test(arguments: ["stat", "open", "fstat", "pread"])
    func `a refused call is an error with the call and the path`(call: String) {
        let error = FaultInjection.$current.withValue(FaultInjection(FaultInjection.Rule(call, errno: EIO))) {
            refusal { _ = try file.read() }
        }
        #expect(
            error
                == DefaultsError(
                    .sourceFailed, path: file.path, systemError: SystemError(call: call, errno: EIO)))
    }

    @Test func `a file that is never as long as it says is given up after ten readings`() {
        let plan = FaultInjection()
        let error = FaultInjection.$current.withValue(plan) {
            refusal { _ = try ForeignFile("/proc/self/stat").read() }
        }
        #expect(error?.underlyingDescription == "it keeps changing while it is read")
        #expect(plan.calls.count { $0 == "pread" } == 10)
    }

    @Test func `an interrupted call is made again`() throws {
        let plan = FaultInjection(
            FaultInjection.Rule("open", errno: EINTR), FaultInjection.Rule("pread", errno: EINTR))
        #expect(try FaultInjection.$current.withValue(plan) { try file.read() } == Array("text".utf8))
    }

    @Test(arguments: ["", ".", "..", "b/a", "/a", "a\0"])
    func `a name that leads out of its folder is refused`(name: String) {
        let error = refusal { _ = try ForeignFile.read(name, inFolder: folder.path, limit: 100) }
        #expect(error?.underlyingDescription == "the name leads out of its folder")
    }
}
