/// Folders that others could change are refused unless asked for.
import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct InsecureFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("{\"a\": 1}", to: "settings/settings.json")
    }

    private func expectRefusal(_ suite: DefaultsSuite) throws {
        suite.onFailure = { _ in }
        #expect(refusal { _ = try suite.storedValues() }?.code == .insecureDirectory)
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .insecureDirectory)
        #expect(suite.value(forKey: "a") == nil)
        #expect(try folder.names() == ["settings.json"])
    }

    @Test(arguments: [0o777, 0o1777, 0o702])
    func `a folder that everybody can write is refused and left alone`(mode: UInt32) throws {
        #expect(chmod(folder.path + "/settings", mode) == 0)
        try expectRefusal(try folder.suite())
    }

    @Test func `a folder that everybody can write is used where the caller allows it`() throws {
        #expect(chmod(folder.path + "/settings", 0o777) == 0)
        let suite = try DefaultsSuite("settings", in: folder.path, allowsInsecureDirectory: true)
        try suite.set(2, forKey: "a")
        #expect(try suite.storedValues() == ["a": 2])
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to give a folder away"))
    func `another user's folder is refused and left alone`() throws {
        #expect(chown(folder.path + "/settings", 65_534, 65_534) == 0)
        try expectRefusal(try folder.suite())
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to give a file away"))
    func `another user's settings file is refused and left as it is`() throws {
        #expect(chown(folder.settingsPath(), 65_534, 65_534) == 0)
        let suite = try folder.suite()
        #expect(refusal { _ = try suite.storedValues() }?.code == .insecureDirectory)
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .insecureDirectory)
        #expect(try folder.read("settings/settings.json") == "{\"a\": 1}")
    }

    @Test func `a suite below a plain file is refused with the call and the path`() throws {
        try folder.write("text", to: "plain")
        let suite = try DefaultsSuite("s", in: folder.path + "/plain")
        let error = refusal { try suite.set(1, forKey: "a") }
        #expect(error?.systemError?.errno == ENOTDIR)
        #expect(error?.path?.hasPrefix(folder.path + "/plain") == true)
        #expect(try folder.read("plain") == "text")
    }

    @Test func `a refused folder is used as soon as it is safe`() throws {
        #expect(chmod(folder.path + "/settings", 0o777) == 0)
        let suite = try folder.suite()
        #expect(refusal { try suite.set(2, forKey: "b") }?.code == .insecureDirectory)
        #expect(chmod(folder.path + "/settings", 0o700) == 0)
        try suite.set(2, forKey: "b")
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
    }
}
