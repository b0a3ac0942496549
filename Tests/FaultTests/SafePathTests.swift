/// Processes of real users whose suite is behind folders of others, or in a folder that they may not change.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .root)
struct SafePathTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.setMode(0o755, of: "")
    }

    /// Makes a folder of a user's.
    ///
    /// - Returns: its path.
    private func make(_ name: String, of owner: Int) throws -> String {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.ownerAccountID: owner, .groupOwnerAccountID: owner, .posixPermissions: 0o755])
        return path
    }

    @Test func `a folder of another user on the way is refused to a user too (F21)`() throws {
        _ = try make("theirs", of: 1000)
        let mine = try make("theirs/mine", of: 65_534)
        let peer = try Peer.asNobody()
        let said = try peer.answers(to: ["open \(mine) settings", "set n 1", "stored"])
        #expect(said == ["ok", "error insecureDirectory", "error insecureDirectory"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: mine) == [])
        try FileManager.default.setAttributes([.ownerAccountID: 0], ofItemAtPath: folder.path + "/theirs")
        #expect(try peer.answers(to: ["set n 1", "stored"]) == ["ok", #"{"n": 1}"#])
    }

    private static let inNamespace = [
        "setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", "unshare", "--user",
    ]
    private static let hasNamespaces: Bool = {
        do {
            let words = Array(inNamespace.dropFirst())
            return try Tool.run("setpriv", words + ["--map-root-user", "true"]).status == 0
        } catch { return false }
    }()

    /// As its root, as itself, and as nobody.
    @Test(
        .enabled(if: hasNamespaces, "this system gives no user a namespace of its own"),
        arguments: [["--map-root-user"], ["--map-current-user"], []])
    func `in a user namespace, in which / belongs to nobody, a suite works (F21)`(_ mapping: [String]) throws
    {
        // Not in a folder that everybody may write, where what is root's is not told from what is another user's.
        let place = "/var/lib/typed-defaults-\(UUID().uuidString)"
        let home = place + "/home"
        for (path, owner) in [(place, 0), (home, 1000)] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false,
                attributes: [.ownerAccountID: owner, .groupOwnerAccountID: owner, .posixPermissions: 0o755])
        }
        defer {
            do { try FileManager.default.removeItem(atPath: place) } catch { Issue.record(error) }
        }
        // The program's own folder may be closed to that user. By another process, or a fork of ours might have it open.
        let program = folder.path + "/peer"
        #expect(try Tool.run("cp", [Peer.path, program]).status == 0)
        let peer = try Peer(program: program, by: Self.inNamespace + mapping)
        let said = try peer.answers(to: ["open \(home) settings", "save n 1", "set n 2", "get n"])
        #expect(said == ["ok", "ok", "ok", "2"])
        #expect(try peer.close() == .status(0))
        let reader = try Peer()
        try reader.expectOK("become 1000")
        #expect(try reader.answers(to: ["open \(home) settings", "stored"]) == ["ok", #"{"n": 2}"#])
    }

    @Test(.enabled(if: hasNamespaces, "this system gives no user a namespace of its own"))
    func `in a user namespace another user's link and folder are not taken for root's (F21)`() throws {
        try folder.setMode(0o1777, of: "")
        let home = try make("home", of: 1000)
        let link = folder.path + "/link"
        #expect(symlink(home, link) == 0 && lchown(link, 65_533, 65_533) == 0)
        let theirs = try make("theirs", of: 65_533)
        let mine = try make("theirs/mine", of: 1000)
        _ = theirs
        let program = folder.path + "/peer"
        #expect(try Tool.run("cp", [Peer.path, program]).status == 0)
        for path in [link, mine] {
            let peer = try Peer(program: program, by: Self.inNamespace + ["--map-current-user"])
            let said = try peer.answers(to: ["open \(path) settings", "set n 1"])
            #expect(said == ["ok", "error insecureDirectory"])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home) == [])
    }

    @Test func `a set-user-ID program takes no folder from whoever starts it`() throws {
        try folder.setMode(0o755, of: "")
        let program = folder.path + "/peer"
        #expect(try Tool.run("cp", [Peer.path, program]).status == 0)
        #expect(chmod(program, 0o4755) == 0)
        let theirs = try make("theirs", of: 0)
        let peer = try Peer(
            program: program, environment: ["XDG_CONFIG_HOME": theirs, "HOME": theirs],
            by: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
        #expect(try peer.ask("standard").contains(theirs) == false)
        let same = try Peer(environment: ["XDG_CONFIG_HOME": theirs])
        #expect(try same.ask("standard").contains(theirs))
    }

    @Test func `a folder that its owner may not change keeps the file behind, which is reported once`() throws
    {
        let home = try make("home", of: 65_534)
        let peer = try Peer.asNobody()
        _ = try peer.ask("failures")
        #expect(try peer.answers(to: ["open \(home) settings", "save n 1"]) == ["ok", "ok"])
        try folder.setMode(0o500, of: "home/settings")
        #expect(try peer.ask("set n 2") == "ok")
        #expect(try eventually { try peer.ask("failures") == "readOnly" })
        #expect(try peer.answers(to: ["set n 3", "checkpoint", "get n"]) == ["ok", "error readOnly", "3"])
        #expect(try peer.ask("failures") == "readOnly")
        // As does a program that is started only now.
        let other = try Peer.asNobody()
        _ = try other.ask("failures")
        #expect(try other.answers(to: ["open \(home) settings", "set n 4"]) == ["ok", "ok"])
        #expect(try eventually { try other.ask("failures") == "readOnly" })
        try folder.setMode(0o700, of: "home/settings")
        #expect(try peer.answers(to: ["checkpoint", "stored"]) == ["ok", #"{"n": 4}"#])
        #expect(
            try String(contentsOfFile: home + "/settings/settings.json", encoding: .utf8).contains(#""n": 4"#)
        )
    }

    /// Of one without a handler for failures: no user code is run any more.
    @Test func `a program that ends says on standard error that its file stays behind`() throws {
        let home = try make("home", of: 65_534)
        let maker = try Peer.asNobody()
        #expect(try maker.answers(to: ["open \(home) settings", "save n 1"]) == ["ok", "ok"])
        #expect(try maker.close() == .status(0))
        try folder.setMode(0o500, of: "home/settings")
        let commands = [
            "become 65534", "openunheard \(home) settings", "leaveout scheduledCheckpoints", "set n 2",
        ]
        let run = try Tool.run("sh", ["-c", #"printf '%s\n' "$@" | "$0""#, Peer.path] + commands)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0 && lines.prefix(4) == ["ok", "ok", "ok", "ok"])
        #expect(
            lines.count == 5 && lines[4].hasPrefix("TypedDefaults: ") && lines[4].contains(home), "\(run)")
    }
}
