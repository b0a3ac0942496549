/// Which suites there are in a folder.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct SuiteListingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `every suite that was opened is listed by the name it was given`() throws {
        let names = [".hidden", "a b", "com.example.player", "日本", "100%"]
        for name in names { try folder.suite(name).set(1, forKey: "n") }
        #expect(try DefaultsSuite.names(in: folder.path) == names.sorted { KeyName($0) < KeyName($1) })
    }

    @Test func `other programs' folders, files and names that no suite has are not listed`() throws {
        try folder.suite("mine").set(1, forKey: "n")
        for name in [
            "other/settings.json", "%zz/.settings.json.lock", "%61/.settings.json.lock", "loose.json",
        ] {
            try folder.write("{}", to: name)
        }
        #expect(try DefaultsSuite.names(in: folder.path) == ["mine"])
    }

    @Test func `a folder that is not there has no suites, and a file in its place is an error`() throws {
        #expect(try DefaultsSuite.names(in: folder.path + "/none") == [])
        try folder.write("{}", to: "file")
        #expect(
            refusal { _ = try DefaultsSuite.names(in: folder.path + "/file") }?.code == .insecureDirectory)
    }

    @Test func `a listing that is refused is an error and never empty`() {
        let plan = Faults(Faults.Rule("opendir", errno: EIO))
        let error = Faults.$current.withValue(plan) {
            refusal { _ = try DefaultsSuite.names(in: folder.path) }
        }
        #expect(
            error
                == DefaultsError(
                    .io, path: folder.path, systemError: SystemError(call: "opendir", errno: EIO)))
    }
}
