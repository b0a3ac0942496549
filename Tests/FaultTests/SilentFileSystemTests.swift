/// A followed file on a file system that stops answering: everything that is not about it goes on.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread) struct SilentFileSystemTests {
    private let folder: TemporaryFolder
    private let silent: SilentFileSystem
    private let peer: Peer

    /// A program of which one thread has asked for the followed file in vain.
    init() throws {
        folder = try TemporaryFolder()
        let silent = try SilentFileSystem()
        self.silent = silent
        peer = try Peer.opening(in: folder)
        for command in ["observe volume", "follow \(silent.path)/defaults.json \(folder.path)"] {
            try peer.expectOK(command)
        }
        // It is looked at once a second, since the kernel does not tell of what a server does.
        let before = silent.requests
        #expect(eventually { silent.requests > before + 20 })
        silent.fallSilent()
        #expect(eventually { silent.unanswered > 0 })
    }

    /// Lets go of what waits for the file system, for which even a killed process would wait.
    private func ending(_ body: () throws -> Void) throws {
        let outcome = Result { try body() }
        try silent.end()
        try outcome.get()
    }

    @Test func `a checkpoint that is due is made, and an edit by hand is heard`() throws {
        try ending {
            #expect(try peer.ask("set k 1") == "ok")
            #expect(try eventually { try folder.numbersInFile() == ["k": 1] })
            try folder.saveByRename(#"{"k": 1, "volume": 9}"#)
            #expect(try peer.ask("events 1") == #"[[null, 9, "fileEdited"]]"#)
            #expect(try peer.ask("get volume") == "9")
        }
    }

    @Test func `another process's write is heard`() throws {
        try ending {
            let suite = try folder.suite()
            try suite.set(3, forKey: "volume")
            let heard = try peer.ask("events 1")
            #expect(heard.hasPrefix("[[null, 3, \"otherProcess "))
        }
    }

    @Test func `the process forks`() throws {
        try ending {
            let ends = try (1...5).map { _ in try peer.ask("forkandend") }
            #expect(ends == ["0", "0", "0", "0", "0"])
        }
    }
}
