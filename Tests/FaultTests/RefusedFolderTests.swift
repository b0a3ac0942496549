/// The kernel refuses to open what a source of default values follows.
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct RefusedFolderTests {
    /// In a process of its own, of which that alone is refused: where descriptors are short indeed, Dispatch ends a
    /// program that has tasks.
    @Test func `what could not be read for want of descriptors is read again`() throws {
        let folder = try TemporaryFolder()
        let config = folder.path + "/config"
        try folder.write("1", to: "config/a")
        try folder.write("2", to: "next")
        let peer = try Peer.opening(in: folder)
        try peer.expectOK("followfolder \(config)")
        #expect(try eventually { try peer.ask("get a") == "1" })
        let refused = ["-f", "-P", "a", "-e", "trace=openat", "-e", "inject=openat:error=EMFILE"]
        let strace = try Strace(holding: [peer], refused)
        #expect(rename(folder.path + "/next", config + "/a") == 0)
        #expect(try eventually { try peer.ask("failures").contains("sourceFailed") })
        #expect(try peer.ask("get a") == "1")
        // Nothing tells of it that there is no want any more.
        strace.finish()
        #expect(try eventually { try peer.ask("get a") == "2" })
    }
}
