/// The kernel has no thread or no source of notices to give: changes from outside are found all the same.
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct RefusedWatchTests {
    @Test(arguments: ["inotify_init1", "inotify_add_watch", "socketpair", "clone3"])
    func `where there is nothing to listen with, edits by hand are found by looking`(_ call: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"n\": 1}", to: "settings/settings.json")
        let reader = try Peer.opening(in: folder)
        let strace = try Strace(
            holding: [reader], ["-f", "-e", "trace=\(call)", "-e", "inject=\(call):error=EMFILE"])
        // More reads than are looks before a process begins to listen.
        for _ in 0..<100 { #expect(try reader.ask("get n") == "1") }
        try folder.write("{\"n\": 2}", to: "settings/settings.json")
        #expect(try eventually { try reader.ask("get n") == "2" })
        // Or it has been made before, or is not the one that is made.
        #expect(try strace.log().contains("(INJECTED)"))
        try folder.write("{\"n\": 3}", to: "settings/settings.json")
        #expect(try eventually { try reader.ask("get n") == "3" })
        for _ in 0..<100 { #expect(try reader.ask("get n") == "3") }
        try folder.write("{\"n\": 4}", to: "settings/settings.json")
        #expect(try eventually { try reader.ask("get n") == "4" })
    }
}
