/// Handles: what makes two of them one suite, and what they say of themselves.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct SuiteHandleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `two handles of one name are equal and see one another's writes`() throws {
        let (first, second) = (try folder.suite(), try folder.suite())
        try first.set(1, forKey: "a")
        #expect(first == second)
        #expect(second.value(forKey: "a") == 1)
    }

    @Test func `a suite opened by the path of its file is the same suite`() throws {
        let named = try folder.suite()
        let byPath = try DefaultsSuite(file: folder.settingsPath())
        #expect(named == byPath)
        #expect(named.path == byPath.path)
    }

    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a//b", "/a/b"), ("//a", "/a"), ("/a/b/", "/a/b"), ("/a/b//", "/a/b"),
        ("/./a", "/a"), ("/a/./b", "/a/b"), ("/a/././b", "/a/b"), ("/a/b/.", "/a/b"), ("/", "/"), ("/.", "/"),
        ("/a/.b", "/a/.b"), ("/a/..b", "/a/..b"), ("/a/b./c", "/a/b./c"), ("/a/../b", "/a/../b"),
        ("/a/..", "/a/.."), ("/a/.../b", "/a/.../b"), ("/a/é b/c", "/a/é b/c"),
    ])
    func `a path has one spelling, and what a link may change stays`(path: String, normal: String) {
        #expect(SuiteLocation(folder: path, allowsInsecureDirectory: false).folder == normal)
    }

    @Test(arguments: ["/config.json", "//config.json", "/./config.json", "/.//./config.json"])
    func `a file in the root folder is there, wherever the program works`(path: String) throws {
        let location = try #require(SuiteLocation(path: path, allowsInsecureDirectory: false))
        #expect(location.folder == "/")
        #expect(location.path == "/config.json")
        #expect(location.journalPath == "/.config.json.journal")
        #expect(location.lockPath == "/.config.json.lock")
        #expect(location.path(of: location.schema) == "/config.schema.json")
        #expect(try DefaultsSuite(file: path).path == "/config.json")
    }

    @Test func `a settings link to a file in the root folder leads there`() throws {
        // Nothing has that name, so nothing is looked at behind the link.
        let target = "/\(UUID().uuidString).json"
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/settings.json", withDestinationPath: target)
        let resolved = try SuiteDirectory.resolve(
            SuiteLocation(folder: folder.path, allowsInsecureDirectory: false))
        #expect(resolved.path == target)
        #expect(resolved.folder == "/")
    }

    @Test func `a path spelled another way is the same suite`() throws {
        let named = try folder.suite()
        let other = try DefaultsSuite(file: folder.path + "//./settings/./settings.json")
        #expect(named == other)
        #expect(named.path == other.path)
    }

    @Test(arguments: [("player", "player"), ("../x", "%2E.%2Fx")])
    func `the administrator's file of a name has a fixed place`(name: String, folder: String) throws {
        let suite = try DefaultsSuite(name, in: self.folder.path)
        #expect(suite.context.managed.beginReading().file?.path == "/etc/xdg/\(folder)/managed.json")
    }

    @Test func `a path through a linked folder leads to the same store`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/real", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/linked", withDestinationPath: folder.path + "/real")
        let real = try DefaultsSuite("s", in: folder.path + "/real")
        let linked = try DefaultsSuite("s", in: folder.path + "/linked")
        let events = Recorder<DefaultsChange>()
        let observation = real.observe(forKey: "a", options: [.old, .new]) { events.append($0) }
        try linked.set(1, forKey: "a")
        #expect(
            events.all == [
                DefaultsChange(key: "a", oldValue: nil, newValue: 1, isInitial: false, cause: .thisProcess)
            ])
        observation.invalidate()
    }

    @Test func `suites in memory are separate and have no path`() throws {
        let (first, second) = (DefaultsSuite.inMemory(), DefaultsSuite.inMemory())
        try first.set(1, forKey: "a")
        #expect(second.value(forKey: "a") == nil)
        #expect(first.path == nil)
        #expect(first != second)
    }

    @Test func `a suite tells its name, path and both`() throws {
        let suite = try folder.suite("com.example.player")
        let path = folder.path + "/com.example.player/settings.json"
        #expect(suite.name == "com.example.player")
        #expect(suite.path == path)
        #expect("\(suite)" == "DefaultsSuite(com.example.player at \(path))")
    }

    @Test func `making a suite, registering and listening touch no file`() throws {
        let suite = try folder.suite()
        suite.register(defaults: ["a": 1])
        suite.onFailure = { _ in }
        _ = suite.failures
        _ = suite.declaredKeys
        #expect(try folder.names(in: "") == [])
    }

    @Test func `a file of its own name has its companions beside it`() throws {
        let suite = try DefaultsSuite(file: folder.path + "/team.json")
        try suite.set(1, forKey: "a")
        try folder.awaitCheckpoint(of: "team.json")
        #expect(try folder.names(in: "") == [".team.json.journal", ".team.json.lock", "team.json"])
    }
}
