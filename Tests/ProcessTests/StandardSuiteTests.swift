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
