/// A fork while another thread of the process is in the middle of a write.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct ForkInWriteTests {
    private let folder: TemporaryFolder
    private let parent: Peer
    private let strace: Strace
    private let child: ForkedPeer

    /// Forks when the generation is raised and the record is not written yet.
    init() throws {
        folder = try TemporaryFolder()
        // Or the file may follow meanwhile, on a thread that is not traced.
        parent = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        #expect(try parent.ask("save n 1") == "ok")
        let (parent, lock) = (parent, "\(folder.path)/settings/.settings.json.lock")
        strace = try Strace(parent, "pwrite64:delay_enter=30000000:when=2")
        child = try ForkedPeer(of: parent, by: "forkatraise \(lock)") { try parent.send("set n 2") }
    }

    @Test func `mid-write, the child is refused at once, and its parent goes on`() throws {
        #expect(try [child.ask("get n"), child.ask("set m 3")] == ["1", "error forkedChild"])
        // The call's delay is longer than anybody needs, and over with this.
        strace.finish()
        #expect(try parent.receive() == "ok")
        #expect(try folder.numbers() == ["n": 2])
    }

    @Test func `mid-write, the parent's death frees its lock`() throws {
        parent.kill()
        // Or the dead process is kept until the call's delay is over.
        strace.finish()
        #expect(try parent.close() == .signal(9))
        #expect(try Peer.opening(in: folder).ask("set m 3") == "ok")
        #expect(try folder.numbers() == ["n": 1, "m": 3])
        #expect(try child.ask("set m 4") == "error forkedChild")
    }
}
