@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

/// What becomes of a write whose commit did not run as it should have.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct HalfCommitTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
        suite.onFailure = { _ in }
    }

    @Test func `a checkpoint whose folder was refused is done again whole by the next one`() throws {
        try suite.set(2, forKey: "n")
        let refused = FaultInjection(FaultInjection.Rule("fsync", at: 2, errno: EIO))
        #expect(
            refusal { try FaultInjection.$current.withValue(refused) { try suite.checkpoint() } }?.code
                == .ioFailure
        )
        let log = FaultInjection()
        try FaultInjection.$current.withValue(log) { try suite.checkpoint() }
        #expect(log.calls.filter { $0 == "fsync" }.count == 2)
        #expect(try suite.storedValues() == ["n": 2])
        #expect(try folder.foreignReading() == ["n": 2])
    }

    @Test func `a folder that is replaced under a transaction gets the change and keeps what was put there`()
        throws
    {
        try suite.withTransaction { tx in
            tx[key: "n"] = 2
            #expect(rename(folder.path + "/settings", folder.path + "/old") == 0)
            try folder.write("{\"theirs\": 3}", to: "settings/settings.json")
        }
        #expect(try suite.storedValues() == ["theirs": 3, "n": 2])
        #expect(try folder.read("old/settings.json") == "{\n  \"n\": 1\n}\n")
    }

    @Test func `a folder's path with a NUL in it is refused`() {
        let error = refusal { _ = try DefaultsSuite("settings", in: folder.path + "/a\0b") }
        #expect(error?.code == .invalidSuiteName)
    }
}
