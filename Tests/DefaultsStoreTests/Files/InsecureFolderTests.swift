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

    private static let isRoot = geteuid() == 0

    @Test(
        .enabled(if: isRoot, "needs root, to give a folder to a group"), arguments: [0o770, 0o2775, 0o1770])
    func `a folder that a group of others can write is refused unless that is allowed`(mode: UInt32) throws {
        let path = folder.path + "/settings"
        #expect(chown(path, 0, 100) == 0 && chmod(path, mode) == 0)
        try expectRefusal(try folder.suite())
        #expect(try folder.suite().inspectFiles().contains { $0.category == "insecureDirectory" })
        let allowed = try DefaultsSuite("settings", in: folder.path, allowsInsecureDirectory: true)
        try allowed.set(2, forKey: "a")
        #expect(try allowed.storedValues() == ["a": 2])
    }

    @Test(arguments: [0o777, 0o1777, 0o770])
    func `of a folder on the way others may write only one that is sticky, or their own group's`(
        mode: UInt32
    ) throws {
        try folder.write("{\"a\": 1}", to: "around/s/settings.json")
        // The process's own group is root's, or its user's alone, or that of others.
        let isOwn = geteuid() == 0
        #expect(chmod(folder.path + "/around", mode) == 0)
        let again = try DefaultsSuite(file: folder.path + "/around/s/settings.json")
        if mode == 0o1777 || mode == 0o770 && isOwn {
            #expect(try again.storedValues() == ["a": 1])
        } else if mode == 0o777 {
            #expect(refusal { _ = try again.storedValues() }?.code == .insecureDirectory)
            let new = try DefaultsSuite("new", in: folder.path + "/around")
            #expect(refusal { try new.set(1, forKey: "a") }?.code == .insecureDirectory)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/around") == ["s"])
        }
        let allowed = try DefaultsSuite(
            file: folder.path + "/around/s/settings.json", allowsInsecureDirectory: true)
        #expect(try allowed.storedValues() == ["a": 1])
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
