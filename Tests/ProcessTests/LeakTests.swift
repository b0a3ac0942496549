/// What other users can see of a suite, and where its files can be.
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct LeakTests {
    @Test(arguments: ["0", "77", "777"])
    func `Nothing leaks out: files are 0600 and folders 0700 under any umask`(_ umask: String) throws {
        let folder = try TemporaryFolder()
        let peer = try Peer()
        let said = try ["umask \(umask)", "open \(folder.path)/new mine", "save n 1"].map { try peer.ask($0) }
        #expect(said == ["ok", "ok", "ok"])
        let names = [
            "", "/mine", "/mine/settings.json", "/mine/.settings.json.lock", "/mine/.settings.json.journal",
        ]
        let modes = try names.map { try mode(of: folder.path + "/new" + $0) }
        #expect(modes == [0o700, 0o700, 0o600, 0o600, 0o600])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/new/mine").count == 3)
    }

    @Test(arguments: ["../outside", "../../outside", "/outside", ".", "..", ".hidden", "a/b"])
    func `Nothing leaks out: no suite name reaches outside its folder`(_ name: String) throws {
        let folder = try TemporaryFolder()
        let peer = try Peer()
        let said = try ["open \(folder.path)/in/side \(name)", "save n 1"].map { try peer.ask($0) }
        #expect(said == ["ok", "ok"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["in"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/in") == ["side"])
        let inside = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/in/side")
        #expect(inside.count == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/in/side/" + inside[0])
            .sorted()
        #expect(files == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test func `Nothing leaks out: a folder that everybody can write is refused`() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "settings/settings.json")
        try folder.allowEverybody(in: "settings")
        let peer = try Peer.opening(in: folder)
        #expect(try peer.ask("set n 1") == "error insecureDirectory")
        #expect(try folder.read("settings/settings.json") == "{}")
    }

    private func mode(of path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }
}
