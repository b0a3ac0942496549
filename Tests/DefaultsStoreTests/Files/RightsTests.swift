/// Who may read and write a file stays who may, whatever takes its place; and nobody is led to another's.
@_spi(TypedDefaults) @testable import DefaultsStore
import CTypedDefaults
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .enabled(if: geteuid() == 0, "needs root, to give files away"))
struct RightsTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        suite.onFailure = { _ in }
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
    }

    private var path: String { folder.settingsPath() }

    private var schema: String { folder.path + "/settings/settings.schema.json" }

    private func status(of path: String) -> (group: gid_t, mode: mode_t) {
        var found = stat()
        stat(path, &found)
        return (found.st_gid, found.st_mode & 0o777)
    }

    private func attribute(_ name: String, of path: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = getxattr(path, name, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Its owner may read and write, user 65534 and the mask read.
    private static let list: [UInt8] = [
        2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 4, 0, 0xFE, 0xFF, 0, 0, 4, 0, 0, 0, 255, 255, 255,
        255,
        16, 0, 4, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255,
    ]

    private func give(to path: String) throws {
        try #require(chown(path, uid_t.max, 33) == 0)
        try #require(setxattr(path, "system.posix_acl_access", Self.list, Self.list.count, 0) == 0)
        try #require(setxattr(path, "user.origin", "by hand", 7, 0) == 0)
    }

    private func expectAsGiven(_ path: String) {
        #expect(status(of: path) == (33, 0o640))
        #expect(attribute("system.posix_acl_access", of: path) == Self.list)
        #expect(attribute("user.origin", of: path) == Array("by hand".utf8))
    }

    /// As a rule, where there are no unnamed files, by a person's edit, and in place of a damaged file.
    @Test(arguments: ["concurrent", "underLock", "edit", "repair"])
    func `what replaces the file has its group, access control list and attributes (F22)`(way: String) throws
    {
        try give(to: path)
        if way != "edit" { try suite.set(2, forKey: "a") }
        if way == "repair" { try Data("{oops".utf8).write(to: URL(filePath: path)) }
        let rules = way == "underLock" ? [FaultInjection.Rule("openat(O_TMPFILE)", errno: EOPNOTSUPP)] : []
        try FaultInjection.$current.withValue(FaultInjection(rules)) {
            switch way {
            case "edit":
                let text = Array(try folder.foreignText().utf8)
                #expect(try suite.replaceFile(with: Array(#"{"a": 2}"#.utf8), editedFrom: text) != nil)
            case "repair": _ = try suite.repairFiles()
            default: try suite.checkpoint()
            }
        }
        #expect(try folder.foreignReading() == ["a": 2])
        expectAsGiven(path)
    }

    @Test func `a schema that is written anew has its rights, and one that is read-only stays (F22)`() throws
    {
        _ = try suite.context.writeSchema(Array("old".utf8), to: nil)
        try give(to: schema)
        _ = try suite.context.writeSchema(Array("new".utf8), to: nil)
        #expect(try folder.read("settings/settings.schema.json") == "new")
        expectAsGiven(schema)
        try #require(chmod(schema, 0o444) == 0)
        #expect(
            refusal { _ = try suite.context.writeSchema(Array("newer".utf8), to: nil) }?.code == .readOnly)
        #expect(try folder.read("settings/settings.schema.json") == "new")
    }

    /// A folder's own list gives each new file one.
    @Test func `where the file has no list, what replaces it has none, whatever the folder gives (F22)`()
        throws
    {
        let parent = folder.path + "/settings"
        try #require(chmod(path, 0o640) == 0)
        try #require(setxattr(parent, "system.posix_acl_default", Self.list, Self.list.count, 0) == 0)
        try suite.set(2, forKey: "a")
        try suite.checkpoint()
        #expect(attribute("system.posix_acl_access", of: path) == nil)
        #expect(status(of: path).mode == 0o640)
    }

    @Test func `where the group is refused, the new file is its owner's alone, and that is told once (F22)`()
        throws
    {
        try give(to: path)
        let failures = FailureRecorder(suite)
        try suite.set(2, forKey: "a")
        try FaultInjection.$current.withValue(FaultInjection(FaultInjection.Rule("fchown", errno: EPERM))) {
            try suite.checkpoint()
        }
        #expect(status(of: path).mode == 0o600)
        #expect(failures.codes == [.ioFailure] && failures.all.first?.path == path)
        try suite.set(3, forKey: "a")
        try suite.checkpoint()
        #expect(failures.codes == [.ioFailure])
    }

    @Test(arguments: [mode_t(0o444), 0o400])
    func `a file that its owner made read-only is refused, also to root, and read (F22)`(mode: mode_t)
        throws
    {
        try #require(chmod(path, mode) == 0)
        let peer = try Peer.opening(in: folder)
        #expect(
            try peer.answers(to: ["get a", "set a 2", "remove a"]) == [
                "1", "error readOnly", "error readOnly",
            ])
        #expect(try folder.foreignText().contains("\"a\": 1"))
        try #require(chmod(path, 0o600) == 0)
        #expect(try peer.answers(to: ["set a 3", "checkpoint"]) == ["ok", "ok"])
        // What was written before is kept back, at the latest when the file is to follow.
        try suite.checkpoint()
        try suite.set(4, forKey: "a")
        try #require(chmod(path, mode) == 0)
        #expect(refusal { try suite.checkpoint() }?.code == .readOnly)
        #expect(refusal { try suite.set(5, forKey: "a") }?.code == .readOnly)
        #expect(suite.value(forKey: "a") == 4)
        #expect(try folder.foreignText().contains("\"a\": 3"))
        try #require(chmod(path, 0o600) == 0)
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": 4])
    }

    private func makeTheirs() throws -> String {
        let theirs = folder.path + "/theirs"
        try FileManager.default.createDirectory(atPath: theirs, withIntermediateDirectories: false)
        try #require(chown(theirs, 65_534, 65_534) == 0)
        return theirs
    }

    private func expectRefusal(_ suite: DefaultsSuite) {
        suite.onFailure = { _ in }
        let error = refusal { try suite.set(7, forKey: "a") }
        #expect(error?.code == .insecureDirectory)
        #expect(error?.underlyingDescription?.contains("sudo -u nobody") == true)
    }

    @Test(arguments: [true, false])
    func `another user's link on the way leads root nowhere, whatever is allowed (F21)`(isAllowed: Bool)
        throws
    {
        let theirs = try makeTheirs()
        try #require(symlink(folder.path + "/settings", theirs + "/player") == 0)
        try #require(lchown(theirs + "/player", 65_534, 65_534) == 0)
        expectRefusal(try DefaultsSuite("player", in: theirs, allowsInsecureDirectory: isAllowed))
        expectRefusal(
            try DefaultsSuite(file: theirs + "/player/other.json", allowsInsecureDirectory: isAllowed))
        try #require(symlink(theirs + "/player", folder.path + "/mine") == 0)
        expectRefusal(
            try DefaultsSuite(file: folder.path + "/mine/x.json", allowsInsecureDirectory: isAllowed))
        #expect(try folder.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
        #expect(try folder.foreignReading() == ["a": 1])
    }

    @Test(arguments: [true, false])
    func `root makes nothing in another user's folder, whatever is allowed (F21)`(isAllowed: Bool) throws {
        let theirs = try makeTheirs()
        expectRefusal(try DefaultsSuite("player", in: theirs, allowsInsecureDirectory: isAllowed))
        expectRefusal(try DefaultsSuite(file: theirs + "/x.json", allowsInsecureDirectory: isAllowed))
        #expect(try FileManager.default.contentsOfDirectory(atPath: theirs) == [])
    }

    @Test func `links and folders of one's own or root's, and folders such as /tmp, are on the way as ever`()
        throws
    {
        let open = folder.path + "/open"
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
        try #require(chmod(open, 0o1777) == 0)
        try #require(symlink("../settings", open + "/link") == 0)
        let linked = try DefaultsSuite(file: open + "/../open/link/settings.json")
        #expect(try linked.storedValues() == ["a": 1])
        let deep = try DefaultsSuite("deep", in: open + "/a/b")
        try deep.set(1, forKey: "a")
        #expect(try folder.permissions(of: "open/a/b/deep") == 0o700)
        try #require(symlink("ring", open + "/ring") == 0)
        let ring = try DefaultsSuite(file: open + "/ring/x.json")
        ring.onFailure = { _ in }
        #expect(refusal { try ring.set(1, forKey: "a") }?.code == .insecureDirectory)
    }
}
