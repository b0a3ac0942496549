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

    @Test func `mid-write, both go on: the child reads at once and writes after its parent`() throws {
        #expect(try child.ask("get n") == "1")
        try child.send("set m 3")
        // The call's delay is longer than anybody needs, and over with this.
        strace.finish()
        #expect(try parent.receive() == "ok")
        #expect(try child.receive() == "ok")
        #expect(try child.ask("get n") == "2")
        #expect(try parent.ask("get m") == "3")
        #expect(try folder.numbers() == ["n": 2, "m": 3])
    }

    @Test func `mid-write, the parent's death frees its lock for the child`() throws {
        #expect(try child.ask("get n") == "1")
        parent.kill()
        // Or the dead process is kept until the call's delay is over.
        strace.finish()
        #expect(try parent.close() == .signal(9))
        #expect(try child.ask("set m 3") == "ok")
        #expect(try child.ask("get n") == "1")
        #expect(try folder.numbers() == ["n": 1, "m": 3])
    }
}
