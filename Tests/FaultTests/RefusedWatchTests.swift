/// The kernel has no thread or no source of notices to give: changes from outside are found all the same.
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct RefusedWatchTests {
    @Test(arguments: ["inotify_init1", "inotify_add_watch", "eventfd2", "clone3"])
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

    @Test(arguments: [
        "inotify_init1", "inotify_add_watch", "eventfd2", "clone3",
    ])
    func `what the kernel has refused for a moment is asked for again`(_ call: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"n\": 1}", to: "settings/settings.json")
        let observer = try Peer.opening(in: folder)
        let strace = try Strace(
            holding: [observer], ["-f", "-e", "trace=\(call)", "-e", "inject=\(call):error=EMFILE"])
        #expect(try observer.ask("observe n") == "ok")
        #expect(try strace.log().contains("(INJECTED)"))
        // Without a thread nobody is there to ask again before the process does something.
        if call == "clone3" { #expect(try observer.ask("set m 1") == "ok") }
        try folder.saveByRename("{\"n\": 2, \"m\": 1}")
        #expect(try observer.ask("events 1") == #"[[1, 2, "fileEdited"]]"#)
        try folder.saveByRename("{\"n\": 3, \"m\": 1}")
        #expect(try observer.ask("events 1") == #"[[2, 3, "fileEdited"]]"#)
        // It was said that nothing was heard, and not that the suite "can only be read", which was never so.
        #expect(try Set(observer.ask("failures").split(separator: " ")) == ["ioFailure"])
    }

    @Test func `a moment without descriptors makes nothing deaf for good`() throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"n\": 1}", to: "settings/settings.json")
        try folder.write("{\"shipped\": 1}", to: "defaults.json")
        try folder.write("{\"locked\": 7}", to: "managed.json")
        let peer = try Peer.opening(in: folder)
        #expect(try peer.ask("get n") == "1")
        let (source, managed) = ("\(folder.path)/defaults.json", "\(folder.path)/managed.json")
        #expect(try peer.ask("hoard") == "ok")
        for command in ["observe n", "followkept \(source)"] { #expect(try peer.ask(command) == "ok") }
        // It cannot be read now.
        _ = try peer.ask("manage \(managed)")
        #expect(try peer.ask("unhoard") == "ok")
        try folder.saveByRename("{\"n\": 2}")
        #expect(try peer.ask("events 1") == #"[[1, 2, "fileEdited"]]"#)
        try folder.write("{\"shipped\": 2}", to: "defaults.json")
        #expect(try eventually { try peer.ask("get shipped") == "2" })
        try folder.write("{\"locked\": 8}", to: "managed.json")
        #expect(try eventually { try peer.ask("get locked") == "8" })
        #expect(try peer.ask("set locked 5") == "error locked")
        #expect(try peer.ask("set n 3") == "ok")
        #expect(try eventually { try folder.read("settings/settings.json").contains("3") })
    }
}
