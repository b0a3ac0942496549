/// Which suite a program has when it names none.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct StandardSuiteTests {
    private let folder: TemporaryFolder
    private let peer: Peer

    init() throws {
        folder = try TemporaryFolder()
        peer = try Peer(environment: ["XDG_CONFIG_HOME": folder.path, "HOME": "/nonexistent"])
    }

    @Test func `the standard suite is named after the executable and stands in XDG_CONFIG_HOME`() throws {
        #expect(try peer.ask("standard") == "DefaultsPeer \(folder.path)/DefaultsPeer/settings.json")
        #expect(try peer.ask("openstandard") == "ok")
        #expect(try peer.ask("set n 1") == "ok")
        #expect(try folder.suite("DefaultsPeer").storedValues() == ["n": 1])
    }

    @Test func `the standard suite stands in ~/.config where XDG_CONFIG_HOME is relative`() throws {
        let other = try Peer(environment: ["XDG_CONFIG_HOME": "here", "HOME": folder.path])
        #expect(try other.ask("standard") == "DefaultsPeer \(folder.path)/.config/DefaultsPeer/settings.json")
    }

    /// In a space of mounts of the peer's own, because the file's place is fixed.
    @Test(.enabled(if: StandardSuiteTests.mayUnshare, "only root may have mounts of its own"))
    func `whatever name a program is started by, the administrator's file is that of the program's file`()
        throws
    {
        let text = #"{"n": 1}"#
        let script = """
            mount -t tmpfs -o mode=755 none /etc/xdg && mkdir -m 755 /etc/xdg/DefaultsPeer \
            && echo '\(text)' >/etc/xdg/DefaultsPeer/managed.json && exec -a other "$0"
            """
        let peer = try Peer(
            environment: ["XDG_CONFIG_HOME": folder.path], by: ["unshare", "-m", "bash", "-c", script])
        #expect(try peer.ask("standard") == "other \(folder.path)/other/settings.json")
        #expect(try peer.answers(to: ["openstandard", "get n", "set n 2"]) == ["ok", "1", "error locked"])
    }

    private static var mayUnshare: Bool {
        do {
            return try Tool.run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/etc/xdg"]).status == 0
        } catch {
            return false
        }
    }

    @Test func `bootstrap sets the standard suite once`() throws {
        #expect(try peer.ask("bootstrap \(folder.path) chosen") == "ok")
        #expect(try peer.ask("bootstrap \(folder.path) second") == "error alreadyInUse")
        #expect(try peer.ask("standard") == "chosen \(folder.path)/chosen/settings.json")
    }

    @Test func `bootstrap throws once the standard suite has been used`() throws {
        let before = try peer.ask("standard")
        #expect(try peer.ask("bootstrap \(folder.path) chosen") == "error alreadyInUse")
        #expect(try peer.ask("standard") == before)
    }
}
